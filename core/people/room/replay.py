"""What follows from the entries of a room: a pure function; one that is not allowed changes nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from core.journal.entries import Entry, NewEntry
from core.people.room.attempts import BROKEN, Attempt, contradictions, wording
from core.people.room.state import (
    LONGEST_COUNTDOWN,
    TEACHER,
    Room,
    RoomPerson,
    RoomPhase,
    RoomRound,
    RoomStep,
)
from core.people.room.task import LONGEST_WRITTEN, RoomKind, RoomTask, task_of
from core.text.nicknames import nickname_key
from core.text.normalise import clean_line

NOT_LED: Final = (RoomKind.BREAK, RoomKind.GROUPS)  # their items are no questions of their own


class RoomRefusal(StrEnum):
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
    if not room.round.vote or body["began"] != room.round.began or room.round.over(entry.when):
        return RoomRefusal.OVER
    item = room.round.task.item(body["item"])
    if item is None or item not in room.round.asked:
        return RoomRefusal.ITEM
    if entry.kind == RoomStep.TRIED:
        fits = room.round.task.kind is RoomKind.BREAK and len(body.get("texts", ())) == len(item.texts)
    else:
        fits = room.round.task.takes(item, body["answer"])
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
    again, reason = round_.vote == 2, clean_line(str(body.get("reason", "")))[:LONGEST_WRITTEN]
    if reason or ("reason" in body and (not again or ballot in round_.reasons_again)):
        changed["reasons"] = {**round_.reasons, ballot: reason}
        changed["reasons_again"] = round_.reasons_again | ({ballot} if again else set())
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


def _taught(room: Room, entry: NewEntry) -> Room | None:  # noqa: C901, PLR0912 - each step is a line or two
    round_, phase, body = room.round, room.round.phase, entry.body
    match entry.kind:
        case RoomStep.PAUSED if not room.paused:
            return replace(room, paused=True, round=replace(round_, until=None))
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
        case RoomStep.VOTE_AGAIN if may_vote_again(round_):
            return replace(room, round=_in_phase(round_, RoomPhase.AGAIN, entry))
        case RoomStep.SOLVED if may_vote_again(round_):
            solved = round_.solved | {item.key for item in round_.asked}
            return replace(room, round=replace(round_, solved=solved))
        case RoomStep.COUNTDOWN if round_.vote and not room.paused:
            seconds = min(max(int(body["seconds"]), 1), LONGEST_COUNTDOWN)
            return replace(room, round=replace(round_, until=entry.when + timedelta(seconds=seconds)))
        case RoomStep.LED if may_lead(round_) and body["item"] != round_.led:
            if round_.task.item(body["item"]) is not None:
                return replace(room, round=_led(round_, body["item"], entry))
        case RoomStep.SHOWN if (
            not round_.vote and not round_.led and round_.task.item(body["item"]) is not None
        ):
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
        case RoomStep.RESET if round_.first or round_.led or phase not in {RoomPhase.BLIND, RoomPhase.LOBBY}:
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


def may_vote_again(round_: RoomRound) -> bool:
    solved = any(item.key in round_.solved for item in round_.asked)
    return round_.phase == RoomPhase.REVEALED and round_.task.kind is not RoomKind.BREAK and not solved


def may_lead(round_: RoomRound) -> bool:
    """Whether all can be asked one item; what everybody answered at their own pace before it stays."""
    begins = round_.phase in {RoomPhase.LOBBY, RoomPhase.BLIND}
    return round_.task.kind not in NOT_LED and (begins or bool(round_.led))


def _led(round_: RoomRound, key: str, entry: NewEntry) -> RoomRound:
    left = dict(round_.left)
    if round_.led:  # a second vote that is left is over
        left[round_.led] = RoomPhase.COMPARED if round_.phase == RoomPhase.AGAIN else round_.phase
    return _in_phase(replace(round_, led=key, left=left), left.get(key, RoomPhase.BLIND), entry)


def _begun(number: int, task: RoomTask, entry: NewEntry, *, lobby: bool = False) -> RoomRound:
    phase = RoomPhase.LOBBY if lobby else RoomPhase.BLIND
    begun = RoomRound(number=number, task=task, began=0, since=entry.when)
    return _in_phase(begun, phase, entry)


def _in_phase(before: RoomRound, phase: RoomPhase, entry: NewEntry) -> RoomRound:
    began = entry.sequence if isinstance(entry, Entry) else 0  # what is not stored yet begins nothing
    return replace(before, phase=phase, began=began, since=entry.when, shown="", until=None)
