"""A room whose phones are answered by two servers on one PostgreSQL."""

import hashlib
import sys
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import expect

from benchmarks.browser import free_port, running
from components.server.server_keys import SERVER_KEY
from core.journal.journal import Journal
from core.journal.opening import VARIABLE
from core.people.room.rooms import Rooms
from core.people.room.state import RoomStep
from core.runtime import MODE, Mode
from tests.browser.steps import LONG
from tests.postgres import new_schema
from tests.unit.people.room.meeting import small_task

pytestmark = [pytest.mark.slow, pytest.mark.browser]
KEY = "a long text that nobody guesses"


@contextmanager
def server(folder, environment):
    folder.mkdir()
    port = free_port()
    start = [sys.executable, "-m", "cli", "app", "--no-browser", f"--port={port}"]
    with running(start, folder, port=port, **environment) as (url, _):
        yield url


def test_phones_of_both_servers_join_and_answer_in_one_room(browser, postgres, tmp_path):
    address = new_schema(postgres)
    rooms = Rooms(Journal(address), secret=hashlib.sha256(KEY.encode()).digest())
    code, teacher = rooms.open(small_task(1), lobby=True)
    shared = {VARIABLE: address, SERVER_KEY: KEY, MODE: Mode.WORKSHOP}
    with ExitStack() as both:
        one, two = (both.enter_context(server(tmp_path / name, shared)) for name in ("one", "two"))
        phones = {}
        for name, url in (("Ada", one), ("Bo", two)):
            phones[name] = browser.new_context().new_page()
            phones[name].set_default_timeout(LONG)
            phones[name].goto(f"{url}/join?room={rooms.ticket(code)}")
            phones[name].get_by_label("Your nickname").fill(name)
            phones[name].get_by_role("button", name="Join", exact=True).click()
            expect(phones[name].get_by_text(f"{name} · room {code[:4]} {code[4:]}")).to_be_visible()
        # The cookie of a phone is good on the server that answers it next.
        phones["Ada"].goto(f"{two}/join?room={rooms.ticket(code)}")
        expect(phones["Ada"].get_by_text(f"Ada · room {code[:4]} {code[4:]}")).to_be_visible()
        rooms.act(code, teacher, RoomStep.STARTED)
        for phone in phones.values():
            phone.get_by_role("button", name="Same event").first.click()
            expect(phone.get_by_role("button", name="Same event")).to_have_count(0)
        room = rooms.room(code)
        assert {who.nickname: len(room.answers_of(who.who)) for who in room.here} == {"Ada": 1, "Bo": 1}
    assert "Another server uses this database" in (tmp_path / "two/server.log").read_text(encoding="utf-8")
