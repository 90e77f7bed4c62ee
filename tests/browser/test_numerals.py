"""The Numerals page in a real browser: marks and lines, the tree, pasted text, all headlines, downloads."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.headlines.reruns import open_set
from core.numerals.checks.opening import example
from tests.browser.steps import (
    LONG,
    MOST_CLICKS,
    alive,
    clicks,
    counted,
    downloaded,
    give,
    opened,
    ready,
    turned,
    unfold,
    watched,
)
from tests.hostile.corpus import MARKUP

pytestmark = pytest.mark.browser

ARTICLES, OUTPUTS = open_set("sample:articles")
NAMES = [one.system for one in OUTPUTS]
GUNMEN = (
    "At least 30 gunmen burst into a drug rehabilitation center in a Mexican border state capital and opened "
    "fire, killing 19 men and wounding four people, police said. Gunmen also killed 16 people in another "
    "drug-plagued northern city."
)
HEADLINES = "Headlines, one on each line"
TOUCHES = """(path) => {
  const box = path.getBBox();
  return [box.x, box.y, box.x + box.width, box.y + box.height];
}"""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A fresh visitor with a telephone in the dark theme."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark", has_touch=True)
    opened_page = context.new_page()
    opened_page.set_default_timeout(60_000)
    yield opened_page
    context.close()


def headline(page: Page) -> Locator:
    return page.locator(".linked .headline p")


def numerals(page: Page) -> Locator:
    return page.locator(".linked .headline button")


def sources(page: Page) -> Locator:
    return page.locator(".linked .article mark.chosen")


def check(page: Page, article: str, line: str) -> None:
    page.get_by_role("textbox", name="Article").fill(article)
    page.get_by_role("textbox", name=HEADLINES).fill(line)
    page.get_by_role("textbox", name=HEADLINES).press("Control+Enter")
    start = re.split("_|<", line)[0].strip()
    expect(headline(page)).to_contain_text(start[:20], timeout=LONG)
    ready(page)


@pytest.mark.journey
def test_ten_headlines_of_a_pasted_article_get_their_lights(page: Page, app_url: str) -> None:
    given = example()
    opened(page, app_url, "Timeline")
    counted(page)
    turned(page, "Check numbers")
    expect(page.get_by_text("Paste an article and the headlines")).to_be_visible()
    page.get_by_role("textbox", name="Article").fill(given.article)
    page.get_by_role("textbox", name=HEADLINES).fill("\n".join(given.headlines))
    page.get_by_role("button", name="Check the headlines").click()
    lights = page.locator(".rows .row")
    expect(page.get_by_text("10 headlines: ")).to_be_visible(timeout=LONG)
    ready(page)
    assert clicks(page) <= MOST_CLICKS
    page.get_by_text("found: nothing speaks against").click()
    expect(lights).to_have_count(len(given.headlines))
    lines = [row.get_by_role("heading", level=3).inner_text() for row in lights.all()]
    assert sorted(lines) == sorted(given.headlines)
    order = ["wrong", "check this", "supported", "found"]  # what needs attention first
    words = [row.locator(".word").inner_text().lower() for row in lights.all()]
    assert words == sorted(words, key=order.index)
    for row, word in zip(lights.all(), words, strict=True):
        assert row.locator(".sign").inner_text() == dict(zip(order, "✗?✓=", strict=True))[word]
        assert row.locator(".reason").inner_text()
    wrong = lights.filter(has_text="72 people injured")
    expect(wrong.locator(".word")).to_have_text("wrong")
    expect(wrong.locator("blockquote mark")).to_have_text("27")
    expect(wrong.locator("code").first).to_be_hidden()
    reached = wrong.locator("summary")
    reached.focus()
    page.keyboard.press("Enter")
    expect(wrong.get_by_text("probability that it is supported")).to_be_visible()
    expect(lights.first.locator("code").first).to_be_hidden()
    wrong.get_by_role("button", name="See it in the article").click()
    expect(headline(page)).to_contain_text("72", timeout=LONG)
    ready(page)
    page.get_by_role("button", name="All headlines").click()
    expect(lights.first).to_be_visible()
    assert "Hamburg" not in page.url


def test_a_number_is_joined_to_the_article_above_its_tree_and_exported(
    page: Page, app_url: str, tmp_path: Path
) -> None:
    opened(page, f"{app_url}/check_numbers?show=one", "Check numbers")
    expect(numerals(page)).to_have_count(1)
    expect(numerals(page)).to_contain_text("29%")
    expect(sources(page).first).to_contain_text("29%")
    lines = page.locator(".linked svg path.chosen")
    assert lines.count() == sources(page).count()
    frame = page.locator(".linked").bounding_box()
    button, mark = numerals(page).bounding_box(), sources(page).first.bounding_box()
    assert frame is not None
    assert button is not None
    assert mark is not None
    left, _, right, bottom = lines.first.evaluate(TOUCHES)
    assert abs(left + frame["x"] - (mark["x"] + mark["width"])) < 4
    assert abs(right + frame["x"] - button["x"]) < 4
    assert abs(bottom + frame["y"] - (mark["y"] + mark["height"])) < 8
    expect(page.locator(".tree .node.operator")).to_be_hidden()
    unfold(page, "Show the arithmetic")
    expect(page.locator(".tree .node.operator")).to_contain_text("Copy")
    told = json.loads(downloaded(page, "JSON", tmp_path))
    assert told["headlines"][0]["headline"] == ARTICLES.references[0][0]
    assert "29%" in downloaded(page, "Report (HTML)", tmp_path)
    page.goto((tmp_path / "numerals.html").as_uri())
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 number")


def test_lines_follow_when_the_article_is_scrolled_and_the_window_resized(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/check_numbers", "Check numbers")
    padding = "\n\n".join(f"Nothing was counted in this paragraph, {word}." for word in ["again"] * 30)
    check(page, f"{padding}\n\n{GUNMEN}\n\n{padding}", "Mexico Gunmen Kill 35")
    path = page.locator(".linked svg path").first
    assert page.locator(".linked .article").evaluate("box => box.scrollTop") > 0  # it went to what was chosen
    before = path.get_attribute("d")
    page.locator(".linked .article").evaluate("box => { box.scrollTop = 0; }")
    expect(path).not_to_have_attribute("d", before or "")
    box = page.locator(".linked .article").bounding_box()
    frame = page.locator(".linked").bounding_box()
    assert box is not None
    assert frame is not None
    assert path.evaluate(TOUCHES)[3] + frame["y"] <= box["y"] + box["height"] + 1
    scrolled = path.get_attribute("d")
    page.set_viewport_size({"width": 1_000, "height": 900})
    expect(path).not_to_have_attribute("d", scrolled or "")


def test_scripts_in_texts_do_not_run_and_nothing_is_asked_for(page: Page, app_url: str) -> None:
    harm = watched(page, app_url)
    hostile = [" ".join(text.split()) for text in MARKUP]
    opened(page, f"{app_url}/check_numbers", "Check numbers")
    check(page, f"{GUNMEN}\n\n" + "\n\n".join(hostile), "19 <img src=x onerror=alert(1)> killed")
    expect(numerals(page).first).to_contain_text("19")
    assert alive(page) == []
    rows = [
        {"text": f"{GUNMEN} {line}", "headline": f"{line} 35", "pred_<b>x</b>": f"19 {line}"}
        for line in hostile
        if any(map(str.isalnum, line))
    ]
    opened_file = "".join(json.dumps(row) + "\n" for row in rows).encode()
    opened(page, f"{app_url}/compare", "Compare")
    unfold(page, "Load files or write headlines")
    give(page, [("hostile.jsonl", opened_file)])
    page.get_by_role("button", name="Compare these").click()
    expect(page.get_by_text(f"{len(rows)} articles, 1 system")).to_be_visible()
    turned(page, "Check numbers")
    page.get_by_role("radio", name="One headline").click()
    expect(headline(page)).to_be_visible(timeout=LONG)
    ready(page)
    assert alive(page) == []
    page.get_by_role("radio", name="All headlines").click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=LONG)
    ready(page)
    assert alive(page) == []
    assert harm == []


def test_all_headlines_are_counted_and_exported(page: Page, app_url: str, tmp_path: Path) -> None:
    opened(page, f"{app_url}/check_numbers?show=all", "Check numbers")
    expect(page.get_by_text("160 headlines of 40 articles")).to_be_visible(timeout=LONG)
    expect(page.locator(".stVegaLiteChart")).to_have_count(5)
    expect(
        page.get_by_text(re.compile(r"^160 headlines: \d+ supported, \d+ found, \d+ to check"))
    ).to_be_visible()
    rows = list(csv.DictReader(downloaded(page, "CSV", tmp_path).splitlines()))
    assert [row["system"] for row in rows] == ["Original headline", *NAMES]
    assert all(
        int(row["numerals"])
        == sum(int(row[status]) for status in ("supported", "found", "check this", "wrong"))
        for row in rows
    )
    told = json.loads(downloaded(page, "JSON", tmp_path))
    assert [one["system"] for one in told["systems"]] == ["Original headline", *NAMES]
    latex = downloaded(page, "LaTeX", tmp_path)
    assert all(name in latex for name in NAMES)
    contradicted = list(csv.DictReader(downloaded(page, "Contradictions (CSV)", tmp_path).splitlines()))
    listed = list(csv.DictReader(downloaded(page, "Verdicts (CSV)", tmp_path).splitlines()))
    assert len(listed) == 160
    wrong = [row for row in listed if row["verdict"] == "wrong"]
    assert len(contradicted) == len(told["contradictions"]) == len(wrong)
    assert listed[0]["verdict"] in ("wrong", "check this")

    page.get_by_role("radio", name="Check this").click()
    ready(page)
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 16, box["y"] + 52)  # the box before the first line
    # A badge stands behind each number, so that only words between numbers are looked for.
    longest = max(re.split(r"\d\S*", listed[0]["headline"]), key=len)
    expect(headline(page)).to_contain_text(longest.strip()[:12])
    ready(page)
    expect(page.locator('.linked button[aria-pressed="true"]')).to_have_count(1)
    assert f"article={ARTICLES.ids[int(listed[0]['row'])]}" in page.url or listed[0]["row"] == "0"


def test_on_a_telephone_the_headline_stands_above_the_article(phone: Page, app_url: str) -> None:
    opened(phone, f"{app_url}/check_numbers?show=one", "Check numbers")
    line, article = headline(phone).bounding_box(), phone.locator(".linked .article").bounding_box()
    assert line is not None
    assert article is not None
    assert line["y"] + line["height"] <= article["y"]
    assert article["x"] + article["width"] <= 390
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    expect(phone.locator(".linked svg path.chosen").first).to_be_attached()
    numerals(phone).first.tap()
    ready(phone)
    expect(numerals(phone).first).to_have_attribute("aria-pressed", "true")
