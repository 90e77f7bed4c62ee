"""A study of each kind of answer: set up on an own table, three judges by its link, and the table."""

import csv
import io
import re
import tomllib

import pytest
from playwright.sync_api import expect

from core.journal.journal import Journal
from core.journal.opening import sqlite_url
from core.people import studies
from tests.browser.steps import downloaded, opened, ready

pytestmark = pytest.mark.browser

HEADLINES = (
    b"headline,date\nBank raises rates,2024-05-01\nRates raised by bank,2024-05-01\nStorm nears,2024-05-03\n"
)
PAIRS = b"headline_a,headline_b\nBank raises rates,Rates raised by bank\nStorm nears,Bank raises rates\n"
RIGHT = b"headline_a,headline_b,label\n" + b"".join(
    b"Known %d,Known also %d,%d\n" % (at, at, at % 2) for at in range(6)
)
OUTPUTS = b"id,text,North,South\n1,The bank raised rates to 3 percent.,Rates at 3 percent,Bank raises rates\n"
CONSENT = "My answers may be used for research. Questions: ana@uni.example, https://ethics.uni.example/a_b."
ADDRESSES = {
    "ana@uni.example": "mailto:ana@uni.example",
    "https://ethics.uni.example/a_b": "https://ethics.uni.example/a_b",
}
LONGEST = 9  # clicks to set a study up
TAPS = 3  # to the first answer after "Begin", which is one, too


class Clicks:
    def __init__(self, page):
        self.page, self.count = page, 0

    def click(self, place):
        self.count += 1
        place.click()
        ready(self.page)

    def give(self, place, name, content):
        self.count += 1  # the button that opens the window of files
        place.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
            {"name": name, "mimeType": "text/csv", "buffer": content}
        )
        ready(self.page)


def start(page, template, name, content, known=None):
    """Sets a study up with a consent; gives its link and how many clicks that took."""
    hand = Clicks(page)
    if template:
        hand.click(page.get_by_label("Task", exact=True))
        hand.click(page.get_by_role("option", name=template))
    hand.click(page.get_by_role("button", name="A table of your own"))
    hand.give(page.get_by_test_id("stPopoverBody"), name, content)
    page.keyboard.press("Escape")
    page.get_by_role("textbox", name="Consent").fill(CONSENT)
    if known:
        hand.click(page.get_by_text("More settings"))
        hand.give(page.get_by_test_id("stExpander"), "right.csv", known)
    hand.click(page.get_by_role("button", name="Start the study"))
    expect(page.get_by_text("Link for participants")).to_be_visible()
    return page.locator(".st-key-study-link code").inner_text().strip(), hand.count


def group(page):
    """Each tap or key, as the next two."""
    page.get_by_role("button", name="Skip the training").click()
    yield
    for key in ("n", "1", "n"):
        ready(page)
        page.keyboard.press(key)
        yield


def vote(page):
    pair, done = page.locator(".st-key-annotate-pair"), page.get_by_text("All done")
    while not done.is_visible():
        different = any(f"Known {at}" in pair.inner_text() for at in (0, 2, 4))
        page.get_by_role("button", name="Different events" if different else "Same event").click()
        ready(page)
        yield


def rate(page):
    asking, done = page.locator(".st-key-evaluate-asking"), page.get_by_text("All done")
    while not done.is_visible():
        asking.get_by_role("button").first.click()
        ready(page)
        yield


STUDIES = {
    "groups": ("", HEADLINES, None, group),
    "pairs": ("Same event?", PAIRS, RIGHT, vote),
    "italian": ("Suitable and attractive", OUTPUTS, None, rate),
}


@pytest.fixture
def served(app_url, app_folder):
    """Address of the app, and its journal."""
    return app_url, Journal(sqlite_url(app_folder / "user"))


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_runs_from_its_set_up_to_its_table(page, browser, served, tmp_path, name):
    template, table, known, judge = STUDIES[name]
    app_url, journal = served
    opened(page, f"{app_url}/judge?part=studies", "Annotate and judge")
    link, clicks = start(page, template, f"{name}.csv", table, known)
    assert clicks <= LONGEST
    for who in ("Ada", "Bob", "Cem"):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        person = context.new_page()
        person.goto(link)
        expect(person.get_by_label("Your name or initials")).to_be_visible()
        ready(person)
        # The study and nothing else: no way to a page of the laboratory.
        expect(person.get_by_test_id("stHeader").filter(visible=True)).to_have_count(0)
        expect(person.get_by_role("link", name=re.compile("Timeline|Compare|Models"))).to_have_count(0)
        assert CONSENT in person.get_by_test_id("stMain").inner_text()
        for shown, leads in ADDRESSES.items():
            address = person.get_by_role("link", name=shown, exact=True)
            expect(address).to_have_attribute("href", leads)
        person.get_by_label("Your name or initials").fill(f"{who} {name}")
        person.keyboard.press("Enter")
        person.get_by_text("I agree").click()
        person.get_by_role("button", name="Begin").click()
        ready(person)
        for taps, _ in enumerate(judge(person), 1):
            if taps == TAPS:
                study = studies.study_of(journal, re.search("study=([0-9a-f]{8})", link)[1])
                given = [entry.who for entry in studies.answered(journal, study)]
                assert any(f"{who} {name}" in own for own in given)
        assert taps >= TAPS
        expect(person.get_by_text("All done, thank you.")).to_be_visible()
        context.close()
    page.reload()
    ready(page)
    expect(page.get_by_text("before the first answer")).to_be_visible()
    expect(page.locator("table.figures").first).to_be_visible()
    study = tomllib.loads(downloaded(page, "Study (TOML)", tmp_path))
    assert study["consent"][0]["text"] == CONSENT
    rows = list(csv.DictReader(io.StringIO(downloaded(page, "Answers (CSV)", tmp_path))))
    assert len({row["person"] for row in rows}) == 3
    assert not any("Ada" in cell for row in rows for cell in row.values())
    assert {row["consent"] for row in rows} == {"1"} == {row["instructions"] for row in rows}
