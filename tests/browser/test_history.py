"""Back and forward in the browser go step by step through what was chosen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import event_row, opened, ready, show, turned

pytestmark = pytest.mark.browser


def choose(page: Page, line: int) -> None:
    """Clicks a row of the list of events."""
    event_row(page, line).click()
    ready(page)


def event(page: Page) -> str:
    """The title of the open event."""
    return page.locator(".st-key-event-card h2").inner_text()


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
    expect(page).to_have_url(re.compile(r"/map\?group="))
    # A step back in the moment in which Streamlit asks for the detailed map again is overtaken by it.
    page.wait_for_timeout(1_500)
    page.go_back()
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text("Timeline")
    expect(page.locator(".st-key-event-card h2")).to_have_text(second)


def test_a_page_that_the_menu_opened_after_a_step_back_loses_nothing(page: Page, app_url: str) -> None:
    opened(page, app_url, "Timeline")
    choose(page, 1)
    chosen = page.url
    turned(page, "Map")
    page.wait_for_timeout(1_500)
    page.go_back()
    expect(page).to_have_url(chosen)
    ready(page)
    turned(page, "Consistency")
    group = chosen.partition("group=")[2]
    # Streamlit may leave an address without values behind, which takes a second step.
    for _ in range(2):
        page.go_back()
        expect(page).to_have_url(re.compile(f"group={group}"))
        ready(page)
        if page.url == chosen:
            break
    expect(page).to_have_url(chosen)
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
