"""The line of a toll is drawn and published in five clicks."""

import csv
from io import StringIO
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.results.delimited import delimited
from tests.browser.steps import MOST_CLICKS, clicks, counted, give, opened, ready
from tests.unit.events.test_numbers_over_time import QUAKE

pytestmark = pytest.mark.browser


def test_a_toll_over_time_is_published(page, app_url):
    opened(page, f"{app_url}/sources", "Sources")
    rows = [["publisher", "published", "headline", "url"], *map(list, QUAKE)]
    give(page, [("toll.csv", delimited(rows).encode())])
    page.get_by_role("button", name="Load these headlines").click()
    page.wait_for_url(lambda address: "data=file-" in address)
    ready(page)
    page.goto(f"{app_url}/?data=" + page.url.partition("data=")[2].partition("&")[0])
    ready(page)
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
