"""The league of those who broke the model."""

from core.people.room.attempts import Attempt
from core.people.room.state import Room, RoomPerson, RoomRound


def counted_attempts(room: Room, round_: RoomRound) -> list[Attempt]:
    """The contradictions that count, of those who are in the room, the oldest first."""
    here = {person.who for person in room.here}
    return [attempt for attempt in round_.attempts if attempt.counts and attempt.who in here]


def standings(room: Room) -> list[tuple[RoomPerson, int]]:
    """Who found how many contradictions: the most first, then who had as many first."""
    counts: dict[str, int] = {}
    for attempt in counted_attempts(room, room.round):
        # Who reached a number later comes later: a sort keeps the order of what is equal.
        counts[attempt.who] = counts.pop(attempt.who, 0) + 1
    return [(room.people[who], counts[who]) for who in sorted(counts, key=lambda who: -counts[who])]
