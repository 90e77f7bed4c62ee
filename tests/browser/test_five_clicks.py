"""What people come for is at most five clicks away from the first screen: three journeys that count them.

So do those of numbers, corrections, compared systems and contradictions, each in the file of its page.
"""

import pytest
from playwright.sync_api import expect

from core.files import ROOT
from tests.browser.steps import MOST_CLICKS, counted, opened, ready, saved, show, turned

pytestmark = pytest.mark.browser


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


def test_from_a_file_of_one_s_own_to_its_facts(first):
    turned(first, "Sources")
    first.locator('input[type="file"]').first.set_input_files(ROOT / "docs/pictures/facts.csv")
    first.evaluate("() => window.clicks++")  # the choice in the system's window
    first.get_by_role("button", name="Load these headlines").click()
    expect(first.get_by_role("heading", level=1)).to_have_text("Timeline")
    ready(first)
    first.get_by_role("tab", name="Facts").click()
    grid = first.get_by_role("table").first
    expect(grid).to_contain_text("34 dead")
    expect(grid.get_by_role("rowheader")).to_contain_text(["Morning Wire", "Вестник", "La Gazette"])


def test_a_chart_is_published(first, tmp_path):
    show(first, "Map")
    first.get_by_role("button", name="Publish this chart").first.click()
    expect(first.get_by_role("dialog").locator("img.publish-preview")).to_be_visible()
    file = saved(first, "SVG", tmp_path)
    assert file.read_text(encoding="utf-8").startswith("<svg")


def test_a_room_is_opened(first, browser):
    turned(first, "Room")
    first.get_by_role("button", name="Open the room", exact=True).click()
    code = first.locator(".room-code").inner_text().replace(" ", "")
    phone = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.goto(f"{first.url.partition('/room')[0]}/join?room={code}")
    expect(phone.get_by_label("Your nickname")).to_be_visible()
    phone.context.close()
