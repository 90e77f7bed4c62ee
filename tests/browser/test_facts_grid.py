"""The facts grid in a window and on a phone: full width, a head that stays, one fact at a time."""

import csv
from io import StringIO
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.results.delimited import delimited
from tests.browser.steps import give, opened, ready

pytestmark = pytest.mark.browser

OUTLETS = 40
_PLACES = """(grid) => {
  const box = grid.getBoundingClientRect();
  const at = (cell) => grid.querySelector(cell).getBoundingClientRect();
  const [head, first] = [at("thead th:last-child").top - box.top, at("tbody th").left - box.left];
  return { head, first, scrolled: grid.scrollTop, wide: box.width };
}"""

_LETTERS = """(grid) => {
  const columns = new Map();
  for (const row of grid.querySelectorAll('tr')) for (const cell of row.cells)
    for (const value of cell.querySelectorAll('[data-letter]'))
      columns.set(`${cell.cellIndex} ${value.dataset.letter}`, value.dataset.letter);
  return [...columns.values()];
}"""
"""The letters of each column."""
HIGHEST = 480  # pixels above a grid at most, in a window of 800, with the numbers of its event over it


def shown_heads(page):
    heads = page.locator(".st-key-facts-grid thead th")
    return [head.inner_text() for head in heads.all() if head.is_visible()]


def begins_high_and_no_letter_is_two_values(page):
    grid = page.locator(".st-key-facts-grid .facts-grid")
    assert grid.bounding_box()["y"] < HIGHEST
    used = grid.evaluate(_LETTERS)
    assert len(set(used)) == len(used) > len(shown_heads(page))


def test_the_grid_uses_the_window_and_a_phone_shows_one_fact_at_a_time(page, app_url):
    lines = [
        [
            f"Wire {at}",
            f"2026-03-02T{at // 4:02}:{at % 4}0:00Z",
            f"Quake in Peru kills {3 + at // 9}, injures 27",
        ]
        for at in range(OUTLETS)
    ]
    other = [
        ["Wire 1", "2026-03-02T12:00:00Z", "Bank raises rates"],
        ["Wire 2", "2026-03-02", "Fox in a shop"],
    ]
    opened(page, f"{app_url}/sources", "Sources")
    give(page, [("quake.csv", delimited([["publisher", "published", "headline"], *lines, *other]).encode())])
    page.get_by_role("button", name="Load these headlines").click()
    page.wait_for_url(lambda address: "data=file-" in address)
    ready(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{app_url}/?data=" + page.url.partition("data=")[2].partition("&")[0])
    ready(page)
    page.get_by_role("tab", name="Facts").click()
    ready(page)
    assert {"Dead", "Hurt", "Where"} <= set(shown_heads(page))
    begins_high_and_no_letter_is_two_values(page)
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_hidden()
    narrow = page.locator(".st-key-facts-grid .facts-grid").evaluate(_PLACES)["wide"]

    page.get_by_role("button", name="Full width").click()
    ready(page)
    full = page.get_by_role("dialog").locator(".facts-grid")
    full.evaluate("(grid) => grid.scrollTo(0, 400)")
    places = full.evaluate(_PLACES)
    assert places["scrolled"] > 300
    assert places["head"] == pytest.approx(0, abs=1)
    assert places["wide"] > 1.5 * narrow
    page.set_viewport_size({"width": 700, "height": 800})
    full.evaluate("(grid) => { grid.querySelector('table').style.width = '1400px'; grid.scrollTo(300, 0); }")
    assert full.evaluate(_PLACES)["first"] == pytest.approx(0, abs=1)
    page.keyboard.press("Escape")

    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("button", name="Full width")).to_be_hidden()
    first, *_ = shown_heads(page)[1:]
    assert len(shown_heads(page)) == 2
    page.get_by_role("button", name="Next", exact=True).click()
    ready(page)
    assert len(shown_heads(page)) == 2
    assert shown_heads(page)[1] != first

    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("button", name="Columns").click()
    page.get_by_label("Name of “hurt”").fill("injured")
    page.get_by_label("Name of “hurt”").press("Enter")
    ready(page)
    assert "Injured" in shown_heads(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Publish this grid").click()
    ready(page)
    with page.expect_download() as given:
        page.get_by_role("dialog").get_by_role("button", name="CSV").click()
    (head, *_) = csv.reader(StringIO(Path(given.value.path()).read_text("utf-8")))
    assert "injured" in head
    assert "hurt" not in {name.casefold() for name in head}
