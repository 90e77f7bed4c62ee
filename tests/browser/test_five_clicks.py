"""What people come for is at most five clicks away from the first screen: six journeys that count them."""

import re

import pytest
from playwright.sync_api import expect

from core.files import ROOT
from core.headlines.opening import open_set
from tests.browser.steps import MOST_CLICKS, counted, opened, ready, saved, show, turned

pytestmark = pytest.mark.browser

STRAY = "Bank raises rates once more after months"
WRONG = f"""outlet,published,headline
Alpha Post,2024-05-03,Storm closes two airports on the coast
Beta Times,2024-05-03,Storm shuts two airports on the coast
Gamma News,2024-05-03,{STRAY}
"""


@pytest.fixture
def first(page, app_url):
    """The Timeline as it opens, where clicks count from here on."""
    opened(page, app_url, "Timeline")
    counted(page)
    return page


@pytest.fixture(autouse=True)
def few(page):
    """Ends every journey: the address was never typed, and the clicks are few."""
    yield
    clicks = page.evaluate("window.clicks")
    assert 0 < clicks <= MOST_CLICKS


def chosen(page, name, content):
    """Gives a file of one's own; its choice in the system's window counts as a click."""
    page.locator('input[type="file"]').first.set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )
    page.evaluate("() => window.clicks++")
    page.get_by_role("button", name="Load these headlines").click()
    expect(page).to_have_url(re.compile("data=file-"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Timeline")
    ready(page)


def test_from_a_file_of_one_s_own_to_its_facts(first):
    turned(first, "Sources")
    chosen(first, "quake.csv", (ROOT / "docs/pictures/facts.csv").read_bytes())
    first.get_by_role("tab", name="Facts").click()
    grid = first.get_by_role("table").first
    expect(grid).to_contain_text("34 dead")
    expect(grid.get_by_role("rowheader")).to_contain_text(["Morning Wire", "Вестник", "La Gazette"])


def test_a_wrong_merge_is_corrected(page, app_url):
    opened(page, f"{app_url}/sources", "Sources")
    counted(page)
    chosen(page, "merged.csv", WRONG.encode())
    link = re.sub(r"&?(group|granularity)=[^&]*", "", page.url)
    opened(page, f"{link}&granularity=1", "Timeline")
    events = page.get_by_role("listbox", name="Events").get_by_role("option")
    expect(events).to_have_count(1)
    counted(page)
    card = page.locator(".st-key-event-card")
    card.get_by_role("tab", name="Correct").click()
    ready(page)
    stray = card.get_by_test_id("stCheckbox").filter(has_text=STRAY).first
    stray.locator("label").first.click()
    expect(stray.get_by_role("checkbox")).to_be_checked()
    ready(page)
    card.get_by_role("button", name="Split off", exact=True).click()
    expect(events).to_have_count(2)
    expect(page.locator(".st-key-corrections")).to_contain_text("1 correction")


def test_a_chart_is_published(first, tmp_path):
    show(first, "Map")
    first.get_by_role("button", name="Publish this chart").first.click()
    expect(first.get_by_role("dialog").locator("img.publish-preview")).to_be_visible()
    file = saved(first, "SVG", tmp_path)
    assert file.read_text(encoding="utf-8").startswith("<svg")


def test_three_systems_are_compared(first):
    turned(first, "Compare")
    show(first, "Scores")
    names = [one.system for one in open_set("sample:articles")[1]]
    assert len(names) == 3
    shown = first.get_by_test_id("stMain")
    for name in names:
        expect(shown.get_by_text(name).first).to_be_attached()


def test_a_flip_is_shown_to_a_class(first):
    turned(first, "Consistency")
    said = first.get_by_role("heading", name="Same event? The model says")
    scores = re.findall(r"[01]?\.\d\d", said.inner_text())
    assert len(scores) == 2
    first.get_by_role("button", name="Swap").click()
    expect(said).to_contain_text(f"says {scores[1]}; swapped, {scores[0]}.")
    expect(first.get_by_test_id("stMain")).to_contain_text("So it answers “")


def test_a_room_is_opened(first, browser):
    turned(first, "Room")
    first.get_by_role("button", name="Open the room", exact=True).click()
    code = first.locator(".room-code").inner_text().replace(" ", "")
    phone = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.goto(f"{first.url.partition('/room')[0]}/join?room={code}")
    expect(phone.get_by_label("Your nickname")).to_be_visible()
    phone.context.close()
