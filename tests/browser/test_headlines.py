"""Compare and Evaluate: three systems beside each other, blind files, articles judged."""

import csv
import io
import json
import re

import pytest
from playwright.sync_api import expect

from core.headlines.opening import open_set
from tests.browser.steps import (
    MOST_CLICKS,
    clicks,
    counted,
    downloaded,
    opened,
    published,
    ready,
    said,
    show,
    turned,
    unfold,
)

pytestmark = pytest.mark.browser

ARTICLES, OUTPUTS = open_set("sample:articles")
NAMES = [one.system for one in OUTPUTS]


@pytest.mark.journey
def test_three_systems_stand_beside_each_other_and_arrow_keys_turn_pages(page, app_url):
    opened(page, app_url, "Timeline")
    counted(page)
    turned(page, "Compare")
    assert len(NAMES) >= 3
    for name in NAMES:
        head = page.locator(".st-key-compare-head")
        expect(head.get_by_text(name, exact=True)).to_be_visible()
    named = page.locator(".st-key-compare-table").get_by_text("ROUGE mean").filter(visible=True)
    expect(named).to_have_count(1)  # once for all figures of the table, in short at each
    scores = page.locator('[class*="st-key-cell-score-"]').filter(visible=True).all_inner_texts()
    assert scores
    assert all(score.startswith("ROUGE ") for score in scores)
    best = page.locator(".st-key-compare-head").get_by_text(re.compile(r"^[\d.]+ best$"))
    expect(best).to_have_css("font-weight", "600")
    shown = said(page)
    for row in range(3):
        assert ARTICLES.references[row][0] in shown
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Articles 9–16 of 40")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Articles 1–8 of 40")).to_be_visible()
    ready(page)
    show(page, "Scores")
    for name in NAMES:
        expect(page.get_by_test_id("stMain").get_by_text(name).first).to_be_attached()
    assert clicks(page) <= MOST_CLICKS


def test_a_phone_opens_with_what_is_found_and_changes_what_is_compared_on_a_press(page, app_url):
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, f"{app_url}/compare", "Compare")
    chosen = page.locator(".st-key-choice-compare")
    expect(page.locator(".st-key-compare-summary")).to_contain_text(f"{len(NAMES)} systems")
    key = page.locator(".st-key-compare-summary .stMarkdownColoredBackground")
    lines = key.evaluate_all("all => all.map((one) => getComputedStyle(one).textDecorationLine)")
    assert lines == ["none", "underline"], "what the article lacks is told by a line, too"
    expect(chosen).to_be_hidden()
    page.get_by_role("button", name="Change", exact=True).click()
    expect(chosen).to_be_visible()
    page.get_by_role("button", name="Done", exact=True).click()
    expect(chosen).to_be_hidden()


def test_blind_files_name_nobody(page, app_url, tmp_path):
    opened(page, f"{app_url}/compare?show=scores", "Compare")
    page.get_by_text("Blind", exact=True).click()
    expect(page).to_have_url(re.compile("blind=yes"))
    ready(page)
    toggle = page.locator(".st-key-compare-blind").get_by_text("Blind", exact=True).bounding_box()
    more = page.get_by_text("Load files or write headlines").bounding_box()
    assert toggle["x"] + toggle["width"] < more["x"]
    ready(page)
    blind = [downloaded(page, kind, tmp_path) for kind in ("JSON", "Every headline (CSV)")]
    blind += [published(page, "table", kind, tmp_path) for kind in ("CSV", "LaTeX", "SVG")]
    for text in [said(page), page.url, *blind]:
        assert not any(name in text for name in NAMES)
        assert not any(one.source in text for one in OUTPUTS)


def test_headlines_without_names_are_whole_and_what_the_article_lacks_has_a_line(page, app_url):
    page.set_viewport_size({"width": 820, "height": 1180})
    opened(page, f"{app_url}/compare?blind=yes", "Compare")
    written = page.locator(".st-key-compare-table [data-testid=stColumn]:not(:first-child) p")
    assert written.count() > 3
    assert not any(written.evaluate_all("all => all.map((one) => one.scrollHeight > one.clientHeight + 1)"))
    told = page.locator(".st-key-compare-summary .stMarkdownColoredBackground")
    expect(told).to_have_text(["in the article", "not in the article"])
    page.set_viewport_size({"width": 390, "height": 844})
    assert told.evaluate_all("all => all.every((one) => one.getClientRects().length === 1)")
    ready(page)
    assert page.get_by_role("button", name="Say which is better").bounding_box()["width"] > 350


def come_to_judge(page, address, judge):
    opened(page, address, "Annotate and judge")
    page.get_by_label("Your name or initials").fill(judge)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Judging as")).to_be_visible()
    ready(page)


_EDGE = """one => getComputedStyle(one.closest("[data-testid=stTextInputRootElement]")).borderTopColor"""


