"""Own questions, from their fields to a participant's answers."""

import csv
import io

import pytest
from playwright.sync_api import expect

from tests.browser.steps import downloaded, opened, ready

pytestmark = pytest.mark.browser

OUTPUTS = b"""id,text,North,South
1,The bank raised rates to 3 percent.,Bank raises rates to 3 percent,Rates of the bank rise a lot
"""


def fill(page, label, text, *, nth=0):
    box = page.get_by_label(label, exact=True).nth(nth)
    box.fill(text)
    box.press("Control+Enter" if "Answers" in label else "Enter")
    ready(page)


def choose(page, field, option):
    page.locator(f".st-key-form-field-{field}").get_by_role("combobox").click()
    page.keyboard.type(option)
    page.keyboard.press("Enter")
    ready(page)


def press(page, name):
    page.get_by_role("button", name=name, exact=True).first.click()
    ready(page)


def build(page, title):
    """A form with three questions: one of several by keys, marked words, and a number after an answer."""
    press(page, "Your own questions")
    fill(page, "Title of the form", title)
    fill(page, "Answers, one a line", "p = politics\nm = money")
    press(page, "Add a question")
    fill(page, "Question 2", "Which words say how much?")
    choose(page, "gives-1", "Marked words of the headline")
    press(page, "Add a question")
    fill(page, "Question 3", "How many numbers has it?")
    choose(page, "gives-2", "A number")
    choose(page, "when-2", "1: money")
    page.keyboard.press("Escape")
    ready(page)


def start(page):
    press(page, "A table of your own")
    file = {"name": "own.csv", "mimeType": "text/csv", "buffer": OUTPUTS}
    page.get_by_test_id("stPopoverBody").get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    ready(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox", name="Articles")).to_have_value("own.csv")
    press(page, "Start the study")
    expect(page.get_by_text("Link for participants")).to_be_visible()
    return page.locator(".st-key-study-link code").inner_text().strip()


@pytest.mark.parametrize("width", [390, 1280])
def test_three_questions_are_built_tried_and_answered_by_keys_and_taps(
    page, browser, app_url, tmp_path, width
):
    page.set_viewport_size({"width": width, "height": 900})
    opened(page, f"{app_url}/judge?part=studies", "Annotate and judge")
    build(page, f"Topics {width}")
    asking = page.locator(".st-key-evaluate-asking")
    expect(asking.get_by_role("button", name="money")).to_be_visible()
    press(page, "Use this form")
    link = start(page)
    person = browser.new_context(viewport={"width": width, "height": 844}).new_page()
    person.goto(f"{link}&participant=Ada{width}")
    ready(person)
    expect(person.locator(".st-key-evaluate-asking").get_by_role("button", name="money")).to_be_visible()
    person.keyboard.press("m")
    ready(person)
    words = person.locator(".st-key-evaluate-words").get_by_role("button")
    words.nth(3).click()
    ready(person)
    words.nth(5).click()
    ready(person)
    expect(person.locator('.st-key-evaluate-words [aria-pressed="true"]')).to_have_count(3)
    press(person, "Done")
    person.get_by_label("question_3", exact=True).or_(
        person.locator(".st-key-evaluate-asking input")
    ).first.fill("0")
    person.keyboard.press("Enter")
    ready(person)
    press(person, "Done")
    expect(person.locator(".st-key-evaluate-asking")).to_contain_text("Headline 2 · What")
    person.keyboard.press("p")
    ready(person)
    press(person, "Done")  # no word is marked, and no number asked for
    expect(person.get_by_text("All done, thank you.")).to_be_visible()
    assert person.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    ready(page)
    expect(page.locator("table.figures").first).to_be_visible()
    rows = list(csv.DictReader(io.StringIO(downloaded(page, "Answers (CSV)", tmp_path))))
    assert sorted(row["answer"] for row in rows) == ["0", "4-6", "money", "none", "politics"]
