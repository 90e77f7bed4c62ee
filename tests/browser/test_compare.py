"""The Compare page in a real browser: three systems on real articles, open and blind, and the table."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.headlines.duels import sides
from core.headlines.reruns import open_set
from core.results.render import delimited
from tests.browser.steps import LONG, alive, downloaded, give, opened, ready, said, show, unfold, watched
from tests.hostile.corpus import MARKUP

pytestmark = pytest.mark.browser

ARTICLES, OUTPUTS = open_set("sample:articles")
NAMES = [one.system for one in OUTPUTS]


def go_blind(page: Page) -> None:
    page.get_by_text("Blind", exact=True).click()
    expect(page).to_have_url(re.compile("blind=yes"))
    ready(page)


@pytest.mark.journey
def test_three_systems_stand_beside_each_other_and_arrow_keys_turn_pages(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/compare", "Compare")
    assert len(NAMES) >= 3
    for name in NAMES:
        head = page.locator(".st-key-compare-head")
        expect(head.get_by_text(name, exact=True)).to_be_visible()
    expect(page.locator(".st-key-compare-table").get_by_text("ROUGE mean")).to_have_count(9 * len(NAMES))
    shown = said(page)
    for row in range(3):
        assert ARTICLES.references[row][0] in shown
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Articles 9–16 of 40")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Articles 1–8 of 40")).to_be_visible()


def test_the_table_is_exported_open_and_blind(page: Page, app_url: str, tmp_path: Path) -> None:
    opened(page, f"{app_url}/compare", "Compare")
    show(page, "Scores")
    # Ours, system against system, and the paper's two tables of systems on such articles.
    expect(page.get_by_test_id("stDataFrame")).to_have_count(4)
    rows = list(csv.DictReader(downloaded(page, "CSV", tmp_path).splitlines()))
    assert [row["system"] for row in rows] == NAMES
    assert all(
        0 < float(row["rougeL_low"]) < float(row["rougeL"]) < float(row["rougeL_high"]) for row in rows
    )
    latex = downloaded(page, "LaTeX", tmp_path)
    assert r"\begin{tabular}" in latex
    assert all(name in latex for name in NAMES)
    told = json.loads(downloaded(page, "JSON", tmp_path))
    assert [one["system"] for one in told["systems"]] == NAMES

    go_blind(page)
    blind = [downloaded(page, kind, tmp_path) for kind in ("CSV", "LaTeX", "JSON", "Every headline (CSV)")]
    for text in [said(page), page.url, *blind]:
        assert not any(name in text for name in NAMES)
        assert not any(one.source in text for one in OUTPUTS)
    again = list(csv.DictReader(blind[0].splitlines()))
    assert sorted(row["rougeL"] for row in again) == sorted(row["rougeL"] for row in rows)


def test_files_are_loaded_whole_or_not_at_all_and_stay_text(page: Page, app_url: str) -> None:
    harm = watched(page, app_url)
    hostile = [" ".join(text.split()) for text in MARKUP if len(text.split()) and any(map(str.isalnum, text))]
    rows = [{"id": str(at), "text": f"{line} and more.", "headline": line} for at, line in enumerate(hostile)]
    articles = "".join(json.dumps(row) + "\n" for row in rows).encode()
    outputs = "".join(
        json.dumps({"id": str(at), "system": system, "headline": f"{line} again"}) + "\n"
        for system in ("https://evil.example/a.png", "**bold** :smile: [x](https://evil.example)")
        for at, line in enumerate(hostile)
    ).encode()

    opened(page, f"{app_url}/compare", "Compare")
    unfold(page, "Load files or write headlines")
    expect(page.get_by_test_id("stFileUploader")).to_have_count(1)
    give(page, [("short.txt", b"one line\n")])
    page.get_by_role("button", name="Add these headlines").click()
    expect(page.get_by_text("Nothing was loaded.", exact=True)).to_be_visible()
    expect(page.get_by_text("1 headlines for the 40 articles")).to_be_visible()

    opened(page, f"{app_url}/compare", "Compare")
    unfold(page, "Load files or write headlines")
    give(page, [("hostile.jsonl", articles)])
    page.get_by_role("button", name="Compare these").click()
    expect(page.get_by_text(f"{len(rows)} articles are open, and no headlines yet")).to_be_visible()
    ready(page)
    give(page, [("systems.jsonl", outputs)])
    page.get_by_role("button", name="Add these headlines").click()
    expect(page.get_by_text(f"{len(rows)} articles, 2 systems")).to_be_visible()
    ready(page)
    assert alive(page) == []
    for view in ("Scores", "Where they differ", "Vote", "Headlines"):
        show(page, view)
        assert alive(page) == []
    page.get_by_role("button", name="Read").nth(1).click()
    expect(page.get_by_text("Compared with the article")).to_be_visible()
    ready(page)
    assert alive(page) == []
    assert harm == []


def test_votes_are_cast_by_key_blind_and_exported(page: Page, app_url: str, tmp_path: Path) -> None:
    opened(page, f"{app_url}/compare?show=vote", "Compare")
    first = ARTICLES.ids[0]
    left, right = sides(OUTPUTS[0].fingerprint, OUTPUTS[1].fingerprint, first)
    by_print = {one.fingerprint: one for one in OUTPUTS}
    expect(page.locator(".st-key-vote-left")).to_contain_text(by_print[left].headlines[0][:20])
    for key in ("1", "3", "4"):
        page.keyboard.press(key)
        ready(page)
    expect(page.get_by_text("Article 4 of 40 · 3 voted on")).to_be_visible()
    unfold(page, "Result of 3 votes")
    expect(page.get_by_text("draws 1 · both bad 1")).to_be_visible()
    rows = list(csv.DictReader(downloaded(page, "Votes (CSV)", tmp_path).splitlines()))
    assert [row["vote"] for row in rows] == ["left", "draw", "bad"]
    assert rows[0]["left_system"] == rows[0]["better"] == by_print[left].system
    assert rows[0]["right_headline"] == by_print[right].headlines[0]
    show(page, "Scores")
    told = json.loads(downloaded(page, "JSON", tmp_path))
    assert [one["vote"] for one in told["votes"]] == ["left", "draw", "bad"]

    go_blind(page)
    assert not any(name in downloaded(page, "Votes (CSV)", tmp_path) for name in NAMES)


def test_yesterday_s_run_is_laid_beside_today_s(page: Page, app_url: str, tmp_path: Path) -> None:
    changed = {0: "Nobody knows the VP", 5: "Conan speaks"}
    heads = [changed.get(row, headline) for row, headline in enumerate(OUTPUTS[2].headlines)]
    given = [one[0] for one in ARTICLES.references]
    rows = list(zip(ARTICLES.ids, given, heads, strict=True))
    yesterday = delimited([["id", "reference", OUTPUTS[2].system], *rows[::-1]])
    opened(page, f"{app_url}/compare", "Compare")
    unfold(page, "Load files or write headlines")
    give(page, [("yesterday.csv", yesterday.encode())])
    expect(page.get_by_role("radio", name="Another run of the systems of")).to_be_checked()
    page.get_by_role("button", name="Compare the two runs").click()
    expect(page.get_by_text("2 of 40 headlines changed.")).to_be_visible(timeout=LONG)
    ready(page)
    expect(page.get_by_text(re.compile(r"ROUGE mean went from .* to .*: .*\[.*\]"))).to_be_visible()
    expect(page.locator(".st-key-change-5")).to_contain_text(changed[5])
    found = list(csv.DictReader(downloaded(page, "Changes (CSV)", tmp_path).splitlines()))
    assert {row["before"] for row in found} == set(changed.values())
    assert {row["after"] for row in found} == {OUTPUTS[2].headlines[0], OUTPUTS[2].headlines[5]}
