"""The Pairs and Consistency pages in a real browser: contradictions, repairs, figures, mistakes, tags."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import downloaded, metric, opened, ready, saved, show, unfold

pytestmark = pytest.mark.browser

LAB = "/consistency?lab=levenshtein.v1"


def open_lab(page: Page, url: str) -> None:
    opened(page, url + LAB, "Consistency")
    expect(page.get_by_test_id("stMetric").first).to_be_visible()


@pytest.mark.journey
def test_broken_triangles_are_stepped_through_with_the_keyboard(page: Page, app_url: str) -> None:
    open_lab(page, app_url)
    assert metric(page, "Pairs") == "1,081"
    assert metric(page, "Decisions that flip") == "0.0 %"
    assert int(metric(page, "Broken triangles").replace(",", "")) > 0
    first = page.get_by_text(re.compile(r"^1 of the \d+ worst"))
    expect(first).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile(r"^2 of the \d+ worst"))).to_be_visible()
    page.get_by_role("button", name="Previous").click()
    expect(first).to_be_visible()
    ready(page)


def test_a_repair_leaves_no_broken_triangle_and_says_what_it_changed(page: Page, app_url: str) -> None:
    open_lab(page, app_url)
    show(page, "Repairs")
    expect(page.get_by_text("any transitive repair must change at least")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    show(page, "Swapped pairs")
    expect(page.get_by_text("No answer changes when two headlines are swapped.")).to_be_visible()


def test_a_case_of_ones_own_joins_the_suite_and_is_saved(page: Page, app_url: str, tmp_path: Path) -> None:
    open_lab(page, app_url)
    show(page, "Small changes")
    unfold(page, "Your own cases")
    page.get_by_label("Headline", exact=True).fill("<b>Crew</b> returns to Earth")
    page.get_by_label("and", exact=True).fill("Senate passes a bill")
    page.get_by_role("button", name="Add this case").click()
    expect(page.get_by_text("Cases of your own that are asked as well: 1.")).to_be_visible()
    ready(page)
    rows = list(csv.DictReader(downloaded(page, "Save the suite (CSV)", tmp_path).splitlines()))
    assert len(rows) > 100
    assert [row["a"] for row in rows if row["check"] == "own"] == ["<b>Crew</b> returns to Earth"]


def test_the_table_shows_published_and_measured_figures(page: Page, app_url: str, tmp_path: Path) -> None:
    opened(page, f"{app_url}/pairs", "Pairs")
    expect(page.get_by_text("F1 here, with its 95 % interval")).to_be_visible()
    expect(page.get_by_test_id("stDataFrame")).to_have_count(1)
    expect(page.get_by_text(re.compile(r"points of F1, 95 % interval"))).to_be_visible()
    assert saved(page, "LaTeX", tmp_path).name == "pair-benchmark-ecbplus.tex"
    assert saved(page, "All sets (LaTeX)", tmp_path).name == "pair-benchmark.tex"


def test_a_mistake_is_opened_and_tagged(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/pairs", "Pairs")
    show(page, "Mistakes")
    expect(page.get_by_text("people say different events")).to_be_visible()
    tags = page.get_by_role("combobox", name="Tags")
    tags.press_sequentially("too broad")
    page.get_by_role("option", name="too broad").click()
    tags.press("Escape")
    ready(page)
    show(page, "Disagreements")
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    show(page, "Mistakes")
    expect(page.get_by_text("too broad").first).to_be_visible()
