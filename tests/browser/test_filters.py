"""Filters come by a link, and blind spots are published in five clicks."""

import csv
import re
from io import StringIO
from pathlib import Path

import pytest
from playwright.sync_api import expect

from components.frame.markdown import WORDS
from tests.browser.steps import MOST_CLICKS, clicks, counted, give, opened, ready, show
from tests.unit.events.test_facets_and_coverage import DESK, SIDES

pytestmark = pytest.mark.browser


@pytest.fixture
def desk(page, app_url):
    opened(page, f"{app_url}/sources", "Sources")
    give(page, [("desk.csv", DESK.encode())])
    page.get_by_role("button", name="Load these headlines").click()
    page.wait_for_url(lambda address: "data=file-" in address)
    ready(page)
    address = f"{app_url}/?data=" + page.url.partition("data=")[2].partition("&")[0]
    page.goto(address)
    ready(page)
    return address


def test_a_link_restores_filters_that_the_keyboard_chose_and_clears(page, desk):
    everything = page.get_by_role("option").count()
    page.get_by_role("button", name="Filters").focus()
    page.keyboard.press("Enter")
    ready(page)
    page.get_by_role("combobox", name="Outlet", exact=True).fill("Delta")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: "filter=" in address)
    ready(page)
    page.goto(page.url)
    ready(page)
    rows = page.get_by_role("listbox", name="Events").get_by_role("option")
    expect(rows).to_have_count(1)
    chip = page.get_by_role("button", name="Outlet: Delta")
    expect(chip).to_be_visible()
    expect(page.locator(".st-key-chips")).to_contain_text(f"1 of {everything} events")
    show(page, "Map")
    expect(page.get_by_test_id("stMain")).to_contain_text("1 of 8 headlines match")
    page.keyboard.press("x")
    expect(chip).to_have_count(0)
    assert "filter=" not in page.url


def test_numbers_disputes_corrections_and_edits_each_narrow_list_and_map(page, desk):
    page.get_by_role("button", name="Filters").click()
    ready(page)
    left = {"numbers": 4, "edited": 2, "disputed": 2, "corrected": 1}
    for name, count in left.items():
        flag = page.get_by_text(re.compile(rf"^{WORDS['flags'][name]} \({count}\)$"))
        flag.click()
        page.wait_for_url(lambda address, name=name: f"{name}=" in address)
        ready(page)
        expect(page.locator(".st-key-chips")).to_contain_text(f"{count} of 8 headlines")
        expect(page.get_by_role("listbox", name="Events").get_by_role("option")).to_have_count(1)
        flag.click()
        ready(page)
    page.get_by_text(re.compile(f"^{WORDS['flags']['disputed']}")).click()
    ready(page)
    page.keyboard.press("Escape")
    show(page, "Map")
    expect(page.get_by_test_id("stMain")).to_contain_text("2 of 8 headlines match")


def test_blind_spots_are_published_in_five_clicks(page, desk):
    counted(page)
    page.get_by_role("radio", name="Outlets").click()
    ready(page)
    page.get_by_role("button", name="Add a table of outlets").click()
    ready(page)
    give(page, [("outlets.csv", SIDES.encode())])
    ready(page)
    page.keyboard.press("Escape")
    publish = page.locator(".st-key-publish-blind-side").get_by_role("button")
    publish.click()
    ready(page)
    expect(page.get_by_role("dialog").locator("img.publish-preview")).to_be_visible()
    with page.expect_download() as given:
        page.get_by_role("dialog").get_by_role("button", name="CSV").click()
    assert clicks(page) <= MOST_CLICKS
    (row,) = csv.DictReader(StringIO(Path(given.value.path()).read_text("utf-8")))
    assert (row["Only side"], row["Reported by"], row["Silent (outlets)"]) == (
        "right",
        "Beta, Gamma",
        "left (1)",
    )
