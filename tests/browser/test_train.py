"""A model is trained on the page, in a process that outlives it, and then used."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ready

pytestmark = pytest.mark.browser


def test_order_watch_use_and_delete_a_run(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/train")
    expect(page.get_by_text("Nothing has been trained here yet.")).to_be_visible()
    chosen = page.get_by_test_id("stMultiSelect")
    chosen.get_by_role("button", name="Clear all").click()
    expect(chosen.get_by_text("uci")).to_have_count(0)
    ready(page)
    chosen.get_by_role("combobox").fill("hlgd_sample")
    expect(page.get_by_role("option")).to_have_text(["hlgd_sample"])
    page.get_by_role("option", name="hlgd_sample", exact=True).click()
    expect(chosen.get_by_text("hlgd_sample")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    ready(page)
    page.get_by_role("button", name="Start training").click()
    # The tab is closed and opened again while the model learns.
    expect(page.get_by_role("combobox", name="Run")).to_be_visible()
    page.goto("about:blank")
    page.goto(f"{app_url}/train")
    expect(page.get_by_text("Finished", exact=True)).to_be_visible(timeout=120_000)
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(1)
    expect(page.get_by_test_id("stPlotlyChart")).to_contain_text("Loss in training")
    expect(page.get_by_text("finetuned.v1|model:").first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the model").click()
    assert download.value.suggested_filename.endswith(".zip")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete this run").click()
    expect(page.get_by_text("Nothing has been trained here yet.")).to_be_visible()
