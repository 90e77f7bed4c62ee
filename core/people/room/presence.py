"""Who in a room works, is done, is stuck, or has gone."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from core.people.room.state import Room

STUCK: Final = timedelta(seconds=45)  # without an answer, while a vote is on
AWAY: Final = timedelta(seconds=15)  # without a sign of the phone, which gives one every second or two
RoomPresence = StrEnum("RoomPresence", "WORKING DONE STUCK AWAY")


def presences(room: Room, seen: Mapping[str, datetime], now: datetime) -> dict[str, RoomPresence]:
    """What everybody in a room does, in the order of joining; `seen` has the last signs of phones, in UTC."""
    does = {}
    for person in room.here:
        acted = max(person.joined, person.answered or person.joined)
        presence = RoomPresence.WORKING
        if len(room.answers_of(person.who)) >= len(room.round.task.items):
            presence = RoomPresence.DONE
        elif now - max(acted, seen.get(person.who, acted)) > AWAY:
            presence = RoomPresence.AWAY
        elif room.round.vote and not room.paused and now - max(acted, room.round.since) > STUCK:
            presence = RoomPresence.STUCK
        does[person.who] = presence
    return does


def progress(room: Room) -> tuple[int, int, int]:
    """Answers given, answers that everybody in the room will have given, and people who are done."""
    items, counts = len(room.round.task.items), [len(room.answers_of(person.who)) for person in room.here]
    return sum(counts), items * len(counts), counts.count(items)
