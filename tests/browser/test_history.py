"""Back and forward in the browser go step by step through what was chosen."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from components.page_state import OLD_ADDRESSES, PARTS
from tests.browser.steps import event_row, opened, ready, settled, show, turned

pytestmark = pytest.mark.browser


def choose(page: Page, line: int) -> None:
    """Clicks a row of the list of events."""
    event_row(page, line).click()
    ready(page)


def event(page: Page) -> str:
    return page.locator(".st-key-event-card h2").inner_text()


def back_to(page: Page, address: str) -> None:
    """Goes back from a page that the menu or a button opened: one step."""
    page.go_back()
    expect(page).to_have_url(address)
    ready(page)


def test_back_and_forward_go_through_events_and_pages(page: Page, app_url: str) -> None:
    opened(page, app_url, "Timeline")
    unchosen = event(page)
    choose(page, 1)
    expect(page).to_have_url(re.compile("group="))
    first, first_url = event(page), page.url
    choose(page, 2)
    expect(page).not_to_have_url(first_url)
    second, second_url = event(page), page.url
    assert first != second
    page.go_back()
    expect(page.locator(".st-key-event-card h2")).to_have_text(first)
    expect(page).to_have_url(first_url)
    page.go_back()
    expect(page.locator(".st-key-event-card h2")).to_have_text(unchosen)
    assert "group=" not in page.url
    page.go_forward()
    expect(page.locator(".st-key-event-card h2")).to_have_text(first)
    page.go_forward()
    expect(page.locator(".st-key-event-card h2")).to_have_text(second)
    expect(page).to_have_url(second_url)
    ready(page)
    turned(page, "Map")
    expect(page).to_have_url(re.compile(r"group=\d+&show=map"))
    back_to(page, second_url)
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text("Timeline")
    expect(page.locator(".st-key-event-card h2")).to_have_text(second)


def test_a_page_that_the_menu_opened_after_a_step_back_loses_nothing(page: Page, app_url: str) -> None:
    opened(page, app_url, "Timeline")
    choose(page, 1)
    chosen = page.url
    turned(page, "Sources")
    back_to(page, chosen)
    turned(page, "Consistency")
    back_to(page, chosen)
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text("Timeline")


def test_back_goes_through_the_views_of_a_page(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/compare", "Compare")
    show(page, "Scores")
    show(page, "Where they differ")
    page.go_back()
    expect(page.get_by_role("radio", name="Scores")).to_be_checked()
    page.go_back()
    expect(page.get_by_role("radio", name="Headlines")).to_be_checked()
    page.go_forward()
    expect(page.get_by_role("radio", name="Scores")).to_be_checked()


def test_one_step_back_leads_from_a_timeline_to_the_archive(page: Page, archive_url: str) -> None:
    opened(page, f"{archive_url}/sources?part=archive&archive=storms", "Sources")
    page.get_by_label("Search", exact=True).fill("Kiel")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("words=Kiel"))
    ready(page)
    selected = page.url
    page.get_by_role("button", name="Open as a Timeline").click()
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text("Timeline")
    ready(page)
    timeline = page.url
    back_to(page, selected)
    expect(page.get_by_label("Search", exact=True)).to_have_value("Kiel")
    page.go_forward()
    expect(page).to_have_url(timeline)
    ready(page)
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text("Timeline")


SAID = {"map": "group=3", "archive": "words=Kiel", "numerals": "article=1", "evaluate": "seed=7"}
"""What an old address asked for, beside the page itself."""


@pytest.mark.parametrize("old", OLD_ADDRESSES)
def test_an_old_address_leads_to_its_place_and_keeps_what_it_said(page: Page, app_url: str, old: str) -> None:
    place, part = OLD_ADDRESSES[old]
    asked = SAID.get(old, "large=yes")
    page.goto(f"{app_url}/{old}?{asked}" + "&show=one" * (old == "numerals"))
    word = part.get("part", part.get("show", "one"))
    title = {"map": "Map", "one": "One headline", **PARTS.get(place, {})}[word]
    expect(page.get_by_role("radio", name=title, exact=True)).to_be_checked()
    settled(page)
    assert urlsplit(page.url).path.strip("/") == place.replace("timeline", "")
    assert asked in page.url
    expect(page.get_by_test_id("stTopNavSection").first).to_be_visible()
