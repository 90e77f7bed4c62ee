"""Back and forward in the browser go step by step through what was chosen, and old addresses still lead."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from components.page_state import OLD_ADDRESSES, PARTS
from tests.browser.steps import event_row, opened, ready, settled, show, turned

pytestmark = pytest.mark.browser


def test_back_and_forward_go_through_events_views_and_pages(page, app_url):
    card = page.locator(".st-key-event-card h2")

    def chosen(line):
        """Clicks a row of the list; the event that its card shows, and the address."""
        before = page.url
        event_row(page, line).click()
        expect(page).not_to_have_url(before)
        ready(page)
        return card.inner_text(), page.url

    opened(page, app_url, "Timeline")
    unchosen = card.inner_text()
    first, second = chosen(1), chosen(2)
    assert first[0] != second[0]
    for step, (event, address) in (
        (page.go_back, first),
        (page.go_back, (unchosen, re.compile("^((?!group=).)*$"))),
        (page.go_forward, first),
        (page.go_forward, second),
    ):
        step()
        expect(card).to_have_text(event)
        expect(page).to_have_url(address)
        ready(page)

    # One step back from whatever the menu opened, also after a step back.
    for place in ("Map", "Sources", "Consistency"):
        turned(page, place)
        expect(page).not_to_have_url(second[1])
        page.go_back()
        expect(page).to_have_url(second[1])
        ready(page)
        expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text("Timeline")
        expect(card).to_have_text(second[0])

    opened(page, f"{app_url}/compare", "Compare")
    show(page, "Scores")
    show(page, "Where they differ")
    for step, view in ((page.go_back, "Scores"), (page.go_back, "Headlines"), (page.go_forward, "Scores")):
        step()
        expect(page.get_by_role("radio", name=view)).to_be_checked()


SAID = {"map": "group=3", "archive": "words=Kiel", "numerals": "article=1", "evaluate": "seed=7"}
"""What an old address asked for, beside the page itself."""


def test_an_old_address_leads_to_its_place_and_keeps_what_it_said(page, app_url):
    for old, (place, part) in OLD_ADDRESSES.items():
        asked = SAID.get(old, "large=yes")
        page.goto(f"{app_url}/{old}?{asked}" + "&show=one" * (old == "numerals"))
        word = part.get("part", part.get("show", "one"))
        title = {"map": "Map", "one": "One headline", **PARTS.get(place, {})}[word]
        expect(page.get_by_role("radio", name=title, exact=True)).to_be_checked()
        settled(page)
        assert urlsplit(page.url).path.strip("/") == place.replace("timeline", "")
        assert asked in page.url
