"""The lessons that ship, led from a remote on phones in three languages, one from right to left."""

import re

import pytest
from playwright.sync_api import expect

from components.frame.language import LANGUAGES
from core.files import secret
from core.journal.journal import Journal
from core.journal.opening import sqlite_url
from core.people.room.lessons import shipped_lessons
from core.people.room.rooms import Rooms
from core.people.room.task import RoomKind
from tests.browser.steps import LOOKS, ready, violations

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}
LOCALES = ("en", "de", "ar")
PHONES_EACH = {"Events · English": 4, "Widersprüche · Deutsch": 1, "Números · Español": 1}
"""Of each language, by the lesson."""
LEAST = 28
"""Pixels of letters on the projector."""


def said(tag, text):
    return LANGUAGES[tag]["texts"].get(text, text)


@pytest.fixture
def phones(browser, lesson):
    """A page with its language for each phone."""
    pages = [
        (browser.new_context(viewport=PHONE, locale=tag).new_page(), tag)
        for tag in LOCALES
        for _ in range(PHONES_EACH[lesson])
    ]
    for page, _ in pages:
        page.set_default_timeout(60_000)
    yield pages
    for context in browser.contexts:
        context.close()


def press_one(page, label):
    page.get_by_role("button", name=re.compile(f"^{re.escape(label)}")).first.click()


def answer(page, tag, task, item):
    """What a phone does with a question of its kind."""
    match task.kind_of(item):
        case RoomKind.TEXT:
            page.get_by_label(said(tag, "Your answer")).fill("Source")
            press_one(page, said(tag, "Send"))
        case RoomKind.RANKING:
            wordings = list(task.options_of(item).values())
            for place, wording in enumerate(wordings[:-1], 1):
                press_one(page, wording)
                expect(page.get_by_role("button", name=f"{place} · {wording}")).to_be_visible()
            press_one(page, said(tag, "Send"))
        case _:
            press_one(page, said(tag, next(iter(task.options_of(item).values()))))


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("lesson", PHONES_EACH)
def test_phones_are_led_through_a_lesson_that_ships(browser, app_url, app_folder, phones, lesson):
    user = app_folder / "user"
    rooms = Rooms(Journal(sqlite_url(user)), secret=secret(user / "server.key"))
    task = next(task for title, task in shipped_lessons().items() if title == lesson)
    code, teacher = rooms.open(task, lobby=True)
    remote, screen = (
        browser.new_context(viewport=size).new_page() for size in (PHONE, {"width": 1280, "height": 800})
    )
    remote.goto(f"{app_url}/remote?control={code}.{teacher}")
    screen.goto(f"{app_url}/screen?room={rooms.screen(code)}")
    for number, (page, tag) in enumerate(phones):
        page.goto(f"{app_url}/join?room={code}")
        page.get_by_label(said(tag, "Your nickname")).fill(f"Phone {number}")
        page.get_by_role("button", name=said(tag, "Join"), exact=True).click()
    for page, tag in phones:
        expect(page.get_by_role("heading", name=said(tag, "You are in"))).to_be_visible()
    remote.get_by_role("button", name="Go question by question", exact=True).click()
    expect(remote.get_by_test_id("stMain")).to_contain_text(f"1 of {len(task.items)}")
    for at, item in enumerate(task.items):
        for page, tag in phones:
            main, place = page.get_by_test_id("stMain"), said(tag, "**Question {at}** of {count}")
            place = place.replace("**", "").format(at=at + 1, count=len(task.items))
            expect(main).to_contain_text(place)
            expect(main).to_contain_text(said(tag, task.words_of(item)[0]))
            answer(page, tag, task, item)
        for page, tag in phones:
            stored = said(tag, "your answer is stored, and can be changed")
            expect(page.get_by_test_id("stMain")).to_contain_text(stored)
        expect(remote.get_by_test_id("stMain")).to_contain_text(f"{len(phones)} of {len(phones)} people done")
        remote.keyboard.press("PageDown")
        expect(screen.locator(".st-key-room-item")).to_be_visible()
        page, tag = phones[at % len(phones)]
        expect(page.locator("[class*=st-key-join-review]")).to_contain_text(said(tag, "Most of the room"))
        if task.kind_of(item) in {RoomKind.RANKING, RoomKind.TEXT}:
            ready(screen)
            assert screen.evaluate(LOOKS["fits"], LEAST) == [[], [], [], False]
            assert violations(page) == []
        if at + 1 < len(task.items):
            expect(remote.get_by_role("button", name="Next question")).to_be_visible()
            remote.keyboard.press("PageDown")
    round_ = rooms.room(code).round
    assert len(round_.first) == len(phones) * len(task.items)
    for page, tag in phones:
        expect(page.locator("html")).to_have_attribute("dir", LANGUAGES[tag]["direction"])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
