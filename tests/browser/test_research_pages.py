"""Pages of research in a real browser: training, judging, pairs, contradictions, repairs."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from components.leaderboard.ranking import SYSTEM
from core.files import ROOT
from tests.browser.steps import downloaded, metric, opened, ready, saved, show, unfold

pytestmark = pytest.mark.browser


def test_order_watch_use_and_delete_a_run(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/models?part=train")
    expect(page.get_by_text("Nothing has been trained here yet.")).to_be_visible()
    chosen = page.get_by_test_id("stMultiSelect")
    chosen.get_by_role("button", name="Clear all").click()
    expect(chosen.get_by_text("uci")).to_have_count(0)
    ready(page)
    chosen.get_by_role("combobox").fill("hlgd_sample")
    expect(page.get_by_role("option")).to_have_text(["hlgd_sample"])
    page.get_by_role("option", name="hlgd_sample", exact=True).click()
    expect(chosen.get_by_text("hlgd_sample")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    ready(page)
    page.get_by_role("button", name="Start training").click()
    # The tab is closed and opened again while the model learns.
    expect(page.get_by_role("combobox", name="Run")).to_be_visible()
    page.goto("about:blank")
    page.goto(f"{app_url}/models?part=train")
    expect(page.get_by_text("Finished", exact=True)).to_be_visible(timeout=120_000)
    expect(page.get_by_test_id("stVegaLiteChart")).to_have_count(1)
    expect(page.get_by_text("finetuned.v1|model:").first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the model").click()
    assert download.value.suggested_filename.endswith(".zip")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete this run").click()
    expect(page.get_by_text("Nothing has been trained here yet.")).to_be_visible()


def test_the_system_of_the_empty_page_gets_its_place(page: Page, cold_url: str, tmp_path: Path) -> None:
    page.goto(f"{cold_url}/benchmark?part=leaderboard")
    expect(page.get_by_text("No system has been judged yet.")).to_be_visible()
    expect(page.get_by_test_id("stCode").first).to_contain_text("headline-lab judge --name")
    (tmp_path / "my_system.py").write_text(SYSTEM)
    options = ["--name", "Mine <b>bold</b>", "--articles", "sample:articles", "--quiet"]
    subprocess.run(
        [sys.executable, "-m", "cli", "judge", *options, "--", "python3", str(tmp_path / "my_system.py")],
        cwd=ROOT,
        env=os.environ | {"HEADLINE_LAB_USER": str(tmp_path / "user")},
        check=True,
        capture_output=True,
        timeout=250,
    )
    page.reload()
    table = page.get_by_test_id("stDataFrame").first
    expect(table).to_be_visible()
    expect(page.get_by_test_id("stVegaLiteChart")).to_be_visible()
    # The best is shown first; whose it is, the system's or the baseline's, is not the point here.
    heading = page.get_by_role("heading", level=2)
    expect(heading).to_have_text(re.compile("Mine <b>bold</b>|First sentence"))
    first = heading.inner_text().strip()
    other = "First sentence" if first.startswith("Mine") else "Mine <b>bold</b>"
    table.click(position={"x": 15, "y": 35 + 35 + 17})
    expect(heading).to_have_text(other)


LAB = "/consistency?lab=levenshtein.v1"


def open_lab(page: Page, url: str) -> None:
    opened(page, url + LAB, "Consistency")
    unfold(page, "For researchers")
    expect(page.get_by_test_id("stMetric").first).to_be_visible()


@pytest.mark.journey
def test_contradictions_are_stepped_through_and_swapped(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/consistency", "Consistency")
    expect(page.get_by_role("heading", name="The model contradicts itself")).to_be_in_viewport()
    said = page.get_by_role("heading", name="Same event?")
    before = re.findall(r"\d\.\d\d", said.inner_text())
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile(r"^2 of \d+ examples"))).to_be_visible()
    page.get_by_role("button", name="Previous").click()
    expect(page.get_by_text(re.compile(r"^1 of \d+ examples"))).to_be_visible()
    page.get_by_role("button", name="Swap").click()
    expect(said).to_contain_text(f"says {before[1]}; swapped, {before[0]}")
    ready(page)
    page.get_by_label("Headline B").fill(page.get_by_label("Headline A").input_value())
    expect(page.get_by_text("Its answer is “same event” either way.")).to_be_visible()
    ready(page)


def test_a_repair_leaves_no_broken_triangle_and_says_what_it_changed(page: Page, app_url: str) -> None:
    open_lab(page, app_url)
    show(page, "Repairs")
    expect(page.get_by_text("any transitive repair must change at least")).to_be_visible()
    expect(page.get_by_test_id("stVegaLiteChart")).to_have_count(2)
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
    opened(page, f"{app_url}/benchmark", "Benchmark")
    expect(page.get_by_text("F1 here, with its 95 % interval")).to_be_visible()
    expect(page.get_by_test_id("stDataFrame")).to_have_count(1)
    expect(page.get_by_text(re.compile(r"points of F1, 95 % interval"))).to_be_visible()
    assert saved(page, "LaTeX", tmp_path).name == "pair-benchmark-ecbplus.tex"
    assert saved(page, "All sets (LaTeX)", tmp_path).name == "pair-benchmark.tex"


def test_a_mistake_is_opened_and_tagged(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/benchmark", "Benchmark")
    show(page, "Mistakes")
    expect(page.get_by_text("people say different events")).to_be_visible()
    tags = page.get_by_role("combobox", name="Tags")
    tags.press_sequentially("too broad")
    page.get_by_role("option", name="too broad").click()
    tags.press("Escape")
    ready(page)
    show(page, "Disagreements")
    expect(page.get_by_test_id("stVegaLiteChart")).to_have_count(3)
    show(page, "Mistakes")
    expect(page.get_by_text("too broad").first).to_be_visible()
