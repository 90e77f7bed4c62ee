"""The Compare page in a real browser: three systems on real articles, votes by key, and blind files."""

import csv
import json
import re

import pytest
from playwright.sync_api import expect

from core.headlines.duels import sides
from core.headlines.reruns import open_set
from tests.browser.steps import downloaded, opened, ready, said, show, unfold

pytestmark = pytest.mark.browser

ARTICLES, OUTPUTS = open_set("sample:articles")
NAMES = [one.system for one in OUTPUTS]


@pytest.mark.journey
def test_three_systems_stand_beside_each_other_and_arrow_keys_turn_pages(page, app_url):
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


def test_votes_are_cast_by_key_and_blind_files_name_nobody(page, app_url, tmp_path):
    opened(page, f"{app_url}/compare?show=vote", "Compare")
    left, right = sides(OUTPUTS[0].fingerprint, OUTPUTS[1].fingerprint, ARTICLES.ids[0])
    by_print = {one.fingerprint: one for one in OUTPUTS}
    expect(page.locator(".st-key-vote-left")).to_contain_text(by_print[left].headlines[0][:20])
    for key in ("1", "3", "4"):
        page.keyboard.press(key)
        ready(page)
    expect(page.get_by_text("Article 4 of 40 · 3 voted on")).to_be_visible()
    unfold(page, "Result of 3 votes")
    rows = list(csv.DictReader(downloaded(page, "Votes (CSV)", tmp_path).splitlines()))
    assert [row["vote"] for row in rows] == ["left", "draw", "bad"]
    assert rows[0]["left_system"] == rows[0]["better"] == by_print[left].system
    assert rows[0]["right_headline"] == by_print[right].headlines[0]
    page.get_by_text("Blind", exact=True).click()
    expect(page).to_have_url(re.compile("blind=yes"))
    ready(page)
    blind = [downloaded(page, "Votes (CSV)", tmp_path)]
    show(page, "Scores")
    blind += [downloaded(page, kind, tmp_path) for kind in ("CSV", "LaTeX", "JSON", "Every headline (CSV)")]
    assert [one["vote"] for one in json.loads(blind[3])["votes"]] == ["left", "draw", "bad"]
    for text in [said(page), page.url, *blind]:
        assert not any(name in text for name in NAMES)
        assert not any(one.source in text for one in OUTPUTS)
