"""The line of a toll is drawn and published in five clicks; what comes later contradicts nothing."""

import csv
from io import StringIO
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.files import ROOT
from core.results.delimited import delimited
from tests.browser.steps import MOST_CLICKS, clicks, counted, downloaded, own_timeline, ready, said
from tests.unit.events.test_numbers_over_time import QUAKE

pytestmark = pytest.mark.browser


def test_a_toll_over_time_is_published(page, app_url):
    rows = [["publisher", "published", "headline", "url"], *map(list, QUAKE)]
    own_timeline(page, app_url, "toll.csv", delimited(rows))
    counted(page)
    page.get_by_role("tab", name="Facts").click()
    ready(page)
    expect(page.get_by_test_id("stVegaLiteChart")).to_be_visible()
    page.get_by_role("button", name="Publish this chart").click()
    ready(page)
    with page.expect_download() as given:
        page.get_by_role("dialog").get_by_role("button", name="CSV").click()
    assert clicks(page) <= MOST_CLICKS
    values = list(csv.DictReader(StringIO(Path(given.value.path()).read_text("utf-8"))))
    assert {"3", "144"} <= {value["value"] for value in values if value["thing"] == "dead"}
    assert all(value["outlet"] and value["time"].endswith("Z") for value in values)


def test_the_toll_of_a_breaking_story_is_followed_and_no_update_contradicts_it(page, app_url, tmp_path):
    """At the broadest level, where all of the earthquake is one event and the tower in Bangkok another."""
    case = (ROOT / "tests/data/cases/breaking_toll.csv").read_text("utf-8")
    own_timeline(page, app_url, "breaking_toll.csv", case, "&granularity=0.99")
    counted(page)
    newest = "2,056 killed in Myanmar quake"
    card = page.locator(".st-key-event-card")
    expect(card.get_by_role("heading", level=2)).to_have_text(newest)
    expect(page.get_by_role("option", name=newest)).to_contain_text("25 headlines")
    expect(card).to_contain_text("nothing was found that contradicts it")
    assert "may contradict" not in said(page)
    page.get_by_role("tab", name="Facts").click()
    ready(page)
    expect(card).to_contain_text("dead: 2,056")
    expect(card).to_contain_text("nothing contradicts it")
    page.get_by_role("button", name="Publish this chart").click()
    ready(page)
    values = list(csv.DictReader(StringIO(downloaded(page, "CSV", tmp_path))))
    assert clicks(page) <= MOST_CLICKS
    dead = [value for value in values if value["thing"] == "dead"]
    assert [value["value"] for value in dead][-4:] == ["1644", "1700", "2000", "2056"]
    assert len(dead) == 13
    assert {value["status"] for value in dead} == {""}  # no dispute, none taken back, none lower
    assert sorted(value["time"] for value in dead) == [value["time"] for value in dead]
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Best headline").click()
    ready(page)
    expect(card.get_by_role("tabpanel").filter(visible=True)).to_contain_text(newest)


def test_at_the_suggested_level_that_story_is_one_event_with_the_newest_toll(page, app_url):
    case = (ROOT / "tests/data/cases/breaking_toll.csv").read_text("utf-8")
    own_timeline(page, app_url, "breaking_toll.csv", case)
    events = page.get_by_role("listbox", name="Events")
    titles = events.get_by_role("option").locator(".title")
    expect(titles.filter(has_text="2,056 killed")).to_have_count(1)
    for earlier in ("732 injured", "1,644 dead", "reaches 1,700"):
        expect(titles.filter(has_text=earlier)).to_have_count(0)
    assert "contradict" not in events.inner_text()
