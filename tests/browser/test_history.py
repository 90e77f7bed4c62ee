"""What a reader does first and comes back to: back and forward, a selection, an upload."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.steps import event_row, give, opened, ready, show, turned

pytestmark = pytest.mark.browser


def test_back_and_forward_go_through_events_views_and_pages(page, app_url):
    # While it is drawn anew, the card before stands behind it.
    card = page.locator(".st-key-event-card h2").last

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


ODD_FILE = b"""when;outlet;title
2024-05-01;Alpha Post;Central bank raises rates by a quarter point
2024-05-01;Beta Times;Rates raised a quarter point by central bank
2024-05-03;Alpha Post;Storm closes two airports on the coast
2024-05-03;Beta Times;Two coastal airports shut as storm hits
2024-05-03;A row whose headline nobody can read;#REF!
"""


def click_a_point(page):
    """Clicks the point to which the keys lead."""
    canvas = page.locator(".st-key-headline-map canvas")
    expect(page.locator(".st-key-headline-map .names span").first).to_be_attached()
    canvas.focus()
    canvas.press("ArrowRight")
    box = page.locator(".st-key-headline-map .cross").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.journey
def test_selecting_on_the_map_selects_on_the_timeline(page, app_url):
    opened(page, app_url, "Timeline")
    turned(page, "Map")
    click_a_point(page)
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