def test_a_name_that_is_refused_says_so_and_answers_have_room_in_a_narrow_window(page, browser, app_url):
    address = f"{app_url}/judge?part=evaluate&seed=29"
    come_to_judge(page, address, "Ida")
    page.keyboard.press("3")  # there is no number in it
    asked(page, "Headline 1 · How easily is it read and understood?")
    context = browser.new_context(viewport={"width": 820, "height": 1180})
    other = context.new_page()
    opened(other, address, "Annotate and judge")
    name = other.get_by_label("Your name or initials")
    asks = other.get_by_role("button", name="Start").bounding_box()
    field = name.bounding_box()
    assert asks["x"] > field["x"] + field["width"], "what comes next stands beside its field"
    edge = name.evaluate(_EDGE)
    page.keyboard.press("ArrowRight")
    asked(page, "Headline 1 · Are its numbers correct?")
    for width in (820, 390):
        for window in (page, other):
            window.set_viewport_size({"width": width, "height": 1180})
            ready(window)
        answers = page.locator(".st-key-evaluate-answers button")
        assert len({round(box["y"]) for box in (one.bounding_box() for one in answers.all())}) == 2
    name.fill("Ida")
    other.keyboard.press("Enter")
    why = other.get_by_text("has judged here before")
    expect(why).to_be_visible()
    assert name.evaluate(_EDGE) != edge
    other.keyboard.press("Tab")
    ready(other)
    name_box, link, go = (
        one.bounding_box()
        for one in (
            name.locator("xpath=ancestor::*[@data-testid='stTextInput']"),
            other.get_by_label("Your personal link"),
            other.get_by_role("button", name="Open", exact=True),
        )
    )
    assert link["x"] + link["width"] < go["x"], "the button of a field stands beside it"
    assert abs(go["y"] - link["y"]) < 12
    assert go["x"] + go["width"] == pytest.approx(name_box["x"] + name_box["width"], abs=2)
    below = why.bounding_box()["y"] - name.bounding_box()["y"] - name.bounding_box()["height"]
    assert 0 <= below < 40
    expect(other.get_by_text("3/60")).to_be_hidden()
    context.close()


def asked(page, question):
    expect(page.locator(".st-key-evaluate-asking").get_by_text(question)).to_be_visible()
    ready(page)


def judge_article(page, *, accuracy, best):
    """Answers everything about the open article by keys; readability is 4."""
    for number in (1, 2, 3):
        asked(page, f"Headline {number} · Are its numbers correct?")
        page.keyboard.press(accuracy)
        asked(page, f"Headline {number} · How easily is it read and understood?")
        page.keyboard.press("4")
    asked(page, "Which headline is the best?")
    page.keyboard.press(best)
    asked(page, "Which headline comes 2nd?")
    page.keyboard.press("1" if best != "1" else "2")
    asked(page, "This article is judged.")


def table(page, folder):
    rows = csv.DictReader(io.StringIO(published(page, "table", "CSV", folder)))
    return {row["system"]: row for row in rows}


@pytest.mark.journey
def test_two_articles_are_judged_blind_and_the_table_stands(page, app_url, tmp_path):
    come_to_judge(page, f"{app_url}/judge?part=evaluate&seed=11", "Ada")
    expect(page.get_by_text("0 of 40 articles judged")).to_be_visible()
    shown = [said(page)]
    judge_article(page, accuracy="2", best="1")
    expect(page.get_by_text("1 of 40 articles judged")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_text("Article 2 of 40")).to_be_visible()
    judge_article(page, accuracy="1", best="2")
    shown += [said(page), page.url, page.content()]
    assert not any(name in text for text in shown for name in NAMES)
    assert not any("Ada" in page.url for _ in shown)

    # A place that is given away is swapped, and undo brings it back.
    unfold(page, "All headlines and your answers")
    third = page.locator(".st-key-evaluate-headline-3")
    third.get_by_role("radio", name="best").click()
    ready(page)
    expect(third.get_by_role("radio", name="best")).to_be_checked()
    expect(page.locator(".st-key-evaluate-headline-2").get_by_role("radio", name="last")).to_be_checked()
    page.keyboard.press("u")
    expect(third.get_by_role("radio", name="last")).to_be_checked()
    ready(page)

    show(page, "Results")
    expect(page.get_by_test_id("stDataFrame")).to_have_count(2)
    rows = table(page, tmp_path)
    papers = [f"{name} (published)" for name in ("BART", "T5", "Pegasus", "SEASON", "BRIO")]
    assert sorted([*rows][: len(NAMES)]) == sorted(NAMES)
    assert [*rows][len(NAMES) :] == papers
    reasonable = [float(rows[name]["reasonableness"]) for name in [*rows][: len(NAMES)]]
    assert reasonable == sorted(reasonable, reverse=True)  # all else is equal
    ours = [rows[name] for name in NAMES]
    assert {float(row["numeral_accuracy"]) for row in ours} == {0.75}
    assert {float(row["readability"]) for row in ours} == {0.8}
    assert sum(float(row["reasonableness"]) for row in ours) == pytest.approx(2.0)
    assert {row["readability_missing"] for row in ours} == {"38"}
    brio = rows[papers[-1]]
    assert (brio["source"][:9], brio["numeral_accuracy"]) == ("published", "0.791")
    latex = published(page, "table", "LaTeX", tmp_path)
    assert all(name in latex for name in NAMES)
    assert "BRIO (published) & 79.1 & 65.2 & 63.5" in latex
    assert json.loads(downloaded(page, "JSON", tmp_path))["judges"] == {"Ada": 2}
