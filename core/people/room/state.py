"""What follows from the entries of a room: a pure function; an entry that is not allowed changes nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from core.journal.entries import Entry, NewEntry
from core.people.room.attempts import BROKEN, Attempt, contradictions, wording
from core.people.room.task import Ballot, RoomKind, RoomTask, nickname_key, task_of
from core.text.normalise import clean_line

TEACHER: Final = "teacher"  # who does what a teacher does; no participant has this id

RoomStep = StrEnum(
    "RoomStep",
    "OPENED JOINED STARTED ANSWERED TRIED PAUSED RESUMED LOCKED UNLOCKED REVEALED SHOWN REASON_HIDDEN "
    "NICKNAMES VOTE_AGAIN NEW_ROUND RESET RESET_UNDONE REMOVED NEW_CODE EMPTIED CLOSED REFUSED",
)
"""Kinds of the entries of a room."""


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
    """What is wrong, and what to do."""

    CLOSED = "This room is closed. Ask for the code of a new one."
    LOCKED = "This room takes nobody in any more. Ask the person who opened the room."
    FULL = "This room is full. Ask the person who opened the room."
    CODE = "This code takes nobody in any more. Scan or type the one that the screen shows now."
    NICKNAME = "Somebody in this room is called that. Take another nickname, or add a letter."
    TWICE = "This browser is in the room already. Reload the page to go on under your nickname."
    NOT_HERE = "You are not in this room. Ask the person who opened the room."
    PAUSED = "The room is paused. Wait until it goes on."
    OVER = "This vote is over. Look at the screen."
    ITEM = "This round does not ask that. Look at the screen."
    ANSWER = "That is not one of the answers. Look at the screen."
    OFTEN = "You have asked the model as often as one round allows. Watch the screen until the next round."
    NOT_TEACHER = "Only the person who opened the room can do that. Ask that person."
    NOT_NOW = "That is not possible at the moment. Look at the screen."


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
        """What was pressed in the vote that is on or was on last."""
        return self.second if self.phase in (RoomPhase.AGAIN, RoomPhase.COMPARED) else self.first

    @property
    def kept(self) -> Mapping[Ballot, str]:
        """First answers that are the second as well, since nothing was pressed until the vote was over."""
        pressed = self.second if self.phase == RoomPhase.COMPARED else self.first
        return {ballot: answer for ballot, answer in self.first.items() if ballot not in pressed}

    @property
    def standing(self) -> Mapping[Ballot, str]:
        """What counts as the answers of that vote."""
        return {**self.answers, **self.kept}


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
        """Number of the code on the screen."""
        return len(self.doors) - 1

    @property
    def seats(self) -> int:
        """So many join by one code at most, so that nobody fills the room with made-up browsers."""
        return max(1, self.most_people // CODES_OF_A_ROOM)

    def answers_of(self, who: str) -> dict[str, str]:
        """What one participant answered in the vote that is on or was on last, by item."""
        return {item: answer for (whose, item), answer in self.round.answers.items() if whose == who}


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
                material=entry.body.get("material", {}),
                sequence=entry.sequence,
                last=entry.when,
            )
    return room


def after(room: Room, entry: Entry) -> Room:
    changed = outcome(room, entry)
    if isinstance(changed, RoomRefusal):
        changed = replace(room, refused=room.refused + 1)
    return replace(changed, sequence=entry.sequence, last=entry.when)


def outcome(room: Room, entry: NewEntry) -> Room | RoomRefusal:
    """The room after an entry, or why it is not allowed."""
    if room.closed:
        return RoomRefusal.CLOSED
    if entry.kind == RoomStep.JOINED:
        return _not_joining(room, entry) or _joined(room, entry)
    if entry.kind in {RoomStep.ANSWERED, RoomStep.TRIED}:
        return not_answering(room, entry) or _answered(room, entry)
    if entry.who != TEACHER:
        return RoomRefusal.NOT_TEACHER
    return _taught(room, entry) or RoomRefusal.NOT_NOW


def not_answering(room: Room, entry: NewEntry) -> RoomRefusal | None:
    person, body = room.people.get(entry.who), entry.body
    if room.closed:
        return RoomRefusal.CLOSED
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
    else:
        fits = body["answer"] in room.round.task.options_of(item)
    return None if fits else RoomRefusal.ANSWER


def _answered(room: Room, entry: NewEntry) -> Room:
    ballot, round_, body = (entry.who, entry.body["item"]), room.round, entry.body
    changed: dict[str, Any] = {}
    if entry.kind == RoomStep.TRIED:
        attempt = _attempt(round_, entry.who, body, entry.when)
        changed["attempts"] = (*round_.attempts, attempt)
        if attempt.counts:
            changed["first"] = {**round_.first, ballot: BROKEN}
    else:
        changed["first" if round_.vote == 1 else "second"] = {**round_.answers, ballot: body["answer"]}
    if "reason" in body:
        changed["reasons"] = {**round_.reasons, ballot: clean_line(str(body["reason"]))[:LONGEST_REASON]}
    people = {**room.people, entry.who: replace(room.people[entry.who], answered=entry.when)}
    return replace(room, people=people, round=replace(round_, **changed))


def _attempt(round_: RoomRound, who: str, body: Mapping[str, Any], when: datetime) -> Attempt:
    item, texts, scores = body["item"], tuple(body["texts"]), tuple(body["scores"])
    known = (wording(other.texts) for other in round_.attempts if other.counts and other.item == item)
    counts = (
        bool(contradictions(scores, round_.task.threshold))
        and (who, item) not in round_.first
        and wording(texts) not in known
    )
    return Attempt(who, item, texts, scores, when, counts)


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


def _joined(room: Room, entry: NewEntry) -> Room:
    nickname, browser, door = (entry.body[name] for name in ("nickname", "browser", "door"))
    simulated = entry.body.get("simulated") is True
    about = {"who": entry.who, "nickname": nickname, "browser": browser, "simulated": simulated}
    person = RoomPerson(**about, joined=entry.when)
    doors = tuple(count + (door == at) for at, count in enumerate(room.doors))
    return replace(room, people={**room.people, entry.who: person}, doors=doors)


def reasons_for(room: Room, item: str, *, hidden: bool = False) -> list[tuple[Ballot, str]]:
    """What people in the room wrote about an item; what was hidden only where asked for."""
    return [
        (ballot, reason)
        for ballot, reason in counted(room, room.round.reasons).items()
        if ballot[1] == item and reason and (hidden or ballot not in room.round.hidden)
    ]


def _taught(room: Room, entry: NewEntry) -> Room | None:  # noqa: C901, PLR0912 - each step is a line or two
    """The room after a step of its teacher; None where that is not possible."""
    round_, phase, body = room.round, room.round.phase, entry.body
    match entry.kind:
        case RoomStep.PAUSED if not room.paused:
            return replace(room, paused=True)
        case RoomStep.RESUMED if room.paused:
            return replace(room, paused=False, round=replace(round_, since=entry.when))
        case RoomStep.LOCKED | RoomStep.UNLOCKED if room.locked != (entry.kind == RoomStep.LOCKED):
            return replace(room, locked=not room.locked)
        case RoomStep.NICKNAMES:
            return replace(room, nameless=not room.nameless)
        case RoomStep.STARTED if phase == RoomPhase.LOBBY:
            return replace(room, round=_in_phase(round_, RoomPhase.BLIND, entry))
        case RoomStep.REVEALED if round_.vote:
            shown = RoomPhase.REVEALED if phase == RoomPhase.BLIND else RoomPhase.COMPARED
            return replace(room, round=_in_phase(round_, shown, entry))
        case RoomStep.VOTE_AGAIN if phase == RoomPhase.REVEALED and round_.task.kind != RoomKind.BREAK:
            return replace(room, round=_in_phase(round_, RoomPhase.AGAIN, entry))
        case RoomStep.SHOWN if not round_.vote and round_.task.item(body["item"]) is not None:
            return replace(room, round=replace(round_, shown=body["item"]))
        case RoomStep.REASON_HIDDEN:
            ballot = body["person"], body["item"]
            if ballot in round_.reasons or ballot in round_.first:
                return replace(room, round=replace(round_, hidden=round_.hidden ^ {ballot}))
        case RoomStep.NEW_ROUND:
            begun = _begun(round_.number + 1, task_of(body["task"]), entry)
            material = body.get("material", room.material)
            earlier = *room.earlier, round_
            return replace(room, round=begun, earlier=earlier, before_reset=None, material=material)
        case RoomStep.RESET if round_.first or phase not in {RoomPhase.BLIND, RoomPhase.LOBBY}:
            return replace(room, round=_begun(round_.number, round_.task, entry), before_reset=round_)
        case RoomStep.RESET_UNDONE if room.before_reset is not None:
            before = _in_phase(room.before_reset, room.before_reset.phase, entry)
            return replace(room, round=before, before_reset=None)
        case RoomStep.REMOVED if body["person"] in {person.who for person in room.here}:
            removed = replace(room.people[body["person"]], removed=True)
            return replace(room, people={**room.people, removed.who: removed})
        case RoomStep.NEW_CODE if 2 * room.doors[-1] >= room.seats:
            return replace(room, doors=(*room.doors, 0))
        case RoomStep.EMPTIED if room.here:
            return replace(room, people={}, doors=(*room.doors, 0), shut=len(room.doors))
        case RoomStep.CLOSED:
            return replace(room, closed=True)
    return None


def _begun(number: int, task: RoomTask, entry: NewEntry, *, lobby: bool = False) -> RoomRound:
    phase = RoomPhase.LOBBY if lobby else RoomPhase.BLIND
    begun = RoomRound(number=number, task=task, began=0, since=entry.when)
    return _in_phase(begun, phase, entry)


def _in_phase(before: RoomRound, phase: RoomPhase, entry: NewEntry) -> RoomRound:
    began = entry.sequence if isinstance(entry, Entry) else 0  # what is not stored yet begins nothing
    return replace(before, phase=phase, began=began, since=entry.when, shown="")


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
