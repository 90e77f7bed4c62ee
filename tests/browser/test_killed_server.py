"""A server that is killed, and a connection that is cut: all that a page showed as saved is there once."""

import os
import random
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from benchmarks.browser import SERVE, free_port, running
from core.journal.opening import VARIABLE
from core.people.grouping import PLACED
from core.people.room.draws import pair_item, same_event_task
from core.people.room.rooms import PREFIX, Rooms
from core.people.room.state import RoomStep
from tests.browser.steps import opened, ready

pytestmark = pytest.mark.browser

KILLS = 2
"""How each database keeps its promise is seen in ninety kills of `tests/unit/journal`."""
GROUPING, ROOM = "grouping/", PREFIX
ITEMS = 50


@dataclass
class Answering:
    """Somebody at a browser."""

    page: Page
    count: re.Pattern[str]
    press: Callable[[], None]
    shown: int = 0

    def look(self):
        """How many answers the page shows as saved now; what was seen is remembered."""
        found = self.count.search(self.page.locator("body").inner_text())
        now = -1 if found is None else int(found[1])
        self.shown = max(self.shown, now)
        return now

    def answer(self, dead):
        """Gives an answer and waits until it is shown as saved, or the server is dead."""
        before = self.look()
        self.press()
        while self.look() <= before and not dead.is_set():
            time.sleep(0.01)


def annotator(browser, url, connections):
    """Somebody who groups the timeline of the samples, each headline alone; what connects can be cut."""
    page = browser.new_context().new_page()

    def connect(route):
        route.connect_to_server()
        connections.append(route)

    page.route_web_socket(re.compile("_stcore/stream"), connect)
    opened(page, f"{url}/judge", "Annotate and judge")
    page.get_by_label("Your name or initials").fill("Ada K")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Judging as")).to_be_visible()
    ready(page)
    page.get_by_role("button", name="Skip the training").click()
    ready(page)
    return Answering(page, re.compile(r"(\d+) of [\d,]+ headlines in"), lambda: page.keyboard.press("n"))


def participant(browser, url, code):
    """Somebody who answers in a room with a phone."""
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{url}/join?room={code}")
    page.get_by_label("Your nickname").fill("Bo")
    page.get_by_role("button", name="Join", exact=True).click()
    same = page.get_by_role("button", name="Same event")
    expect(same).to_be_visible()

    def press():
        if same.count():
            same.dispatch_event("click")

    return Answering(page, re.compile(r"(\d+) of \d+ answered"), press)


def stored(journal):
    """What was answered about, by the kind of stream, in the order of the answers."""
    found = {}
    for prefix, kind, name in ((GROUPING, PLACED, "row"), (ROOM, RoomStep.ANSWERED, "item")):
        entries = [one for stream in journal.streams(prefix) for one in journal.read(stream)]
        found[prefix] = [str(one.body[name]) for one in entries if one.kind == kind]
    return found


def go_on(people, journal):
    """Waits until each page has found the server by itself, as a new session, and shows what is stored."""
    for which, one in people.items():
        connected = one.page.locator('[data-test-connection-state="CONNECTED"]')
        expect(connected).to_have_count(1, timeout=90_000)
        expect(one.page.get_by_text("No connection")).to_have_count(0)
        ready(one.page)
        # A key that the killed server did not hear is said again to this one.
        while one.look() != len(stored(journal)[which]):
            time.sleep(0.05)


def answer_until_killed(people, server, seconds):
    """Everybody answers once, then as fast as the pages take it; in the middle the server is killed."""
    dead = threading.Event()
    for one in people.values():
        one.answer(dead)

    def kill():
        os.killpg(server, signal.SIGKILL)
        dead.set()

    threading.Timer(seconds, kill).start()
    while not dead.is_set():
        for one in people.values():
            one.answer(dead)
    for one in people.values():
        one.look()


@pytest.mark.parametrize("journal", ["sqlite"], indirect=True)
def test_what_a_page_showed_as_saved_outlives_a_killed_server(browser, journal, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, journal.url)
    draw, port, folder = random.Random(19), free_port(), tmp_path / "server"
    folder.mkdir()
    pairs = [pair_item(f"Headline {n}", f"Another {n}", same=True) for n in range(ITEMS)]
    code, _ = Rooms(journal).open(same_event_task("Fifty pairs", pairs, key_from="the test says"))
    people, connections = {}, []
    for _ in range(KILLS):
        with running(SERVE, folder, port=port) as (url, server):
            people = people or {
                GROUPING: annotator(browser, url, connections),
                ROOM: participant(browser, url, code),
            }
            go_on(people, journal)
            people[GROUPING].answer(threading.Event())
            connections[-1].close()  # a connection that is cut loses nothing either
            go_on(people, journal)
            answer_until_killed(people, server, draw.uniform(0.3, 2.0))
        phone = people[ROOM].page
        expect(phone.get_by_role("alert").filter(has_text="No connection")).to_be_visible()
        expect(phone.get_by_role("dialog").filter(visible=True)).to_have_count(0)
        for which, done in stored(journal).items():
            assert len(done) >= people[which].shown
            assert max(Counter(done).values(), default=1) == 1
    assert min(len(done) for done in stored(journal).values()) >= KILLS
    for one in people.values():
        one.page.context.close()
