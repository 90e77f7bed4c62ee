"""The main job in a real browser: see groups, upload, move the slider, select, export, reopen."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.steps import give, opened, ready, turned

pytestmark = pytest.mark.browser

ODD_FILE = b"""when;outlet;title
2024-05-01;Alpha Post;Central bank raises rates by a quarter point
2024-05-01;Beta Times;Rates raised a quarter point by central bank
2024-05-03;Alpha Post;Storm closes two airports on the coast
2024-05-03;Beta Times;Two coastal airports shut as storm hits
2024-05-77;Beta Times;A row with a date that nobody can read
"""


def click_first_point(page):
    """A click as a hand makes it: Plotly wants to have seen the pointer arrive."""
    box = page.locator(".js-plotly-plot path.point").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for near in (5, 0):
        page.mouse.move(x - near, y - near)
        page.wait_for_timeout(300)
    page.mouse.click(x, y)


@pytest.mark.journey
def test_selecting_on_the_map_selects_on_the_timeline(page, app_url):
    opened(page, app_url, "Timeline")
    turned(page, "Map")
    expect(page.locator(".js-plotly-plot path.point").first).to_be_visible()
    click_first_point(page)
    expect(page.get_by_role("button", name="Clear the selection")).to_be_visible()
    ready(page)
    group = re.search(r"group=(\d+)", page.url)
    turned(page, "List")
    expect(page.get_by_text(f"event {group[1]} ·").first).to_be_visible()


@pytest.mark.journey
def test_uploads_a_csv_and_says_what_was_excluded(page, app_url, tmp_path):
    opened(page, app_url, "Timeline")
    turned(page, "Open")
    give(page, [("odd names.csv", ODD_FILE)])
    expect(page.get_by_text("5 rows")).to_be_visible()
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_text("4 headlines are open.")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="The excluded row (CSV)").click()
    assert "nobody can read" in Path(download.value.path()).read_text()
    page.get_by_role("link", name="See the groups").click()
    expect(page.locator(".st-key-facts")).to_contain_text("4 headlines · 2 events")
    ready(page)
    link = page.url

    page.goto(link)
    expect(page.locator(".st-key-facts")).to_contain_text("4 headlines · 2 events")
    ready(page)
