"""What people come for is at most five clicks away from the first screen: five journeys that count them.

So do those of numbers, corrections, compared systems and contradictions, each in the file of its page.
"""

import csv
from io import StringIO

import pytest
from playwright.sync_api import expect

from components.frame.figure_table import ALL_FIGURES
from core.files import ROOT
from tests.browser.steps import (
    MOST_CLICKS,
    choose,
    counted,
    downloaded,
    opened,
    own_timeline,
    ready,
    saved,
    show,
    turned,
    unfold,
)  # fmt: skip

pytestmark = pytest.mark.browser
DAM, DEPOT = "https://alpha.example/harlow-dam-bursts", "https://beta.example/depot-fire-in-leeds"
WEEKS = f"""publisher,published,headline,url
Alpha,2026-11-02T08:00Z,Dam bursts in Harlow valley killing 14,{DAM}
Beta,2026-11-02T09:30Z,Harlow valley dam burst: 14 dead,https://beta.example/harlow-valley
Alpha,2026-11-02T12:04Z,Dam bursts in Harlow valley killing 9,{DAM}
Gamma,2026-11-10T07:15Z,Parliament votes on the budget for schools,https://gamma.example/budget
Beta,2026-11-18T10:00Z,Fire at Leeds bus depot injures five,{DEPOT}
Gamma,2026-11-18T10:20Z,Leeds bus depot burns,https://gamma.example/leeds-bus-depot
Beta,2026-11-18T11:40Z,Fire at Leeds bus depot injures six,{DEPOT}
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


@pytest.fixture
def weeks(page, app_url):
    """A timeline of three weeks, two of which have an edited headline, where clicks count from here on."""
    own_timeline(page, app_url, "weeks.csv", WEEKS)
    counted(page)
    return page


def test_who_was_first_is_published(weeks, tmp_path):
    show(weeks, "Outlets")
    unfold(weeks, ALL_FIGURES)
    weeks.locator(".st-key-publish-first").get_by_role("button").click()
    expect(weeks.get_by_role("dialog").locator("img.publish-preview")).to_be_visible()
    ready(weeks)
    rows = list(csv.reader(StringIO(downloaded(weeks, "CSV", tmp_path))))
    first_and_alone = {row[0]: (row[2], row[4]) for row in rows[1:]}
    assert first_and_alone == {"Alpha": ("1", "0"), "Beta": ("1", "0"), "Gamma": ("0", "1")}


def test_the_edited_headlines_of_a_week_are_published(weeks, tmp_path):
    show(weeks, "Outlets")
    expect(weeks.get_by_text("2 edited headlines")).to_be_visible()
    weeks.get_by_role("button", name="Filters").click()
    ready(weeks)
    choose(weeks, "Period", "2 – 8 Nov 2026")
    weeks.keyboard.press("Escape")
    expect(weeks.get_by_text("1 edited headline", exact=True)).to_be_visible()
    weeks.locator(".st-key-publish-edits-all").get_by_role("button").click()
    expect(weeks.get_by_role("dialog").locator("img.publish-preview")).to_be_visible()
    ready(weeks)
    (edit,) = csv.DictReader(StringIO(downloaded(weeks, "CSV", tmp_path)))
    assert (edit["outlet"], edit["edited"]) == ("Alpha", "2 Nov 2026, 12:04 UTC")
    assert edit["numbers changed"] == "changed 14 → 9 dead"
    assert (edit["before"][-2:], edit["after"][-2:], edit["address"]) == ("14", " 9", DAM)


def test_a_room_is_opened(first, browser):
    turned(first, "Room")
    first.get_by_role("button", name="Open the room", exact=True).click()
    code = first.locator(".room-code").inner_text().replace(" ", "")
    phone = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.goto(f"{first.url.partition('/room')[0]}/join?room={code}")
    expect(phone.get_by_label("Your nickname")).to_be_visible()
    phone.context.close()
