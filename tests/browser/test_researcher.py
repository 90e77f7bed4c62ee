"""The researcher: a scorer in one file, a model killed and resumed, both compared and exported."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.data.pair_sets.load import load_pair_set
from research.runs.run_folder import RunFolder, RunState
from tests.browser.serving import made
from tests.browser.steps import LONG, metric, opened, ready, said, saved, unfold
from tests.docs import following

# A whole day: it trains, waits for four commands and measures.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

TRAINING = ("--max-pairs", "96", "--epochs", "2", "--patience", "0", "--quiet")


@dataclass(frozen=True)
class Lab:
    """A copy of the project with the new scorer, the app that runs in it, and the folders that both share."""

    tree: Path
    url: str
    folder: Path

    def started(self, *words: str) -> subprocess.Popen[str]:
        # Checkpoints every second, so that there is a middle to be killed in.
        environment = {
            "HEADLINE_LAB_CACHE": str(self.folder / "cache"),
            "HEADLINE_LAB_USER": str(self.folder / "user"),
            "HEADLINE_LAB_RUNS": str(self.folder / "runs"),
            "HEADLINE_LAB_CHECKPOINT_SECONDS": "1",
        }
        return subprocess.Popen(
            [sys.executable, "-m", "cli", *words],
            cwd=self.tree,
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def told(self, *words: str) -> str:
        """What the command printed; it has to succeed."""
        command = self.started(*words)
        out, err = command.communicate()
        assert command.returncode == 0, out + err
        return out


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("researcher")
    tree = following.copied(tmp_path_factory.mktemp("copy") / "tree")
    following.followed(following.page("add_a_scorer.md"), tree)
    with made(folder, tree) as url:
        yield Lab(tree, url, folder)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of real pairs with dates and labels, and without parts."""
    known = load_pair_set("uci|most_positives:60")
    days = [(date(1970, 1, 1) + timedelta(days=int(day))).isoformat() for day in known.days.tolist()]
    file = tmp_path_factory.mktemp("pairs") / "mine.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out)
        table.writerow(["headline_a", "headline_b", "date_a", "date_b", "label"])
        for left, right, label in zip(
            known.left.tolist(), known.right.tolist(), known.labels.tolist(), strict=True
        ):
            table.writerow([known.texts[left], known.texts[right], days[left], days[right], label])
    return file


def kill_in_the_middle(lab: Lab, out: Path) -> None:
    """Trains on the pairs by the command and ends its process once there is a checkpoint."""
    training = lab.started("train", "pair", "mine", "--out", str(out), *TRAINING)
    try:
        deadline = time.monotonic() + 200
        while not (out / "checkpoint/state.json").exists() and time.monotonic() < deadline:
            assert training.poll() is None, training.communicate()
            time.sleep(0.02)
    finally:
        training.kill()
        training.wait()
    assert RunFolder(out).state() is RunState.STOPPED
    assert not (out / "model").exists()


def choose(page: Page, names: list[str]) -> None:
    systems = page.get_by_test_id("stMultiSelect").filter(has_text="Systems")
    systems.get_by_role("button", name="Clear all").click()
    for name in names:
        systems.get_by_role("combobox").fill(name)
        page.get_by_role("option", name=name, exact=True).click()
    page.keyboard.press("Escape")
    ready(page)


def test_the_day(lab: Lab, page: Page, pairs: Path, tmp_path: Path) -> None:
    # The pairs get a name on the page, and the command knows it.
    opened(page, f"{lab.url}/benchmark", "Benchmark")
    unfold(page, "Your own pairs")
    page.locator('input[type="file"]').set_input_files(pairs)
    expect(page.get_by_text("These pairs are now called mine.")).to_be_visible()
    assert "train" in lab.told("pairs", "stats", "mine")

    # The run of the command is on the page, says that it was ended, and goes on there.
    run = tmp_path / "killed"
    kill_in_the_middle(lab, run)
    opened(page, f"{lab.url}/models?part=train", "Models")
    assert metric(page, "State") == "Stopped"
    expect(page.get_by_text("Training ended before it had finished.")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("Finished", exact=True)).to_be_visible(timeout=LONG)
    signature = f"finetuned.v1|model:{run / 'model'}"
    expect(page.get_by_text(signature).first).to_be_visible()

    # Scorer and model beside a known system, with intervals.
    page.get_by_role("button", name="Measure it on pairs").click()
    expect(page.get_by_text("Nothing was measured on this set yet.")).to_have_count(0)
    opened(page, f"{lab.url}/benchmark", "Benchmark")
    page.get_by_role("combobox", name="Pair set").fill("mine")
    page.get_by_role("option", name=re.compile("^mine( ·|$)")).click()
    ready(page)
    choose(page, ["Bi-encoder cosine", "Shared words", "Finetuned, trained as killed"])
    command = shlex.split(page.get_by_test_id("stCode").inner_text())
    page.get_by_role("button", name="Measure", exact=True).click()
    expect(page.get_by_text("points of F1, 95 % interval")).to_be_visible(timeout=LONG)
    ready(page)
    assert "Finetuned, trained as killed − Shared words" in said(page)
    figures = saved(page, "CSV", tmp_path).read_text(encoding="utf-8")
    latex = saved(page, "LaTeX", tmp_path).read_text(encoding="utf-8")
    rows = {row["name"]: row for row in csv.DictReader(figures.splitlines())}
    mine = ["Bi-encoder cosine", "Shared words", "Finetuned, trained as killed"]
    assert sorted(rows) == sorted([*mine, "Always yes", "Most frequent answer"])
    assert all(float(rows[n]["f1_low"]) <= float(rows[n]["f1"]) <= float(rows[n]["f1_high"]) for n in mine)
    assert "shared_words.v1|shortest:2" in rows["Shared words"]["signature"]
    assert signature in rows["Finetuned, trained as killed"]["signature"]

    # The command that the page names gives the same, to the byte.
    assert command[:2] == ["headline-lab", "benchmark"]
    again = tmp_path / "again.csv"
    lab.told(*command[1:-1], str(tmp_path / "again.tex"), "--csv", str(again), "--quiet")
    assert again.read_text(encoding="utf-8") == figures
    assert (tmp_path / "again.tex").read_text(encoding="utf-8") == latex

    # Flips and triangles of the trained model, on both ways.
    opened(page, f"{lab.url}/models?part=train", "Models")
    page.get_by_role("button", name="Look for contradictions").click()
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text("Consistency")
    ready(page)
    unfold(page, "For researchers")
    expect(page.get_by_test_id("stMetric").filter(has_text="Broken triangles")).to_be_visible(timeout=LONG)
    told = json.loads(lab.told("consistency", "sample:iss", "--scorer", signature, "--json", "--quiet"))
    assert int(metric(page, "Broken triangles").replace(",", "")) == told["census"]["110"]
    assert signature in told["signature"]
    assert told["signature"] in said(page)
