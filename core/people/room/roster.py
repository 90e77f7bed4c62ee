"""Who is in a room, how far each is, and who is stuck or away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from core.people.room.state import Room, RoomPerson

STUCK: Final = timedelta(seconds=45)
"""Without an answer, while a vote is on."""
AWAY: Final = timedelta(seconds=15)
"""Without a sign of the phone, which gives one every second or two."""


class RoomPresence(StrEnum):
    """What somebody does."""

    WORKING = "working"
    DONE = "done"
    STUCK = "stuck"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class RosterLine:
    """Somebody in the room, and how many items the person answered in the vote that is on or was on last."""

    person: RoomPerson
    answered: int
    items: int
    presence: RoomPresence


def roster(room: Room, seen: Mapping[str, datetime], now: datetime) -> list[RosterLine]:
    """Everybody in a room, in the order of joining; `seen` has the last signs of phones by id, in UTC."""
    lines = []
    for person in room.here:
        signs = (person.joined, person.answered, seen.get(person.who))
        last = max(sign for sign in signs if sign is not None)
        answered = len(room.answers_of(person.who))
        presence = _does(room, person, last, now)
        lines.append(RosterLine(person, answered, len(room.round.task.items), presence))
    return lines


def _does(room: Room, person: RoomPerson, seen: datetime, now: datetime) -> RoomPresence:
    if len(room.answers_of(person.who)) >= len(room.round.task.items):
        return RoomPresence.DONE
    if now - seen > AWAY:
        return RoomPresence.AWAY
    waiting = max(sign for sign in (person.joined, person.answered, room.round.since) if sign is not None)
    stuck = room.round.vote and not room.paused and now - waiting > STUCK
    return RoomPresence.STUCK if stuck else RoomPresence.WORKING


def progress(room: Room) -> tuple[int, int]:
    """Answers given, and answers that everybody in the room will have given."""
    given = sum(len(room.answers_of(person.who)) for person in room.here)
    return given, len(room.here) * len(room.round.task.items)
