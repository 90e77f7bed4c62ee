"""Rooms in the journal, on SQLite and on PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from core.journal.database import ENTRIES, RECEIPTS, opened
from core.journal.journal import Journal
from core.people.room.rooms import Rooms
from core.people.room.state import RoomStep
from core.people.room.task import task_of
from tests.unit.people.room.meeting import Meeting, small_task


def test_a_room_is_there_after_a_new_start_of_the_server(journal: Journal) -> None:
    meeting = Meeting(log=journal)
    token = meeting.join("Ada")
    meeting.answer(token, 0, "same")
    meeting.act(RoomStep.REVEALED)
    later = Rooms(Journal(journal.url))
    assert later.room(meeting.code) == meeting.room
    assert later.is_teacher(meeting.code, meeting.teacher)
    person = later.person(meeting.code, token)
    assert person is not None
    assert later.room(meeting.code).answers_of(person.who) == {small_task().items[0].key: "same"}


@pytest.mark.slow
def test_forty_people_join_and_answer_at_once(journal: Journal) -> None:
    meeting = Meeting(log=journal)

    def one(number: int) -> None:
        token = meeting.join(f"Person {number}")
        for at in range(3):
            meeting.answer(token, at, "same" if number % 2 else "different")

    with ThreadPoolExecutor(40) as threads:
        list(threads.map(one, range(40)))
    assert len(meeting.room.here) == 40
    assert len(meeting.room.round.first) == 120
    assert meeting.room.refused == 0
    assert Rooms(Journal(journal.url)).room(meeting.code) == meeting.room


def test_somebody_who_is_forgotten_is_gone_while_the_room_goes_on(journal: Journal) -> None:
    meeting = Meeting(log=journal)
    ada, bo = meeting.join("Ada"), meeting.join("Bo")
    for token in (ada, bo):
        meeting.answer(token, 0, "same")
    person = meeting.rooms.person(meeting.code, ada)
    assert person is not None
    with opened(journal.url).writing() as connection:
        connection.execute(sa.delete(ENTRIES).where(ENTRIES.c.who == person.who))
        connection.execute(sa.insert(RECEIPTS), [{"time": "2026-01-05T09:00:00", "body": "{}"}])
    assert [one.nickname for one in meeting.room.here] == ["Bo"]
    assert len(meeting.room.round.first) == 1
    assert meeting.rooms.person(meeting.code, ada) is None
    meeting.answer(bo, 1, "same")
    assert len(meeting.room.round.first) == 2


def test_a_task_of_which_a_part_was_removed_is_read_without_it() -> None:
    task = small_task()
    body = {
        "kind": "same_event",
        "options": [{"value": "same", "wording": "Same event"}],
        "items": [{"key": "a", "texts": ["One", "Two"]}, {"key": "b"}, {"texts": ["Three"]}],
        "scale": "nominal",
    }
    found = task_of(body)
    assert [item.key for item in found.items] == ["a"]
    assert found.items[0].sources == ()
    assert found.kind == task.kind
