"""What follows from the entries of a room: a pure function; an entry that is not allowed changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from core.journal.entries import Entry, NewEntry
from core.people.room.league import BROKEN, Attempt, attempt_of
from core.people.room.task import Ballot, RoomKind, RoomTask, nickname_key, task_of
from core.text.normalise import clean_line

TEACHER: Final = "teacher"  # who does what a teacher does; no participant has this id


class RoomStep(StrEnum):
    OPENED = "opened"
    JOINED = "joined"
    STARTED = "started"
    ANSWERED = "answered"
    TRIED = "tried"
    PAUSED = "paused"
    RESUMED = "resumed"
    LOCKED = "locked"
    UNLOCKED = "unlocked"
    REVEALED = "revealed"
    SHOWN = "shown"
    REASON_HIDDEN = "reason_hidden"
    NICKNAMES = "nicknames"
    VOTE_AGAIN = "vote_again"
    NEW_ROUND = "new_round"
    RESET = "reset"
    RESET_UNDONE = "reset_undone"
    REMOVED = "removed"
    NEW_CODE = "new_code"
    EMPTIED = "emptied"
    CLOSED = "closed"
    REFUSED = "refused"


class RoomPhase(StrEnum):
    """Where a round is: people come, the first vote, its answers shown, the second vote, both compared."""

    LOBBY = "lobby"
    BLIND = "blind"
    REVEALED = "revealed"
    AGAIN = "again"
    COMPARED = "compared"


LONGEST_REASON: Final = 140
CODES_OF_A_ROOM: Final = 5  # one code lets in so many times fewer than fit into a room
VOTES: Final = {RoomPhase.BLIND: 1, RoomPhase.AGAIN: 2}  # phases of answers, the number of the vote


class RoomRefusal(StrEnum):
    CLOSED = "This room is closed."
    LOCKED = "This room takes nobody in any more."
    FULL = "This room is full."
    CODE = "This code takes nobody in any more."
    NICKNAME = "Somebody in this room is called that."
    TWICE = "This browser is in the room already."
    NOT_HERE = "You are not in this room."
    PAUSED = "The room is paused."
    OVER = "This vote is over."
    ITEM = "This round does not ask that."
    ANSWER = "That is not one of the answers."
    OFTEN = "You have asked the model as often as one round allows."
    NOT_TEACHER = "Only the person who opened the room can do that."
    NOT_NOW = "That is not possible at the moment."


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
    """A task put to the room, with up to two votes; an answer names the entry that `began` its phase."""

    number: int
    task: RoomTask
    began: int
    since: datetime
    phase: RoomPhase = RoomPhase.BLIND
    first: Mapping[Ballot, str] = field(default_factory=dict)
    second: Mapping[Ballot, str] = field(default_factory=dict)
    attempts: tuple[Attempt, ...] = ()
    reasons: Mapping[Ballot, str] = field(default_factory=dict)  # sentences that came with answers
    hidden: frozenset[Ballot] = frozenset()  # whose reasons or headlines the teacher took from the screen
    shown: str = ""  # key of the item whose answers are on the screen; "" for the most divided one

    @property
    def vote(self) -> int:
        """Number of the vote that is on; 0 where none is."""
        return VOTES.get(self.phase, 0)

    @property
    def answers(self) -> Mapping[Ballot, str]:
        return self.second if self.phase in (RoomPhase.AGAIN, RoomPhase.COMPARED) else self.first


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A room as it stands."""

    code: str
    teacher: str  # SHA-256 of the token of who opened it
    round: RoomRound
    most_people: int
    doors: tuple[int, ...] = (0,)  # how many joined by each code, the last of which is on the screen
    shut: int = 0  # the first so many take nobody in any more
    earlier: tuple[RoomRound, ...] = ()
    before_reset: RoomRound | None = None
    people: Mapping[str, RoomPerson] = field(default_factory=dict)
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
        """Number of the code on the screen."""
        return len(self.doors) - 1

    @property
    def seats(self) -> int:
        """So many join by one code at most, so that nobody fills the room with made-up browsers."""
        return max(1, self.most_people // CODES_OF_A_ROOM)

    def answers_of(self, who: str) -> dict[str, str]:
        """What one participant answered in the vote that is on or was on last, by item."""
        return {item: answer for (whose, item), answer in self.round.answers.items() if whose == who}


def counted(room: Room, answers: Mapping[Ballot, str]) -> dict[Ballot, str]:
    here = {person.who for person in room.here}
    return {ballot: answer for ballot, answer in answers.items() if ballot[0] in here}


def replay(entries: Iterable[Entry], room: Room | None = None) -> Room | None:
    for entry in entries:
        if room is not None:
            room = after(room, entry)
        elif entry.kind == RoomStep.OPENED:
            room = Room(
                code=entry.body["code"],
                teacher=entry.body["teacher"],
                round=_begun(1, task_of(entry.body["task"]), entry, lobby=entry.body.get("lobby") is True),
                most_people=entry.body["most_people"],
                sequence=entry.sequence,
                last=entry.when,
            )
    return room


def after(room: Room, entry: Entry) -> Room:
    if entry.kind == RoomStep.REFUSED or refusal(room, entry) is not None:
        changed = replace(room, refused=room.refused + 1)
    elif entry.kind == RoomStep.JOINED:
        nickname, browser, joined_by = (entry.body[name] for name in ("nickname", "browser", "door"))
        person = RoomPerson(
            who=entry.who,
            nickname=nickname,
            browser=browser,
            joined=entry.when,
            simulated=entry.body.get("simulated") is True,
        )
        doors = tuple(count + (door == joined_by) for door, count in enumerate(room.doors))
        changed = replace(room, people={**room.people, entry.who: person}, doors=doors)
    elif entry.kind == RoomStep.ANSWERED:
        changed = _answered(room, entry)
    elif entry.kind == RoomStep.TRIED:
        changed = _tried(room, entry)
    else:
        changed = _STEPS[entry.kind][1](room, entry)
    return replace(changed, sequence=entry.sequence, last=entry.when)


def refusal(room: Room, entry: NewEntry) -> RoomRefusal | None:
    if entry.kind == RoomStep.REFUSED:
        return None
    if room.closed:
        return RoomRefusal.CLOSED
    if entry.kind == RoomStep.JOINED:
        return _not_joining(room, entry)
    if entry.kind in {RoomStep.ANSWERED, RoomStep.TRIED}:
        return _not_answering(room, entry)
    if entry.who != TEACHER:
        return RoomRefusal.NOT_TEACHER
    step = _STEPS.get(entry.kind)
    return None if step is not None and step[0](room, entry) else RoomRefusal.NOT_NOW


def _not_answering(room: Room, entry: NewEntry) -> RoomRefusal | None:
    person, body = room.people.get(entry.who), entry.body
    if person is None or person.removed:
        return RoomRefusal.NOT_HERE
    if room.paused:
        return RoomRefusal.PAUSED
    if not room.round.vote or body["began"] != room.round.began:
        return RoomRefusal.OVER
    item = room.round.task.item(body["item"])
    if item is None:
        return RoomRefusal.ITEM
    if entry.kind == RoomStep.TRIED:
        fits = room.round.task.kind is RoomKind.BREAK and len(body.get("texts", ())) == len(item.texts)
        return None if fits else RoomRefusal.ANSWER
    allowed = {option.value for option in room.round.task.options_of(item)}
    return None if body["answer"] in allowed else RoomRefusal.ANSWER


def _not_joining(room: Room, entry: NewEntry) -> RoomRefusal | None:
    if room.locked:
        return RoomRefusal.LOCKED
    if len(room.here) >= room.most_people:
        return RoomRefusal.FULL
    door = entry.body["door"]
    if not room.shut <= door <= room.door or room.doors[door] >= room.seats:
        return RoomRefusal.CODE
    if any(person.browser == entry.body["browser"] for person in room.here):
        return RoomRefusal.TWICE
    key = nickname_key(entry.body["nickname"])
    taken = not key or entry.who in room.people or entry.who == TEACHER
    if taken or any(nickname_key(person.nickname) == key for person in room.people.values()):
        return RoomRefusal.NICKNAME
    return None


def _answered(room: Room, entry: Entry) -> Room:
    ballot = (entry.who, entry.body["item"])
    answers = {**room.round.answers, ballot: entry.body["answer"]}
    people = {**room.people, entry.who: replace(room.people[entry.who], answered=entry.when)}
    reasons = dict(room.round.reasons)
    if "reason" in entry.body:
        reasons[ballot] = clean_line(str(entry.body["reason"]))[:LONGEST_REASON]
    round_ = replace(room.round, reasons=reasons)
    changed = replace(round_, first=answers) if room.round.vote == 1 else replace(round_, second=answers)
    return replace(room, people=people, round=changed)


def reasons_for(room: Room, item: str, *, hidden: bool = False) -> list[tuple[Ballot, str]]:
    """What people in the room wrote about an item; what was hidden only where asked for."""
    return [
        (ballot, reason)
        for ballot, reason in counted(room, room.round.reasons).items()
        if ballot[1] == item and reason and (hidden or ballot not in room.round.hidden)
    ]


def _reason_hidden(room: Room, entry: Entry) -> Room:
    hidden = room.round.hidden ^ {(entry.body["person"], entry.body["item"])}
    return replace(room, round=replace(room.round, hidden=hidden))


def _tried(room: Room, entry: Entry) -> Room:
    attempt = attempt_of(room.round, entry.who, entry.body, entry.when)
    people = {**room.people, entry.who: replace(room.people[entry.who], answered=entry.when)}
    first = {**room.round.first, (attempt.who, attempt.item): BROKEN} if attempt.counts else room.round.first
    changed = replace(room.round, first=first, attempts=(*room.round.attempts, attempt))
    return replace(room, people=people, round=changed)


def _revealed(room: Room, entry: Entry) -> Room:
    shown = RoomPhase.REVEALED if room.round.phase == RoomPhase.BLIND else RoomPhase.COMPARED
    return replace(room, round=_in_phase(room.round, shown, entry))


def _new_round(room: Room, entry: Entry) -> Room:
    begun = _begun(room.round.number + 1, task_of(entry.body["task"]), entry)
    return replace(room, round=begun, earlier=(*room.earlier, room.round), before_reset=None)


def _reset(room: Room, entry: Entry) -> Room:
    begun = _begun(room.round.number, room.round.task, entry)
    return replace(room, round=begun, before_reset=room.round)


def _reset_undone(room: Room, entry: Entry) -> Room:
    before = room.before_reset or room.round
    return replace(room, round=_in_phase(before, before.phase, entry), before_reset=None)


def _removed(room: Room, entry: Entry) -> Room:
    who = entry.body["person"]
    return replace(room, people={**room.people, who: replace(room.people[who], removed=True)})


def _begun(number: int, task: RoomTask, entry: Entry, *, lobby: bool = False) -> RoomRound:
    phase = RoomPhase.LOBBY if lobby else RoomPhase.BLIND
    return RoomRound(number=number, task=task, began=entry.sequence, since=entry.when, phase=phase)


def _in_phase(before: RoomRound, phase: RoomPhase, entry: Entry) -> RoomRound:
    return replace(before, phase=phase, began=entry.sequence, since=entry.when, shown="")


_STEPS: Final[Mapping[str, tuple[Callable[[Room, NewEntry], bool], Callable[[Room, Entry], Room]]]] = {
    RoomStep.PAUSED: (lambda room, _: not room.paused, lambda room, _: replace(room, paused=True)),
    RoomStep.RESUMED: (
        lambda room, _: room.paused,
        lambda room, entry: replace(room, paused=False, round=replace(room.round, since=entry.when)),
    ),
    RoomStep.LOCKED: (lambda room, _: not room.locked, lambda room, _: replace(room, locked=True)),
    RoomStep.UNLOCKED: (lambda room, _: room.locked, lambda room, _: replace(room, locked=False)),
    RoomStep.STARTED: (
        lambda room, _: room.round.phase == RoomPhase.LOBBY,
        lambda room, entry: replace(room, round=_in_phase(room.round, RoomPhase.BLIND, entry)),
    ),
    RoomStep.SHOWN: (
        lambda room, entry: not room.round.vote and room.round.task.item(entry.body["item"]) is not None,
        lambda room, entry: replace(room, round=replace(room.round, shown=entry.body["item"])),
    ),
    RoomStep.REASON_HIDDEN: (
        lambda room, entry: (
            (entry.body["person"], entry.body["item"]) in {**room.round.reasons, **room.round.first}
        ),
        _reason_hidden,
    ),
    RoomStep.NICKNAMES: (lambda *_: True, lambda room, _: replace(room, nameless=not room.nameless)),
    RoomStep.REVEALED: (lambda room, _: bool(room.round.vote), _revealed),
    RoomStep.VOTE_AGAIN: (
        lambda room, _: room.round.phase == RoomPhase.REVEALED and room.round.task.kind != RoomKind.BREAK,
        lambda room, entry: replace(room, round=_in_phase(room.round, RoomPhase.AGAIN, entry)),
    ),
    RoomStep.NEW_ROUND: (lambda *_: True, _new_round),
    RoomStep.RESET: (
        lambda room, _: bool(room.round.first) or room.round.phase not in {RoomPhase.BLIND, RoomPhase.LOBBY},
        _reset,
    ),
    RoomStep.RESET_UNDONE: (lambda room, _: room.before_reset is not None, _reset_undone),
    RoomStep.REMOVED: (
        lambda room, entry: entry.body["person"] in {person.who for person in room.here},
        _removed,
    ),
    RoomStep.NEW_CODE: (
        lambda room, _: 2 * room.doors[-1] >= room.seats,
        lambda room, _: replace(room, doors=(*room.doors, 0)),
    ),
    RoomStep.EMPTIED: (
        lambda room, _: bool(room.here),
        lambda room, _: replace(room, people={}, doors=(*room.doors, 0), shut=len(room.doors)),
    ),
    RoomStep.CLOSED: (lambda *_: True, lambda room, _: replace(room, closed=True)),
}
"""What a teacher does: whether it is possible, and the room after it."""

STUCK: Final = timedelta(seconds=45)  # without an answer, while a vote is on
AWAY: Final = timedelta(seconds=15)  # without a sign of the phone, which gives one every second or two


class RoomPresence(StrEnum):
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
    items = len(room.round.task.items)
    for person in room.here:
        acted = max(person.joined, person.answered or person.joined)
        answered = len(room.answers_of(person.who))
        presence = RoomPresence.WORKING
        if answered >= items:
            presence = RoomPresence.DONE
        elif now - max(acted, seen.get(person.who, acted)) > AWAY:
            presence = RoomPresence.AWAY
        elif room.round.vote and not room.paused and now - max(acted, room.round.since) > STUCK:
            presence = RoomPresence.STUCK
        lines.append(RosterLine(person, answered, items, presence))
    return lines


def progress(room: Room) -> tuple[int, int]:
    """Answers given, and answers that everybody in the room will have given."""
    given = sum(len(room.answers_of(person.who)) for person in room.here)
    return given, len(room.here) * len(room.round.task.items)
