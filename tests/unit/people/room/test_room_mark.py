import asyncio

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient

from components.people.room import room_mark
from core import limits
from core.people.room.state import RoomStep
from tests.unit.people.room.meeting import Meeting


@pytest.fixture
def meeting(monkeypatch):
    meeting = Meeting()
    monkeypatch.setattr(room_mark, "rooms", lambda: meeting.rooms)
    monkeypatch.setattr(room_mark, "_PATIENCE", 0.0)
    monkeypatch.setattr(room_mark, "LOOK", 0.0)
    return meeting


@pytest.fixture
def waited(meeting, monkeypatch):
    """Answers to so many phones that wait, with the looks at the room, at the third of which it is paused."""
    monkeypatch.setattr(room_mark, "_PATIENCE", 60.0)
    looks = []

    def rooms():
        looks.append(meeting.code)
        if len(looks) == 3 and not meeting.room.closed:
            meeting.act(RoomStep.PAUSED)
        return meeting.rooms

    monkeypatch.setattr(room_mark, "rooms", rooms)

    async def stays():
        await asyncio.Event().wait()

    async def answers(phones):
        about = {"type": "http", "query_string": f"known={room_mark.room_mark(meeting.room)}".encode()}
        about["path_params"] = {"token": room_mark.mark_address(meeting.code).rpartition("/")[2]}
        asked = (room_mark._changed(Request(about, stays)) for _ in range(phones))
        return [answer.body.decode() for answer in await asyncio.gather(*asked)]

    return lambda phones=1: (asyncio.run(answers(phones)), len(looks))


def test_who_waits_is_told_once_the_teacher_does_something(meeting, waited):
    before = room_mark.room_mark(meeting.room)
    (told,), looks = waited()
    assert told == room_mark.room_mark(meeting.room) != before
    assert looks == 3


def test_all_phones_of_a_room_share_one_look_at_it(meeting, waited):
    told, looks = waited(40)
    assert told == 40 * [room_mark.room_mark(meeting.room)]
    assert looks < 10


def test_more_phones_than_a_room_holds_do_not_wait(meeting, waited, monkeypatch):
    monkeypatch.setenv(limits.ROOM_PEOPLE.variable, "2")
    before = room_mark.room_mark(meeting.room)
    told, _ = waited(3)
    assert sorted(told, key=before.__ne__) == [before, *2 * [room_mark.room_mark(meeting.room)]]
    # Those who were answered wait no more, so that others may.
    assert not room_mark._waiting[meeting.code]


def test_nobody_waits_for_a_room_that_is_closed(meeting, waited):
    meeting.act(RoomStep.CLOSED)
    (told,), looks = waited()
    assert (told, looks) == (room_mark.room_mark(meeting.room), 1)


def test_the_mark_of_a_room_changes_with_what_phones_show_and_not_with_answers(meeting):
    address = room_mark.mark_address(meeting.code)
    with TestClient(Starlette(routes=room_mark.ROUTES)) as client:

        def mark():
            known = room_mark.room_mark(meeting.room)
            # Through a proxy, with a folder before it; who knows the mark waits for another.
            answers = [client.get(f"/lab/{address}"), client.get(f"/{address}?known={known}")]
            assert [answer.text for answer in answers] == [known, known]
            assert answers[0].headers["cache-control"] == "no-store"
            return known

        marks = [mark()]
        ada = meeting.join("Ada")
        meeting.answer(ada, 0, "same")
        assert mark() == marks[0]
        who = meeting.room.here[0].who
        for step, body in (
            (RoomStep.LED, {"item": meeting.room.round.task.items[1].key}),
            (RoomStep.PAUSED, {}),
            (RoomStep.RESUMED, {}),
            (RoomStep.REVEALED, {}),
            (RoomStep.SOLVED, {}),
            (RoomStep.REMOVED, {"person": who}),
            (RoomStep.CLOSED, {}),
        ):
            meeting.act(step, **body)
            marks.append(mark())
        # Only going on brings back what was shown before.
        assert len(set(marks)) == len(marks) - 1


def test_a_mark_is_told_nobody_without_a_signed_address(meeting):
    with TestClient(Starlette(routes=room_mark.ROUTES)) as client:
        for token in (meeting.code, meeting.rooms.screen(meeting.code), "x"):
            assert client.get(f"/room-mark/{token}").status_code == 404
