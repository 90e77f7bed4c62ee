"""A teacher and a class in a real browser: joining, answering, pausing, revealing and voting again."""

import csv
import io
import re
from dataclasses import replace
from itertools import pairwise, product

import pytest
from playwright.sync_api import expect

from benchmarks.browser import SERVE, running
from core.files import secret
from core.journal.journal import Journal
from core.journal.opening import sqlite_url
from core.people.room.draws import pair_item, same_event_task
from core.people.room.rooms import Rooms
from core.people.room.state import RoomStep
from tests.browser.steps import (
    LOOKS,
    clicks,
    counted,
    downloaded,
    listed,
    made,
    opened,
    ready,
    turned,
    violations,
)
from tests.browser.test_teacher import LEAST_PIXELS, SMALL
from tests.unit.people.room.meeting import breaking, small_task

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}


class Class:
    """A teacher's window and phones, each a browser of its own."""

    def __init__(self, browser, url):
        self.browser, self.url = browser, url
        self.teacher = self.window({"width": 1280, "height": 800}, "light")
        opened(self.teacher, f"{url}/room", "Room")

    def window(self, size, scheme):
        context = self.browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            color_scheme=scheme,
            accept_downloads=True,
        )
        page = context.new_page()
        page.set_default_timeout(60_000)
        return page

    def open(self, items):
        field = self.teacher.get_by_label("Items")
        field.fill(str(items))
        field.press("Enter")
        expect(self.teacher.locator(".st-key-room-asked")).to_contain_text(f"{items} items")
        ready(self.teacher)
        self.press("Open the room")
        self.press("Start")
        return self.teacher.locator(".room-code").inner_text().replace(" ", "")

    def press(self, label):
        self.teacher.get_by_role("button", name=label, exact=True).click()

    def files(self):
        self.press("More")
        self.teacher.get_by_text("Files", exact=True).click()

    def phone(self, code, nickname, scheme="light"):
        page = self.window(PHONE, scheme)
        page.goto(f"{self.url}/join?room={code}")
        page.get_by_label("Your nickname").fill(nickname)
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page.get_by_text(f"{nickname} · room {code[:4]} {code[4:]}")).to_be_visible()
        return page


@pytest.fixture
def close(browser):
    """Closes every window that a test opened."""
    yield
    for context in browser.contexts:
        context.close()


def answer(phones, label, *, done, of, said="{done} of {of} answered"):
    """One answer on each phone; `done` of `of` are given then."""
    pressed = []
    for page in phones:
        button = page.get_by_role("button", name=re.compile(f"^{label}"))
        pressed.append(button.element_handle())
        button.click()
    for page, button in zip(phones, pressed, strict=True):
        expect(
            page.get_by_text("All answered" if done == of else said.format(done=done, of=of))
        ).to_be_visible()
        # The count comes before the next question: until then the buttons are those of the last one.
        page.wait_for_function("button => !button.isConnected", arg=button)


def is_closed(page):
    """The Room page offers only what is left to do, and no way in."""
    expect(page.locator(".st-key-room-door")).to_have_count(0)
    more = page.locator(".st-key-room-more").get_by_role("button")
    expect(more).to_have_text([re.compile("Files"), re.compile("Leave")])


