"""A room as it stands: its people and who works, its rounds, what they answered, and its league."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from core.people.room.attempts import Attempt
from core.people.room.task import Ballot, RoomItem, RoomTask, first_of_groups

TEACHER: Final = "teacher"  # who does what a teacher does; no participant has this id
CODES_OF_A_ROOM: Final = 5  # one code lets in so many times fewer than fit into a room
RoomStep = StrEnum(
    "RoomStep",
    "OPENED JOINED STARTED ANSWERED TRIED PAUSED RESUMED LOCKED UNLOCKED REVEALED SHOWN REASON_HIDDEN "
    "NICKNAMES VOTE_AGAIN LED COUNTDOWN SOLVED NEW_ROUND RESET RESET_UNDONE REMOVED NEW_CODE EMPTIED CLOSED "
    "REFUSED",
)
"""Kinds of the entries of a room."""
STUCK: Final = timedelta(seconds=45)  # without an answer, while a vote is on
LONGEST_COUNTDOWN: Final = 600  # seconds
AWAY: Final = timedelta(seconds=15)  # without a sign of the phone, which gives one every second or two
RoomPresence = StrEnum("RoomPresence", "WORKING DONE STUCK AWAY")


class RoomPhase(StrEnum):
    """Where a round is: people come, the first vote, its answers shown, the second vote, both compared."""

    LOBBY = "lobby"
    BLIND = "blind"
    REVEALED = "revealed"
    AGAIN = "again"
    COMPARED = "compared"


VOTES: Final = {RoomPhase.BLIND: 1, RoomPhase.AGAIN: 2}  # phases of answers, the number of the vote


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomPerson:
    """Somebody who joined with a browser, of whose token the SHA-256 is kept."""

    who: str
    nickname: str
    browser: str
    joined: datetime
    answered: datetime | None = None
    removed: bool = False
    simulated: bool = False  # by the teacher's page, which answers for it; no phone can say so


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRound:
    """A task put to the room, with up to two votes; an answer names the entry that `began` its phase.

    Led, all are asked the one item of which `phase` is then; those of the others are kept.
    """

    number: int
    task: RoomTask
    began: int
    since: datetime
    phase: RoomPhase = RoomPhase.BLIND
    first: Mapping[Ballot, str] = field(default_factory=dict)
    second: Mapping[Ballot, str] = field(default_factory=dict)
    attempts: tuple[Attempt, ...] = ()
    reasons: Mapping[Ballot, str] = field(default_factory=dict)  # sentences that came with answers
    reasons_again: frozenset[Ballot] = frozenset()  # those of them that came with the second vote
    hidden: frozenset[Ballot] = frozenset()  # whose reasons or headlines the teacher took from the screen
    shown: str = ""  # key of the item whose answers are on the screen; "" for the most divided one
    led: str = ""  # key of the item that all are asked now; "" where everybody has a pace of their own
    left: Mapping[str, RoomPhase] = field(default_factory=dict)  # phases of items that were led before
    solved: frozenset[str] = frozenset()  # items of which the room was told what is known
    until: datetime | None = None  # end of a countdown, after which no answer counts

    @property
    def vote(self) -> int:
        return VOTES.get(self.phase, 0)

    @property
    def answers(self) -> Mapping[Ballot, str]:
        return self.second if self.phase in (RoomPhase.AGAIN, RoomPhase.COMPARED) else self.first

    @property
    def kept(self) -> Mapping[Ballot, str]:
        """First answers that are the second as well, since nothing was pressed until the vote was over."""
        return {
            ballot: answer
            for ballot, answer in self.first.items()
            if ballot not in self.second and self.phase_of(ballot[1]) == RoomPhase.COMPARED
        }

    @property
    def standing(self) -> Mapping[Ballot, str]:
        """What counts as the answers of that vote."""
        return {**self.answers, **self.kept}

    @property
    def last(self) -> Mapping[Ballot, str]:
        """The last answers that anybody gave."""
        return {**self.first, **self.second}

    @property
    def reasoned(self) -> dict[Ballot, str]:
        """The answers that reasons were given for, each of the vote that its reason came with."""
        first, last = (first_of_groups(self.task, given) for given in (self.first, self.last))
        return first | {ballot: last[ballot] for ballot in self.reasons_again}

    @property
    def asked(self) -> tuple[RoomItem, ...]:
        led = self.task.item(self.led)
        return self.task.items if led is None else (led,)

    @property
    def at(self) -> int:
        """The place from 0 of the item that is led."""
        return [item.key for item in self.task.items].index(self.led)

    def phase_of(self, key: str) -> RoomPhase:
        return self.phase if self.led in ("", key) else self.left.get(key, RoomPhase.BLIND)

    def tells(self, key: str) -> bool:
        """Whether the room may see what is known of an item."""
        return self.phase_of(key) == RoomPhase.COMPARED or key in self.solved

    def seconds_left(self, now: datetime) -> int | None:
        return None if self.until is None else max(0, math.ceil((self.until - now).total_seconds()))

    def over(self, now: datetime) -> bool:
        return self.until is not None and now >= self.until


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    code: str
    teacher: str  # SHA-256 of the token of who opened it
    round: RoomRound
    most_people: int
    doors: tuple[int, ...] = (0,)  # how many joined by each code, the last of which is on the screen
    shut: int = 0  # the first so many take nobody in any more
    earlier: tuple[RoomRound, ...] = ()
    before_reset: RoomRound | None = None
    people: Mapping[str, RoomPerson] = field(default_factory=dict)
    material: Mapping[str, str] = field(default_factory=dict)  # names what the last task was drawn from
    nameless: bool = False  # the league shows numbers in the place of nicknames
    paused: bool = False
    locked: bool = False
    closed: bool = False
    sequence: int = 0  # of the last entry
    last: datetime
    refused: int = 0  # entries that were not allowed

    @property
    def here(self) -> tuple[RoomPerson, ...]:
        return tuple(person for person in self.people.values() if not person.removed)

    @property
    def door(self) -> int:
        return len(self.doors) - 1

    @property
    def seats(self) -> int:
        """So many join by one code at most, so that nobody fills the room with made-up browsers."""
        return max(1, self.most_people // CODES_OF_A_ROOM)

    def answers_of(self, who: str) -> dict[str, str]:
        """What one participant answered in the vote that is on or was on last, by item that is asked."""
        asked = {item.key for item in self.round.asked}
        given = self.round.answers.items()
        return {item: answer for (whose, item), answer in given if whose == who and item in asked}


def rounds_of(room: Room) -> list[RoomRound]:
    """All rounds; with its round a second vote is over as well."""
    rounds = [*room.earlier, room.round]
    over = len(rounds) if room.closed else len(room.earlier)
    return [
        replace(round_, phase=RoomPhase.COMPARED) if at < over and round_.phase == RoomPhase.AGAIN else round_
        for at, round_ in enumerate(rounds)
    ]


def counted(room: Room, answers: Mapping[Ballot, str]) -> dict[Ballot, str]:
    here = {person.who for person in room.here}
    return {ballot: answer for ballot, answer in answers.items() if ballot[0] in here}


def reasons_for(room: Room, item: str, *, hidden: bool = False) -> list[tuple[Ballot, str]]:
    """What people in the room wrote about an item; what was hidden only where asked for."""
    return [
        (ballot, reason)
        for ballot, reason in counted(room, room.round.reasons).items()
        if ballot[1] == item and reason and (hidden or ballot not in room.round.hidden)
    ]


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


def presences(room: Room, seen: Mapping[str, datetime], now: datetime) -> dict[str, RoomPresence]:
    """What everybody in a room does, in the order of joining; `seen` has the last signs of phones, in UTC."""
    does = {}
    for person in room.here:
        acted = max(person.joined, person.answered or person.joined)
        presence = RoomPresence.WORKING
        if len(room.answers_of(person.who)) >= len(room.round.asked):
            presence = RoomPresence.DONE
        elif now - max(acted, seen.get(person.who, acted)) > AWAY:
            presence = RoomPresence.AWAY
        elif room.round.vote and not room.paused and now - max(acted, room.round.since) > STUCK:
            presence = RoomPresence.STUCK
        does[person.who] = presence
    return does


def progress(room: Room) -> tuple[int, int, int]:
    """Answers given, answers that everybody in the room will have given, and people who are done."""
    items, counts = len(room.round.asked), [len(room.answers_of(person.who)) for person in room.here]
    return sum(counts), items * len(counts), counts.count(items)
