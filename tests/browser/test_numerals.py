"""The page that checks numbers in a real browser: lights of pasted text, and letters that join."""

import json
import re

import pytest
from playwright.sync_api import expect

from components.headlines.numerals.lights import worth
from core.headlines.opening import open_set
from core.numerals.checks.opening import example
from core.numerals.worth import light_worth
from tests.browser import steps

pytestmark = pytest.mark.browser

ARTICLES, _ = open_set("sample:articles")
HEADLINES = "Headlines, one on each line"
APART = """badges => badges.filter((badge) => {
  const before = document.createRange();
  before.selectNodeContents(badge.parentElement);
  before.setEndBefore(badge);
  const [word] = [...before.getClientRects()].slice(-1);
  return word && badge.getBoundingClientRect().top >= word.bottom;
}).map((badge) => badge.parentElement.textContent)"""
"""Badges that stand below the end of their words."""
WITHOUT_BADGES = """line => {
  const bare = line.cloneNode(true);
  for (const badge of bare.querySelectorAll("sup")) badge.remove();
  return bare.textContent;
}"""


def headline(page):
    return page.locator(".linked .headline p")


def numerals(page):
    return page.locator(".linked .headline button")


def sources(page):
    return page.locator(".linked .article mark.chosen")


def drawn_headline(page):
    """The headline that is looked at, without the letters of its numbers."""
    return headline(page).evaluate(WITHOUT_BADGES)


@pytest.mark.journey
def test_ten_headlines_of_a_pasted_article_get_their_lights(page, app_url):
    given = example()
    steps.opened(page, app_url, "Timeline")
    steps.counted(page)
    steps.turned(page, "Check numbers")
    expect(page.get_by_text("Paste an article and the headlines")).to_be_visible()
    page.get_by_role("textbox", name="Article").fill(given.article)
    page.get_by_role("textbox", name=HEADLINES).fill("\n".join(given.headlines))
    page.get_by_role("button", name="Check the headlines").click()
    lights = page.locator(".rows .row")
    expect(page.get_by_text("10 headlines: ")).to_be_visible(timeout=steps.LONG)
    steps.ready(page)
    assert steps.clicks(page) <= steps.MOST_CLICKS
    if not page.locator(".st-key-numerals-rows-found .row").first.is_visible():
        page.get_by_text("only found: nothing speaks against").click()
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
    # Verdicts are left of the article, which stays in sight beside the last, and on a phone the sign is in
    # the headline's line.
    lights.last.scroll_into_view_if_needed()
    assert lights.last.bounding_box()["x"] < page.get_by_role("textbox", name="Article").bounding_box()["x"]
    expect(page.get_by_role("textbox", name="Article")).to_be_in_viewport()
    page.set_viewport_size({"width": 390, "height": 844})
    sign, words = (wrong.locator(part).bounding_box() for part in (".sign", "h3 mark"))
    assert sign["x"] + sign["width"] <= words["x"]
    assert abs(sign["y"] + sign["height"] / 2 - words["y"] - words["height"] / 2) < 6
    expect(wrong.locator(".reason")).to_contain_text("Wrong. ", use_inner_text=True)
    for button in wrong.get_by_role("button").all():
        assert button.bounding_box()["height"] >= 44
    page.set_viewport_size({"width": 1280, "height": 900})
    wrong.get_by_role("button", name="See it in the article").focus()
    page.keyboard.press("Enter")
    expect(headline(page)).to_contain_text("72", timeout=steps.LONG)
    steps.ready(page)
    # The row before and the next are a press away, and those that follow stand below.
    place = page.get_by_text(re.compile(r"^\d+ of 10$"))
    at = int(place.inner_text().split()[0])
    following = page.locator(".st-key-numerals-rows-next .row h3").first.inner_text()
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text(f"{at + 1} of 10", timeout=steps.LONG)
    steps.ready(page)
    assert drawn_headline(page) == following
    assert set(page.locator(".linked .article sup").all_inner_texts()) == {"a"}
    page.get_by_role("button", name="Back to the 10 headlines").click()
    expect(lights.first).to_be_visible()
    assert "Hamburg" not in page.url