def fits(page):
    """Nothing but the question: no menu, no sidebar, nothing wider than the phone."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in ("stHeader", "stSidebar", "stTopNavSection"):
        expect(page.get_by_test_id(part).filter(visible=True)).to_have_count(0)
    expect(page.get_by_role("link", name=re.compile("Timeline|Evaluate|Room"))).to_have_count(0)
    for button in page.locator('[class*="st-key-join-item"] button').filter(visible=True).all():
        box = button.bounding_box()
        assert box["height"] >= 44
        assert box["width"] >= 340


@pytest.mark.usefixtures("close")
@pytest.mark.journey
def test_two_phones_vote_see_the_answers_and_vote_again(browser, app_url, tmp_path):
    lesson = Class(browser, app_url)
    code = lesson.open(2)
    ada, bo = lesson.phone(code, "Ada"), lesson.phone(code, "Bo", "dark")
    screen = lesson.teacher.get_by_test_id("stMain")
    expect(screen).to_contain_text("Ada 0/2")
    for page in (ada, bo):
        ready(page)
        fits(page)
        assert violations(page) == []
    why, same = ada.get_by_test_id("stExpander"), ada.get_by_role("button", name="Same event")
    assert why.bounding_box()["y"] < same.bounding_box()["y"], "a reason is given before the answer"
    expect(ada.get_by_label("Why?")).to_be_hidden()
    answer([ada], "Same event", done=1, of=2)
    expect(screen).to_contain_text("1 of 4 answers")
    lesson.press("Pause")
    expect(ada.get_by_role("heading", name="Paused")).to_be_visible()
    expect(ada.get_by_role("button", name="Same event")).to_have_count(0)
    ada.reload()
    expect(ada.get_by_role("heading", name="Paused")).to_be_visible()
    lesson.press("Go on")
    expect(ada.get_by_text("1 of 2 answered")).to_be_visible()
    answer([ada], "Same event", done=2, of=2)
    answer([bo], "Different events", done=1, of=2)
    answer([bo], "Different events", done=2, of=2)
    expect(screen).to_contain_text("2 of 2 people done")
    # An impatient teacher presses twice: the answers are still shown before the second vote.
    lesson.teacher.get_by_role("button", name="Reveal answers", exact=True).dblclick(delay=150)
    expect(ada.get_by_role("heading", name="Look at the screen")).to_be_visible()
    expect(screen).to_contain_text("1 of 2, most divided first")
    assert "as people grouped them" not in screen.inner_text().casefold()
    lesson.press("Vote again")
    expect(bo.get_by_text("Second vote.")).to_be_visible()
    expect(bo.get_by_role("button", name="Different events")).to_contain_text("your first answer")
    answer([ada], "Same event", done=1, of=2, said="0 of 2 changed")
    answer([bo], "Same event", done=1, of=2, said="1 of 2 changed")
    answer([ada, bo], "Same event", done=2, of=2)
    lesson.press("Compare votes")
    expect(screen).to_contain_text("2 of 4 given twice")
    expect(screen).to_contain_text("As people grouped them")
    assert violations(lesson.teacher) == []
    lesson.files()
    rows = list(csv.DictReader(io.StringIO(downloaded(lesson.teacher, "Answers (CSV)", tmp_path))))
    assert len(rows) == 4
    assert {row["second_vote"] for row in rows} == {"Same event"}
    assert {row["person"] for row in rows} == {"Ada", "Bo"}
    lesson.press("Close the room")
    expect(ada.get_by_role("heading", name="The room is closed")).to_be_visible()
    is_closed(lesson.teacher)


@pytest.mark.usefixtures("close")
def test_arrow_keys_step_through_results_and_a_phone_that_does_nothing_keeps_its_answers(browser, app_url):
    lesson = Class(browser, app_url)
    code = lesson.open(2)
    ada, bo = lesson.phone(code, "Ada"), lesson.phone(code, "Bo", "dark")
    for done in (1, 2):
        answer([ada, bo], "Same event", done=done, of=2)
    lesson.press("Reveal answers")
    screen = lesson.teacher.get_by_test_id("stMain")
    for key, at in (("ArrowRight", 2), ("ArrowLeft", 1)):
        expect(lesson.teacher.get_by_role("button", name="Next")).to_be_visible()
        lesson.teacher.keyboard.press(key)
        expect(screen).to_contain_text(f"{at} of 2, most divided first")
    found, measured = (lesson.teacher.locator(f".st-key-room-{part}") for part in ("verdict", "measured"))
    assert found.bounding_box()["y"] < measured.bounding_box()["y"]
    lesson.press("Vote again")
    expect(ada.get_by_text("your first answer stays")).to_be_visible()
    for done in (1, 2):
        answer([bo], "Different events", done=done, of=2, said="{done} of {of} changed")
    lesson.press("Compare votes")
    expect(screen).to_contain_text("2 of 4 given twice")
    expect(screen).to_contain_text("2 of them kept")
    expect(
        lesson.teacher.get_by_label("Same event → Same event: 1; Same event → Different events: 1")
    ).to_be_visible()


@pytest.mark.usefixtures("close")
def test_a_phone_breaks_the_model_and_the_list_ends_the_round(browser, app_url, tmp_path):
    lesson = Class(browser, app_url)
    listed(lesson.teacher.get_by_role("combobox", name="Task"), "Break")
    lesson.teacher.get_by_role("option", name="Break the model").click()
    expect(lesson.teacher.locator(".st-key-room-asked")).to_contain_text("contradicts itself")
    code = lesson.open(4)
    ada = lesson.phone(code, "Ada", "dark")
    ready(ada)
    assert ada.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(ada) == []
    first, hostile = ada.get_by_label("Headline A"), "<img src=x onerror=alert(1)> **Storm**"
    first.fill(hostile)
    ada.get_by_role("button", name="Ask the model").click()
    expect(ada.get_by_role("heading", name=re.compile("It holds|You broke it"))).to_be_visible()
    expect(first).to_have_value(hostile)
    screen, fields = (
        lesson.teacher.get_by_test_id("stMain"),
        [ada.get_by_label(f"Headline {x}") for x in "ABC"],
    )
    ada.get_by_role("button", name="First words").click()
    expect(first).not_to_have_value(hostile)
    while (changed := breaking([field.input_value() for field in fields])) is None:
        before = first.input_value()
        ada.get_by_role("button", name="Other headlines").click()
        expect(first).not_to_have_value(re.compile(f"^{re.escape(before)}$|^$"))
        ready(ada)
    for field, text in zip(fields, changed, strict=True):
        field.fill(text)
    ada.get_by_role("button", name="Ask the model").click()
    expect(ada.get_by_role("heading", name="You broke it!")).to_be_visible()
    expect(screen.get_by_role("heading", name="1 contradiction")).to_be_visible()
    expect(screen.get_by_role("table")).to_contain_text("Ada")
    assert violations(lesson.teacher) == []
    lesson.press("End the round")
    expect(ada.get_by_role("heading", name="Look at the screen")).to_be_visible()
    lesson.files()
    (row,) = csv.DictReader(io.StringIO(downloaded(lesson.teacher, "Contradictions (CSV)", tmp_path)))
    assert [row[f"headline_{name}"] for name in "abc"] == changed
    assert row["person"] == "Ada"


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    """A server that others reach, and its log."""
    folder = tmp_path_factory.mktemp("workshop")
    with running([*SERVE, "--server.address=0.0.0.0"], folder) as (url, _):
        yield url, folder / "server.log"


@pytest.mark.usefixtures("close")
def test_a_file_is_its_visitor_s_alone_and_survives_a_reload(browser, workshop, tmp_path):
    url, log = workshop
    mine = tmp_path / "mine.csv"
    mine.write_text("headline,date\nBank raises rates,2024-01-01\nStorm hits the coast,2024-01-02\n")
    ada, bo = (browser.new_context().new_page() for _ in range(2))
    wrong = []
    ada.on("console", lambda said: wrong.append(said.text) if "Content Security" in said.text else None)
    ada.goto(f"{url}/sources")
    ada.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(mine)
    ready(ada)
    ada.get_by_role("button", name="Load these headlines").click()
    # The preview shows the headlines too, and the address names the file meanwhile.
    ada.get_by_role("heading", name="Sources").wait_for(state="detached")
    expect(ada.get_by_test_id("stMain")).to_contain_text("Storm hits the coast")
    ada.wait_for_url(lambda url: "data=file-" in url and "/sources" not in url)
    link = ada.url
    ada.reload()
    expect(ada.get_by_test_id("stMain")).to_contain_text("Storm hits the coast")
    bo.goto(link)
    bo.get_by_text("are not open on this computer").wait_for()
    expect(bo.get_by_test_id("stMain")).not_to_contain_text("Storm hits the coast")
    assert wrong == []
    said = log.read_text(encoding="utf-8")
    assert url.rpartition(":")[2] in said
    assert "external IP" not in said


def words_stand_beside_bands(picture):
    parts = [part.bounding_box() for part in picture.locator("> div").all()]
    assert len(parts) == 3, "answers, bands, answers: no words stand on bands"
    assert all(one["x"] + one["width"] <= other["x"] + 1 for one, other in pairwise(parts))
    assert picture.locator("i").evaluate_all("bands => bands.map(band => band.innerText)") == [""]
    assert [words.inner_text().split("\u00a0")[0] for words in picture.locator("span").all()] == [
        "Same event", "Different events", "Same event", "Different events",
    ]  # fmt: skip


@pytest.mark.usefixtures("close")
def test_a_remote_leads_the_lesson_and_the_screen_follows_without_controls(browser, app_url):
    teacher = Class(browser, app_url)
    teacher.teacher.get_by_label("Items").fill("1")
    teacher.teacher.get_by_label("Items").press("Enter")
    expect(teacher.teacher.locator(".st-key-room-asked")).to_contain_text("1 item")
    ready(teacher.teacher)
    teacher.press("Open the room")
    code = teacher.teacher.locator(".room-code").inner_text().replace(" ", "")
    teacher.press("Screen and remote")
    links = {
        name: teacher.teacher.get_by_role("link", name=f"Open the {name}").get_attribute("href")
        for name in ("screen", "remote")
    }
    screen, remote = (
        teacher.window({"width": 1280, "height": 720}, "light"),
        teacher.window(PHONE, "dark"),
    )
    screen.goto(links["screen"])
    remote.goto(links["remote"])
    shown = screen.get_by_test_id("stMain")
    expect(remote.get_by_role("button", name="Start", exact=True)).to_be_visible()
    expect(remote).not_to_have_url(re.compile("control"))
    ada = teacher.phone(code, "Ada")
    expect(ada.get_by_role("heading", name="You are in")).to_be_visible()
    expect(shown).to_contain_text("Ada")
    remote.get_by_role("button", name="Start", exact=True).click()
    expect(shown).to_contain_text("0 of 1 people done")
    ada.get_by_test_id("stExpander").click()
    ada.get_by_label("Why?").fill(hostile := "<img src=x onerror=alert(1)> **one** day")
    ada.get_by_role("button", name="Same event").click()
    expect(shown).to_contain_text("1 of 1 people done")
    assert screen.get_by_role("button").count() == 0
    assert screen.evaluate(SMALL, LEAST_PIXELS) == []
    assert remote.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Those that are being replaced have no height.
    heights = remote.locator(".st-key-remote button").evaluate_all(
        "buttons => buttons.map(button => button.offsetHeight).filter(Boolean)"
    )
    assert min(heights) >= 44
    remote.get_by_role("button", name="New round").click()
    remote.get_by_role("combobox", name="Task").click()
    for kind in ("Same event?", "Break the model"):
        expect(remote.get_by_role("option", name=kind)).to_be_in_viewport(ratio=1)
    remote.keyboard.press("Escape")
    remote.keyboard.press("Escape")
    remote.get_by_role("button", name="Reveal answers").click()
    expect(shown).to_contain_text(hostile)
    remote.get_by_role("button", name=re.compile("onerror")).click()
    expect(shown).not_to_contain_text("onerror")
    remote.get_by_role("button", name="Vote again").click()
    ada.get_by_role("button", name="Different events").click()
    expect(shown).to_contain_text("1 of 1 people done")
    remote.get_by_role("button", name="Compare votes").click()
    expect(shown).to_contain_text("1 of 1 changed")
    words_stand_beside_bands(screen.get_by_label("Same event → Different events: 1"))
    expect(shown).to_contain_text("As people grouped them")
    for page in (screen, remote):
        assert violations(page) == []
    remote.get_by_role("button", name="End the lesson").click()
    remote.get_by_role("button", name="Close the room").click()
    thanks_stand_in_the_middle(screen)
    is_closed(teacher.teacher)


def thanks_stand_in_the_middle(screen):
    thanks = screen.get_by_role("heading", name="Thank you")
    expect(thanks).to_be_visible()
    ready(screen)
    wall, part = screen.viewport_size, screen.locator(".st-key-screen-closed").bounding_box()
    assert part["y"] + part["height"] / 2 == pytest.approx(wall["height"] / 2, rel=0.1)
    assert thanks.evaluate("head => getComputedStyle(head).textAlign") == "center"


def the_next_question_is_the_next_step(remote):
    """After the last vote it stands on the remote where the steps before it did."""
    filled = remote.locator('.st-key-remote button[kind="primary"]')
    expect(filled).to_contain_text("Next")
    ready(remote)
    following, pause = (box.bounding_box() for box in (filled, remote.get_by_role("button", name="Pause")))
    assert following["y"] < pause["y"]
    assert following["height"] >= 64 > pause["height"]
    previous = remote.get_by_role("button", name="Previous").locator("p")
    assert previous.evaluate("word => word.scrollWidth <= word.clientWidth")


@pytest.mark.usefixtures("close")
def test_a_teacher_s_phone_has_large_letters_the_next_step_first_and_a_remote_whose_buttons_stay(
    browser, app_url
):
    teacher = Class(browser, app_url)
    page = teacher.teacher
    teacher.press("Try with six phones")
    teacher.press("Screen and remote")
    remote_link = page.get_by_role("link", name="Open the remote")
    link = remote_link.get_attribute("href")
    picture = page.get_by_test_id("stPopoverBody").get_by_test_id("stImage").bounding_box()
    assert picture["y"] > remote_link.bounding_box()["y"], "what is scanned stands with what it opens"
    assert picture["x"] == pytest.approx(remote_link.bounding_box()["x"], abs=2)
    page.keyboard.press("Escape")
    page.set_viewport_size(PHONE)
    ready(page)

    def boxes(of, *labels):
        return [of.get_by_role("button", name=label, exact=True).bounding_box() for label in labels]

    letters = page.locator(".room-code").evaluate("code => parseFloat(getComputedStyle(code).fontSize)")
    assert letters >= 28
    expect(page.locator(".st-key-room-door").get_by_test_id("stImage")).to_have_count(0)  # leads nowhere
    start, pause, lock = boxes(page, "Start", "Pause", "Lock")
    assert start["width"] > 0.9 * PHONE["width"]
    assert start["y"] < pause["y"] == lock["y"]
    assert pause["width"] == pytest.approx(lock["width"], abs=1)
    # The letters stand in the line of the title, above the next step; who is here comes last.
    head = ".room-code", ".st-key-page-head h1", ".st-key-room-roster"
    letters, title, here = (page.locator(part).bounding_box() for part in head)
    assert title["x"] + title["width"] < letters["x"]
    assert title["y"] < letters["y"] + letters["height"] / 2 < title["y"] + title["height"]
    assert letters["y"] + letters["height"] < start["y"]
    assert lock["y"] < here["y"]
    remote = teacher.window(PHONE, "light")
    remote.goto(link)
    expect(remote.get_by_role("button", name="Start", exact=True)).to_be_visible()
    ready(remote)
    before = boxes(remote, "Start", "Pause", "Lock", "New round")
    remote.get_by_role("button", name="Start", exact=True).click()
    expect(remote.get_by_role("button", name="Reveal answers")).to_be_visible()
    ready(remote)
    after = boxes(remote, "Reveal answers", "Pause", "Lock", "New round")
    assert [box["y"] for box in after] == pytest.approx([box["y"] for box in before], abs=1)
    remote.get_by_role("button", name="End the lesson").click()
    sheet = remote.get_by_test_id("stPopoverBody")
    expect(sheet.get_by_role("button", name="Close the room")).to_be_visible()
    ready(remote)
    box = sheet.bounding_box()
    assert (box["x"], box["y"] + box["height"]) == pytest.approx((0, PHONE["height"]), abs=1)
    assert sheet.get_by_role("button", name="Close the room").bounding_box()["width"] == after[0]["width"]
    sheet.get_by_role("button", name="Cancel").click()
    expect(sheet).to_be_hidden()
    for step in ("Reveal answers", "Vote again", "Compare votes"):
        remote.get_by_role("button", name=step, exact=True).click()
    the_next_question_is_the_next_step(remote)


def steps_have_a_place_of_their_own(page):
    parts = (page.locator(f".st-key-{part}").bounding_box() for part in ("steps-room-item", "room-item"))
    steps, answers = parts
    assert steps["y"] + steps["height"] <= answers["y"]
    assert 36 <= steps["height"] <= 44
    whole = "words => words.every(word => word.scrollWidth <= word.clientWidth)"
    assert page.locator(".st-key-steps-room-item button p").evaluate_all(whole)


@pytest.mark.usefixtures("close")
@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, PHONE])
def test_the_head_of_a_room_stays_from_step_to_step(browser, app_url, size):
    teacher = Class(browser, app_url)
    page = teacher.teacher
    page.set_viewport_size(size)
    teacher.press("Try with six phones")
    heads = []
    for step in ("Start", "Reveal answers", "Vote again", "Compare votes"):
        press = page.get_by_role("button", name=step, exact=True)
        expect(press).to_be_visible()
        ready(page)
        filled = page.locator('.st-key-room-state button[kind="primary"]').filter(visible=True)
        expect(filled).to_have_count(1)
        expect(filled).to_have_text(re.compile(step))
        standing = page.locator(".st-key-room-state > :last-child")
        expect(standing).to_contain_text("6 here")
        places = [page.locator(".room-code").bounding_box(), filled.bounding_box(), standing.bounding_box()]
        heads.append(
            [round(box[side]) for box in places[:2] for side in ("x", "y")] + [round(places[2]["y"])]
        )
        if step == "Vote again":
            steps_have_a_place_of_their_own(page)
        if step == "Vote again" and size != PHONE:
            bar = page.locator(".st-key-room-bar-0 [role=progressbar]").bounding_box()
            assert bar["width"] > 0.9 * size["width"], "results have the width of the page"
        if step == "Reveal answers":
            page.get_by_role("button", name="Pause", exact=True).click()
            expect(filled).to_have_count(1)
            expect(filled).to_have_text(re.compile("Go on"))
            ready(page)
            filled.click()
            expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
            ready(page)
        press.click()
    expect(page.get_by_role("button", name="Compare votes")).to_have_count(0)
    expect(filled).to_have_text(re.compile("Next"))
    assert heads.count(heads[0]) == len(heads), heads


LEAST = 28
"""Pixels of letters on the projector."""
SIZES = ({"width": 1280, "height": 800}, {"width": 1920, "height": 1080})
LONG_QUESTION = (
    "Do both headlines report the same event, which happens once, at one time and at one place, or do they "
    "report two events that have much in common, of which a reader could take one for the other, because the "
    "same people act in both of them, or because both happen in the same town and on the same day of a year?"
)
LONG_TEXTS = (
    "Thousands are without power as the strongest storm in thirty years batters the northern coast and "
    "closes ports, schools and airports from the capital to the border, the government says",
    "Storm of the century: the northern coast counts its losses after a night in which ports, schools and "
    "airports were closed and thousands of homes lost their power supply, officials say",
)
FITS = LOOKS["fits"]
"""What is too small on the screen, what lies outside of it, which figures are cut, and whether it scrolls."""


@pytest.fixture(scope="module")
def projected(tmp_path_factory):
    """Address of an app that tells phones one of the network, and its rooms, which are led from here."""
    folder = tmp_path_factory.mktemp("projected")
    with made(folder, STREAMLIT_BROWSER_SERVER_ADDRESS="192.0.2.7") as url:
        user = folder / "user"
        yield url, Rooms(Journal(sqlite_url(user)), secret=secret(user / "server.key"))


@pytest.mark.usefixtures("close")
def test_all_of_a_long_question_and_thirty_answers_fits_the_projector(browser, projected):
    url, rooms = projected
    pair = pair_item(*LONG_TEXTS, same=True, model="different")
    task = same_event_task("Storms", [pair], key_from="people grouped them")
    others = [pair_item(f"Headline {n}", f"Another {n}", same=True) for n in range(9)]
    task = replace(task, question=LONG_QUESTION, items=(*task.items, *others), scorer="finetuned.v1")
    assert len(task.question) >= 300
    wrong = {}
    code, teacher = rooms.open(task, lobby=True)
    screens = [browser.new_context(viewport=size).new_page() for size in SIZES]
    for page in screens:
        page.goto(f"{url}/screen?room={rooms.screen(code)}")
    for number in range(30):
        rooms.join(code, f"Pupil {number}", browser=f"browser {number}", door=rooms.room(code).door)

    def vote(change):
        began = rooms.room(code).round.began
        for number, item in product(range(30), task.items):
            answer = "same" if (number + change) % 3 else "different"
            about = {"began": began, "item": item.key, "answer": answer}
            said = "The same storm, on the same coast and in the same night; only the words differ."
            rooms.answer(code, f"browser {number}", reason=said if number < 5 else "", **about)

    def look(shown):
        for page, size in zip(screens, SIZES, strict=True):
            expect(page.get_by_test_id("stMain")).to_contain_text(shown)
            ready(page)
            found = page.evaluate(FITS, LEAST)
            if found != [[], [], [], False]:
                wrong[shown, size["height"]] = found

    look("30 here")
    for step, shown in (
        ("started", "0 of 300 answers"),
        ("revealed", "1 of 10"),
        ("vote_again", "Second vote"),
    ):
        rooms.act(code, teacher, RoomStep(step))
        look(shown)
        if step != "revealed":
            vote(step == "started")
            look("300 of 300 answers")
    rooms.act(code, teacher, RoomStep.REVEALED)
    rooms.act(code, teacher, RoomStep.SHOWN, item=pair.key)
    look("20 of 30 changed")
    assert wrong == {}


@pytest.mark.usefixtures("close")
def test_figures_of_a_small_room_are_whole_on_the_projector(browser, projected):
    url, rooms = projected
    code, teacher = rooms.open(small_task(3), lobby=True)
    page = browser.new_context(viewport=SIZES[0]).new_page()
    page.goto(f"{url}/screen?room={rooms.screen(code)}")
    for person in "ab":
        rooms.join(code, person, browser=person, door=rooms.room(code).door)
    shown = page.get_by_test_id("stMain")
    for step, different in (("started", 1), ("vote_again", 2)):
        rooms.act(code, teacher, RoomStep(step))
        room = rooms.room(code)
        for person, (place, item) in product("ab", enumerate(room.round.task.items)):
            answer = "different" if person == "a" and place < different else "same"
            rooms.answer(code, person, began=room.round.began, item=item.key, answer=answer, reason="")
        rooms.act(code, teacher, RoomStep.REVEALED)
        expect(shown).to_contain_text("33 %" if different == 2 else "67 %")
        ready(page)
        assert page.evaluate(FITS, LEAST) == [[], [], [], False]


# Streamlit's page asks for a part to be run again by an interval, as long as `run_every`.
WITHOUT_LOOKS = "const usual = setInterval; window.setInterval = (f, ms) => (ms >= 1500 ? 0 : usual(f, ms));"


@pytest.mark.usefixtures("close")
def test_a_phone_follows_the_room_without_looking_at_it(browser, projected):
    url, rooms = projected
    code, teacher = rooms.open(small_task(3), lobby=True)
    ada = browser.new_context(viewport=PHONE).new_page()
    ada.add_init_script(WITHOUT_LOOKS)
    ada.goto(f"{url}/join?room={code}")
    ada.get_by_label("Your nickname").fill("Ada")
    ada.get_by_role("button", name="Join", exact=True).click()
    expect(ada.get_by_test_id("stMain")).to_contain_text("You are in")
    for item in rooms.room(code).round.task.items:
        rooms.act(code, teacher, RoomStep.LED, item=item.key)
        for text in item.texts:
            expect(ada.get_by_text(text)).to_be_visible(timeout=15_000)


@pytest.mark.usefixtures("close")
@pytest.mark.parametrize("size", SIZES)
def test_the_screen_has_letters_and_address_at_the_left_and_the_picture_to_scan_at_the_right(
    browser, projected, size
):
    url, rooms = projected
    code, teacher = rooms.open(small_task(3), lobby=True)
    page = browser.new_context(viewport=size).new_page()
    page.goto(f"{url}/screen?room={rooms.screen(code)}")
    rooms.join(code, "Ada", browser="a", door=rooms.room(code).door)
    parts = (page.locator(".room-code"), page.get_by_text("192.0.2.7"), page.locator(".st-key-room-door img"))
    margin = 0.032 * size["width"]
    for step, shown in (("", "1 here"), ("started", "0 of 3 answers"), ("revealed", "1 of 3")):
        if step:
            rooms.act(code, teacher, RoomStep(step))
        expect(page.get_by_test_id("stMain")).to_contain_text(shown)
        ready(page)
        assert page.evaluate(FITS, LEAST) == [[], [], [], False]
        letters, where = (part.bounding_box() for part in parts[:2])
        assert letters["x"] == pytest.approx(margin, abs=4)
        if step:
            assert where["y"] < letters["y"] + letters["height"], "they are one line"
        if step != "revealed":
            picture = parts[2].bounding_box()
            assert picture["x"] > where["x"] + where["width"] / 2
            assert picture["x"] + picture["width"] == pytest.approx(size["width"] - margin, abs=4)


@pytest.mark.usefixtures("close")
def test_a_clicker_leads_a_phone_and_the_screen_whose_sizes_follow_the_window(browser, projected):
    url, rooms = projected
    code, teacher = rooms.open(small_task(3), lobby=True)
    pages = [browser.new_context(viewport=size).new_page() for size in (*SIZES, PHONE, PHONE)]
    *screens, remote, ada = pages
    for page in screens:
        page.goto(f"{url}/screen?room={rooms.screen(code)}")
        expect(page.get_by_test_id("stMain")).to_contain_text("and type these letters")
        expect(page.get_by_test_id("stImage")).to_be_visible()
    remote.goto(f"{url}/remote?control={code}.{teacher}")
    ada.goto(f"{url}/join?room={code}")
    ada.get_by_label("Your nickname").fill("Ada")
    ada.get_by_role("button", name="Join", exact=True).click()
    remote.get_by_role("button", name="Go question by question", exact=True).click()
    first, second, _ = rooms.room(code).round.task.items
    heights = []
    for page in screens:
        text = page.get_by_text(first.texts[0])
        expect(text).to_be_visible()
        ready(page)
        assert page.evaluate(FITS, LEAST) == [[], [], [], False]
        heights.append(text.evaluate("text => parseFloat(getComputedStyle(text).fontSize)"))
    assert heights[0] >= 1.5 * LEAST
    assert heights[1] > heights[0]
    expect(ada.get_by_text("Question 1 of 3")).to_be_visible()
    ada.get_by_role("button", name="Same event").click()
    expect(remote.get_by_test_id("stMain")).to_contain_text("1 of 1 people done")
    assert remote.evaluate("document.documentElement.scrollWidth <= innerWidth")
    remote.keyboard.press("PageDown")
    expect(remote.get_by_role("button", name="Next question")).to_be_visible()
    for page in screens:
        expect(page.get_by_test_id("stMain")).to_contain_text("Same event · 1 100 %")
        ready(page)
        assert page.evaluate(FITS, LEAST) == [[], [], [], False]
        bar = page.locator(".st-key-room-bar-0 [role=progressbar]").bounding_box()
        assert bar["height"] >= 18
    expect(ada.get_by_text("Most of the room: Same event")).to_be_visible()
    for page in (remote, ada):
        assert violations(page) == []
    remote.keyboard.press("a")
    expect(ada.get_by_text("As people said")).to_be_visible()
    remote.keyboard.press("PageDown")
    expect(ada.get_by_text(second.texts[0])).to_be_visible()
    remote.keyboard.press("ArrowLeft")
    expect(ada.get_by_text("As people said")).to_be_visible()


EVENTS = """headline,date
Storm hits the northern coast,2026-11-02
Northern coast battered by storm,2026-11-02
Bank raises its key rate,2026-11-03
Key rate raised by the central bank,2026-11-03
Fire destroys a mill in Tarn,2026-11-04
Mill in Tarn burns down,2026-11-04
"""
CLICKS = 7  # of a teacher at most, from a spreadsheet to twelve phones that vote


@pytest.mark.usefixtures("close")
def test_twelve_phones_vote_on_a_spreadsheet_after_few_clicks(browser, app_url):
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(60_000)
    opened(page, app_url, "Timeline")
    counted(page)
    turned(page, "Room")
    page.get_by_role("button", name="A table of your own").click()
    data = {"name": "events.csv", "mimeType": "text/csv", "buffer": EVENTS.encode()}
    page.get_by_test_id("stPopoverBody").get_by_test_id("stFileUploaderDropzoneInput").set_input_files(data)
    expect(page.locator(".st-key-room-preview")).to_contain_text("Tarn")
    ready(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Open the room", exact=True).click()
    page.get_by_role("button", name="Start", exact=True).click()
    code = page.locator(".room-code").inner_text().replace(" ", "")
    phones = [browser.new_context(viewport=PHONE).new_page() for _ in range(12)]
    for at, phone in enumerate(phones):
        phone.set_default_timeout(60_000)
        phone.goto(f"{app_url}/join?room={code}")
        phone.get_by_label("Your nickname").fill(f"Phone {at}")
        phone.get_by_role("button", name="Join", exact=True).click()
    for phone in phones:
        phone.get_by_role("button", name="Same event").click()
    expect(page.get_by_test_id("stMain")).to_contain_text(re.compile(r"(?<!\d)12 of \d+ answers"))
    assert clicks(page) <= CLICKS
