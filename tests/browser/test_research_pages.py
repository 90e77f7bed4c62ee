"""Pages of research in a real browser: training, contradictions."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.steps import LONG, MOST_CLICKS, clicks, counted, listed, opened, ready, turned, unfold

pytestmark = pytest.mark.browser


def test_a_run_is_stopped_resumed_watched_and_deleted(page, app_url):
    page.goto(f"{app_url}/models?part=train")
    expect(page.get_by_text("Nothing has been trained here yet.")).to_be_visible()
    expect(page.get_by_test_id("stVegaLiteChart").first).to_be_visible()
    unfold(page, "Train a model of your own")
    chosen = page.get_by_test_id("stMultiSelect")
    chosen.get_by_role("button", name="Clear all").click()
    expect(chosen.get_by_text("uci")).to_have_count(0)
    ready(page)
    listed(chosen.get_by_role("combobox"), "hlgd_sample")
    expect(page.get_by_role("option")).to_have_text(["hlgd_sample"])
    page.get_by_role("option", name="hlgd_sample", exact=True).click()
    expect(chosen.get_by_text("hlgd_sample")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    ready(page)
    page.get_by_role("button", name="Start training").click()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Stopped", exact=True)).to_be_visible(timeout=LONG)
    resume = page.get_by_role("button", name="Resume")
    resume.click()
    # The tab is closed and opened again while the model learns: once the click has arrived.
    expect(resume).to_have_count(0, timeout=LONG)
    page.goto("about:blank")
    page.goto(f"{app_url}/models?part=train")
    expect(page.get_by_text("Finished", exact=True)).to_be_visible(timeout=120_000)
    # The loss, and what the validation part says.
    expect(page.get_by_test_id("stVegaLiteChart")).to_have_count(2)
    expect(page.get_by_text("finetuned.v1|model:").first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the model").click()
    assert download.value.suggested_filename.endswith(".zip")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete this run").click()
    expect(page.get_by_text("Nothing has been trained here yet.")).to_be_visible()


@pytest.mark.journey
def test_contradictions_are_stepped_through_and_swapped(page, app_url):
    opened(page, app_url, "Timeline")
    counted(page)
    turned(page, "Consistency")
    expect(page.get_by_role("heading", name="The model contradicts itself")).to_be_in_viewport()
    said = page.get_by_text(re.compile("^[AB] and [AB]: "))
    before = re.findall(r"\d\.\d\d", said.inner_text())
    # A headline of two lines stands over its field until somebody types there.
    whole = page.locator("[class*=st-key-headline-of-] p + p").last
    expect(whole).to_be_visible()
    assert whole.bounding_box()["height"] > 30
    field = page.locator("[class*=st-key-headline-of-] input").last
    field.focus()
    expect(whole).to_be_hidden()
    field.blur()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile(r"^2 of \d+ examples"))).to_be_visible()
    page.get_by_role("button", name="Previous").click()
    expect(page.get_by_text(re.compile(r"^1 of \d+ examples"))).to_be_visible()
    page.get_by_role("button", name="Swap").click()
    expect(said).to_have_text(re.compile(rf"^B and A: {before[1]}, “.+”; swapped, {before[0]}, “"))
    assert clicks(page) <= MOST_CLICKS
    ready(page)
    page.get_by_label("Headline B").fill(page.get_by_label("Headline A").input_value())
    expect(said).to_have_text(re.compile("“same event”.+“same event”"))
    ready(page)
    filled = page.get_by_test_id("stMain").get_by_test_id("stBaseButton-primary")
    expect(filled).to_have_text(re.compile("Next"))
    # On a phone headlines and steps stand between what was found and its picture, in the same window.
    page.set_viewport_size({"width": 390, "height": 844})
    triangle = page.locator(".st-key-triangle")
    parts = (page.get_by_role("heading", level=2).first, field, filled, triangle)
    heights = [part.bounding_box()["y"] for part in parts]
    assert heights == sorted(heights)
    assert triangle.bounding_box()["y"] < 844 * 3 / 4
