"""What must not be lost on the way: ticks in the table, and the view that the tour interrupts."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.steps import opened, ready, start_tour, turned

pytestmark = pytest.mark.browser


def tick(page: Page, line: int) -> None:
    box = page.get_by_test_id("stDataFrame").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 15, box["y"] + 52 + 35 * line)
    ready(page)


def search(page: Page, words: str) -> None:
    field = page.get_by_role("searchbox", name="Search", exact=True)
    field.fill(words)
    field.press("Enter")
    ready(page)


def chosen(page: Page) -> list[str]:
    return parse_qs(urlsplit(page.url).query).get("rows", [""])[0].split(",")


def test_ticks_survive_a_search_and_a_change_of_page(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 2000})
    opened(page, f"{app_url}/?show=map", "Timeline")
    expect(page.get_by_text("47 of 47 headlines")).to_be_visible()
    tick(page, 0)
    search(page, "rocket")
    expect(page.get_by_text("headlines match, 1 ticked")).to_be_visible()
    tick(page, 1)
    expect(page.get_by_text("Why together, or apart?")).to_be_visible()
    found = chosen(page)
    assert found[0] == "0"
    assert len(found) == 2
    search(page, "")
    assert chosen(page) == found
    turned(page, "List")
    expect(page.get_by_role("listbox", name="Events")).to_be_visible()
    turned(page, "Map")
    expect(page.get_by_text("47 of 47 headlines, 2 ticked")).to_be_visible()
    ready(page)
    tick(page, 0)
    expect(page.get_by_text("47 of 47 headlines, 1 ticked")).to_be_visible()
    assert chosen(page) == found[1:]


def test_tour_on_a_phone_gives_the_view_back(browser: Browser, app_url: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    opened(page, f"{app_url}/?data=numhg&granularity=0.5", "Timeline")
    start_tour(page)
    expect(page.get_by_text("1 of 10")).to_be_visible()
    ready(page)
    page.get_by_role("button", name=re.compile("^Next")).click()
    expect(page.get_by_text("2 of 10")).to_be_visible()
    ready(page)
    page.get_by_role("button", name="Leave the tour").click()
    expect(page).to_have_url(re.compile(r"data=numhg&granularity=0\.5"))
    context.close()
