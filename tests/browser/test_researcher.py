"""The researcher: pairs of one's own, measured on a page and by the command that the page names."""

import csv
import os
import re
import shlex
import subprocess
import sys
from datetime import date, timedelta

import pytest
from playwright.sync_api import expect

from core.data.pair_sets.load import load_pair_set
from core.files import ROOT
from tests.browser.steps import LONG, opened, published, ready, said, unfold

pytestmark = pytest.mark.browser


def pairs(folder):
    """A table of real pairs with dates and labels, and without parts."""
    known = load_pair_set("uci|most_positives:20")
    days = [(date(1970, 1, 1) + timedelta(days=int(day))).isoformat() for day in known.days.tolist()]
    file = folder / "mine.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out)
        table.writerow(["headline_a", "headline_b", "date_a", "date_b", "label"])
        for left, right, label in zip(
            known.left.tolist(), known.right.tolist(), known.labels.tolist(), strict=True
        ):
            table.writerow([known.texts[left], known.texts[right], days[left], days[right], label])
    return file


def choose(page, names):
    systems = page.get_by_test_id("stMultiSelect").filter(has_text="Systems")
    systems.get_by_role("button", name="Clear all").click()
    for name in names:
        systems.get_by_role("combobox").fill(name)
        page.get_by_role("option", name=name, exact=True).click()
    page.keyboard.press("Escape")
    ready(page)


def measured(table):
    """What does not depend on how busy the machine is."""
    busy = ("pairs_per_second", "memory_mb")
    return [{k: v for k, v in row.items() if k not in busy} for row in csv.DictReader(table.splitlines())]


def test_what_a_page_measures_the_command_that_it_names_gives_again(page, app_url, app_folder, tmp_path):
    opened(page, f"{app_url}/benchmark", "Benchmark")
    unfold(page, "Your own pairs")
    page.locator('input[type="file"]').set_input_files(pairs(tmp_path))
    expect(page.get_by_text("These pairs are now called mine.")).to_be_visible()
    opened(page, f"{app_url}/benchmark", "Benchmark")
    page.get_by_role("combobox", name="Pair set").fill("mine")
    page.get_by_role("option", name=re.compile("^mine( ·|$)")).click()
    ready(page)
    choose(page, ["Bi-encoder cosine", "TF-IDF"])
    command = shlex.split(page.get_by_test_id("stCode").inner_text())
    page.get_by_role("button", name="Measure", exact=True).click()
    expect(page.get_by_text("points of F1, 95 % interval")).to_be_visible(timeout=LONG)
    ready(page)
    assert "TF-IDF" in said(page)
    figures, latex = (published(page, "table", kind, tmp_path) for kind in ("CSV", "LaTeX"))
    rows = {row["name"]: row for row in csv.DictReader(figures.splitlines())}
    assert sorted(rows) == ["Always yes", "Bi-encoder cosine", "Most frequent answer", "TF-IDF"]
    for name in ("Bi-encoder cosine", "TF-IDF"):
        assert float(rows[name]["f1_low"]) <= float(rows[name]["f1"]) <= float(rows[name]["f1_high"])
    assert command[:2] == ["headline-lab", "benchmark"]
    again = tmp_path / "again.csv"
    subprocess.run(
        [sys.executable, "-m", "cli", *command[1:-1], tmp_path / "again.tex", "--csv", again, "--quiet"],
        cwd=ROOT,
        # Of the same vectors: how they are rounded depends on what was read beside them.
        env=os.environ
        | {"HEADLINE_LAB_USER": str(app_folder / "user"), "HEADLINE_LAB_CACHE": str(app_folder / "cache")},
        check=True,
        capture_output=True,
    )
    assert measured(again.read_text(encoding="utf-8")) == measured(figures)
    assert "TF-IDF" in latex
    assert "TF-IDF" in (tmp_path / "again.tex").read_text(encoding="utf-8")