def test_a_phone_has_what_was_found_at_its_top_and_the_form_on_a_press(page, app_url):
    page.set_viewport_size({"width": 390, "height": 844})
    steps.opened(page, f"{app_url}/check_numbers", "Check numbers")
    box, check = (
        page.get_by_role("textbox", name="Article"),
        page.get_by_role("button", name="Check the headlines"),
    )
    box.fill(example().article)
    page.get_by_role("textbox", name=HEADLINES).fill("\n".join(example().headlines))
    for _ in range(2):
        check.click()
        expect(page.locator(".rows .row").first).to_be_in_viewport(timeout=steps.LONG)
        steps.ready(page)
        expect(box).to_be_hidden()
        page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
        assert page.locator(".rows .row").first.bounding_box()["y"] < 300
        page.get_by_role("button", name="Change", exact=True).click()
        expect(box).to_be_visible()
        steps.ready(page)
    expect(box).to_have_value(example().article)


def test_the_right_number_is_put_in_and_taken_back(page, app_url):
    filler = "\n\n".join(f"Paragraph {word} tells of the weather." for word in "ABCDEFGHIJKLMNOP")
    article = f"{filler}\n\nThe race in Lodz had 14,300 runners. The hall held 9,870 fans.\n\n{filler}"
    steps.opened(page, f"{app_url}/check_numbers", "Check numbers")
    box = page.get_by_role("textbox", name="Article")
    box.fill(article)
    headlines = page.get_by_role("textbox", name=HEADLINES)
    headlines.fill("Race in Lodz draws 1,430 runners\nHall holds 9,870 fans")
    page.get_by_role("button", name="Check the headlines").click()
    use = page.get_by_role("button", name="Use it in the headline")
    expect(use).to_have_count(1, timeout=steps.LONG)
    # What is quoted is in sight.
    ends = box.evaluate("(box) => [box.scrollTop, box.scrollHeight - box.clientHeight]")
    assert 0.2 < ends[0] / ends[1] < 0.8
    use.click()
    expect(headlines).to_have_value("Race in Lodz draws 14,300 runners\nHall holds 9,870 fans")
    expect(use).to_have_count(0, timeout=steps.LONG)
    page.get_by_role("button", name="Undo the change").click()
    expect(headlines).to_have_value("Race in Lodz draws 1,430 runners\nHall holds 9,870 fans")
    expect(use).to_have_count(1, timeout=steps.LONG)


def test_one_pasted_headline_has_its_verdict_once_and_on_a_phone_what_can_be_done_above_the_article(
    page, app_url
):
    steps.opened(page, f"{app_url}/check_numbers", "Check numbers")
    page.get_by_role("textbox", name="Article").fill(example().article)
    page.get_by_role("textbox", name=HEADLINES).fill("72 people injured as ferry strikes pier in Hamburg")
    page.get_by_role("button", name="Check the headlines").click()
    quoted = page.locator(".linked .verdict blockquote mark.rival")
    expect(quoted).to_contain_text("27", timeout=steps.LONG)
    steps.ready(page)
    assert quoted.inner_text() == sources(page).inner_text()
    expect(page.locator(".rows .row")).to_have_count(0)
    assert sources(page).locator("sup").inner_text() == numerals(page).locator("sup").inner_text()
    field, article = page.get_by_role("textbox", name=HEADLINES), page.get_by_role("textbox", name="Article")
    assert field.bounding_box()["y"] == pytest.approx(article.bounding_box()["y"], abs=1)
    answer, read = (
        page.locator(".linked .said").bounding_box(),
        page.locator(".linked .article").bounding_box(),
    )
    assert field.bounding_box()["x"] == pytest.approx(answer["x"], abs=1), "the answer is below its headline"
    assert answer["x"] + answer["width"] < read["x"]
    page.set_viewport_size({"width": 390, "height": 844})
    use = page.get_by_role("button", name="Use it in the headline")
    expect(use).to_be_in_viewport()
    verdict, text = (page.locator(f".linked .{part}").bounding_box() for part in ("verdict h2", "article"))
    assert verdict["y"] < use.bounding_box()["y"] < text["y"]
    assert use.bounding_box()["height"] >= 44
    use.click()
    expect(field).to_have_value("27 people injured as ferry strikes pier in Hamburg")


def test_what_is_typed_is_there_when_one_comes_back(page, app_url):
    steps.opened(page, app_url, "Timeline")
    steps.turned(page, "Check numbers")
    written = {"Article": example().article, HEADLINES: "\n".join(example().headlines)}
    for name, text in written.items():
        page.get_by_role("textbox", name=name).fill(text)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("10 headlines: ")).to_be_visible(timeout=steps.LONG)

    def type_and_leave(leave, come_back):
        for name in written:
            field = page.get_by_role("textbox", name=name)
            field.press("Control+End")
            field.press_sequentially("\nOne more line")
            written[name] = field.input_value()
            leave()
            steps.ready(page)
            come_back()
            steps.ready(page)
            for label, text in written.items():
                expect(page.get_by_role("textbox", name=label)).to_have_value(text)

    type_and_leave(lambda: steps.turned(page, "Compare"), lambda: steps.turned(page, "Check numbers"))
    see, back = (page.get_by_role("button", name=name) for name in ("See it in the article", "Back to"))
    type_and_leave(see.first.click, back.click)


