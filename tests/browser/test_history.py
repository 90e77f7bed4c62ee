"""Back and forward in the browser go step by step through what was chosen."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from components.page_state import OLD_ADDRESSES
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


OLD = {
    "map?group=3": ("", {"group": "3", "show": "map"}, "Map"),
    "open": ("sources", {}, "Open"),
    "live?since=2": ("sources", {"part": "live"}, "Live"),
    "archive?words=Kiel": ("sources", {"part": "archive", "words": "Kiel"}, "Archive"),
    "numerals?show=one&article=1": ("check_numbers", {"show": "one", "article": "1"}, "One headline"),
    "evaluate?show=results&seed=7": (
        "judge",
        {"part": "evaluate", "show": "results", "seed": "7"},
        "Results",
    ),
    "annotate?task=pairs": ("judge", {"task": "pairs"}, "Compare pairs"),
    "agreement?about=votes": ("judge", {"part": "agreement", "about": "votes"}, "Votes on pairs"),
    "pairs": ("benchmark", {}, "Pairs"),
    "pair_sets": ("benchmark", {"part": "pair_sets"}, "Pair sets"),
    "leaderboard": ("benchmark", {"part": "leaderboard"}, "Leaderboard"),
    "train": ("models", {"part": "train"}, "Train"),
    "library?large=yes": ("models", {"large": "yes"}, "Library"),
}


@pytest.mark.parametrize("old", OLD)
def test_an_old_address_leads_to_its_place_and_shows_what_it_named(
    page: Page, app_url: str, old: str
) -> None:
    place, kept, chosen = OLD[old]
    page.goto(f"{app_url}/{old}")
    expect(page.get_by_role("radio", name=chosen, exact=True)).to_be_checked()
    settled(page)
    address = urlsplit(page.url)
    assert address.path.strip("/") == place
    assert {name: value for name, (value,) in parse_qs(address.query).items() if name in kept} == kept
    expect(page.get_by_test_id("stTopNavSection").first).to_be_visible()


def test_old_addresses_are_all_tried() -> None:
    assert {old.partition("?")[0] for old in OLD} == set(OLD_ADDRESSES)