def test_a_number_is_joined_to_the_article_and_exported(page, app_url, tmp_path):
    steps.opened(page, f"{app_url}/check_numbers?show=one", "Check numbers")
    expect(numerals(page)).to_have_count(1)
    expect(numerals(page)).to_contain_text("29%")
    expect(sources(page).first).to_contain_text("29%")
    # The letter and the frame are the same at both, and nothing is drawn across the page.
    letter = numerals(page).locator("sup").inner_text()
    assert set(sources(page).locator("sup").all_inner_texts()) == {letter}
    for one in (numerals(page), *sources(page).all()):
        assert one.evaluate("mark => getComputedStyle(mark).boxShadow") != "none"
    expect(page.locator(".linked svg")).to_have_count(0)
    said, fold = page.locator(".linked .verdict blockquote"), page.locator(".st-key-numerals-arithmetic")
    expect(said.first).to_be_hidden()  # its sentence is in the article beside it
    words = page.get_by_test_id("stMain").inner_text() + "".join(page.locator(".linked").all_inner_texts())
    light = page.locator(".linked .verdict h2").inner_text().split()[-1]
    for each, (rate, counted) in worth(light_worth()).items():
        assert (rate.rpartition(" ")[0] in words) == (each == light)
        assert counted not in words, "one figure says how sure a verdict is"
    assert "robability" not in words
    verdict, beside = (
        page.locator(".linked .verdict").bounding_box(),
        page.locator(".linked .article").bounding_box(),
    )
    assert verdict["y"] + verdict["height"] < fold.bounding_box()["y"] < beside["y"] + beside["height"]
    assert fold.bounding_box()["x"] + fold.bounding_box()["width"] < beside["x"]
    for width in range(320, 400, 10):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.locator(".linked sup").evaluate_all(APART) == [], "a badge begins a line of its own"
    page.set_viewport_size({"width": 390, "height": 844})
    expect(said.first).to_be_visible()  # the article is below
    words = page.locator(".linked :is(.headline p, .verdict p)")
    assert {round(line.bounding_box()["x"]) for line in words.all()} == {16}
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".tree .node.operator")).to_be_hidden()
    steps.unfold(page, "Show the arithmetic")
    expect(page.locator(".tree .node.operator")).to_contain_text("Copy")
    told = json.loads(steps.downloaded(page, "JSON", tmp_path))
    assert told["headlines"][0]["headline"] == ARTICLES.references[0][0]
    assert "29%" in steps.downloaded(page, "Report (HTML)", tmp_path)

    page.goto((tmp_path / "numerals.html").as_uri())
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 number")
    assert steps.violations(page) == []


def test_a_fact_is_corrected_by_keyboard_and_comes_back_after_a_reload(page, app_url):
    address = f"{app_url}/check_numbers?show=one"
    steps.opened(page, address, "Check numbers")
    fold, corrected = (
        page.locator(".st-key-numerals-facts summary"),
        page.get_by_text("corrected to “30%” here"),
    )
    fold.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible(timeout=steps.LONG)
    steps.ready(page)
    numbers = page.get_by_test_id("data-grid-canvas").locator("tbody td[aria-colindex='1']")
    stated = numbers.all_inner_texts()
    assert stated[4] == "29%"
    for typed in ("<b>", "30"):
        while page.evaluate("document.activeElement.dataset.testid") != "data-grid-canvas":
            page.keyboard.press("Tab")
        for _ in range(4):  # from 1,000 to 29%
            page.keyboard.press("ArrowDown")
        page.keyboard.type(typed, delay=100)
        page.keyboard.press("Enter")
        if typed == "<b>":
            expect(page.get_by_text("“<b>” is not a number.")).to_be_visible(timeout=steps.LONG)
            steps.settled(page)
            assert numbers.all_inner_texts() == stated
    expect(corrected.first).to_be_visible(timeout=steps.LONG)
    says = re.compile("The article says “29%”; corrected to “30%” here.")
    expect(numerals(page)).to_have_attribute("title", says)
    steps.opened(page, address, "Check numbers")
    expect(corrected.first).to_be_visible(timeout=steps.LONG)
    page.get_by_role("button", name="Undo the last").click()
    expect(corrected).to_have_count(0)
    expect(numerals(page)).not_to_have_attribute("title", says)
