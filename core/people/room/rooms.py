"""The rooms of a server: opened, joined and answered in."""

import hmac
import itertools
import logging
import math
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NoReturn

from core import limits
from core.digests import read_signed, signed
from core.errors import InputError
from core.journal.entries import Entry, NewEntry
from core.journal.folds import Folds
from core.journal.journal import Journal
from core.people.judges import new_token, token_digest
from core.people.room.attempts import Ask, checked_texts
from core.people.room.codes import later_code, new_code, read_code
from core.people.room.replay import RoomRefusal, not_answering, outcome, replay
from core.people.room.state import TEACHER, Room, RoomPerson, RoomStep
from core.people.room.task import LONGEST_WRITTEN, RoomTask, checked_task, shown_order, task_body
from core.text.nicknames import checked_nickname

log = logging.getLogger("headline_lab")
PREFIX: Final = "rooms/"
IDLE: Final = timedelta(hours=12)  # a room in which nothing was done for so long no longer counts as open
_LOGGED: Final = 200  # refusals stored in one room; more stand in the log of the server alone
TICKET_SECONDS: Final = 2 * 3600  # it ends at the second whole multiple of half of that
ENDED: Final = -1  # in the place of a code's number: that of a ticket that is too old


class RoomRefused(InputError):
    def __init__(self, reason: RoomRefusal) -> None:
        self.reason = reason
        said, _, hint = reason.value.partition(". ")
        super().__init__(f"{said}.", hint=hint)


class NoSuchRoom(InputError):
    """No room has the code, or a ticket is none of this server."""


class Rooms:
    """The rooms of a server, whose secret signs tickets; without one they end with this object."""

    def __init__(
        self,
        entries: Journal,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        secret: bytes = b"",
        look: float = 0.0,
    ) -> None:
        """For `look` seconds a look is answered from the last one, unless something was done here."""
        self._entries, self._time, self._secret = entries, now, secret or secrets.token_bytes(32)
        self._look, self._looks = look, dict[str, tuple[float, Room | None]]()
        self._rooms: Folds[Room | None] = Folds()
        self._seen: dict[str, dict[str, datetime]] = {}
        self._lock = threading.RLock()

    def open(
        self, task: RoomTask, *, lobby: bool = False, material: Mapping[str, str] = {}
    ) -> tuple[str, str]:
        """Opens a room, drawn from `material`; gives its code and the token of who opened it."""
        checked_task(task)
        with self._lock:
            if len(list(self._open_rooms())) >= limits.OPEN_ROOMS.value:
                said = f"{limits.OPEN_ROOMS.value:,} rooms are open on this server already."
                raise InputError(said, hint=f"Close one, or raise {limits.OPEN_ROOMS.variable}.")
            code, token = new_code(), new_token()
            while self._room(code) is not None:
                code = new_code()
            body = {"code": code, "teacher": token_digest(token), "task": task_body(task), "lobby": lobby}
            body |= {"most_people": limits.ROOM_PEOPLE.value, "material": dict(material)}
            self._append(code, self._entry(RoomStep.OPENED, TEACHER, body))
        return code, token

    def code_shown(self, code: str) -> str:
        """The letters that let people into a room now; others come after half of their seats are taken."""
        door = self.room(code).door
        return later_code(self._secret, code, door) if door else code

    def ticket(self, code: str) -> str:
        """What stands in a link in the place of these letters: signed, and of use for an hour or two."""
        half = TICKET_SECONDS // 2
        end = (int(self._time().timestamp()) // half + 2) * half
        return signed(self._secret, "ticket", f"{code}.{self.room(code).door}.{end}")

    def screen(self, code: str) -> str:
        """What stands in the link of a room's screen: only the teacher gets it, and it controls nothing."""
        return signed(self._secret, "screen", code)

    def find_screen(self, given: str) -> str:
        return self.room(read_signed(self._secret, "screen", given)).code

    def find(self, given: str) -> tuple[str, int]:
        """The room that a code or a ticket is for, and the number of the code, `ENDED` if it is too old."""
        ticket = read_signed(self._secret, "ticket", given).split(".")
        code = read_code(given)
        if len(ticket) == 3 and self._room(ticket[0]) is not None:
            return ticket[0], int(ticket[1]) if int(ticket[2]) > self._time().timestamp() else ENDED
        if code and self._room(code) is not None:
            return code, 0
        for room in self._open_rooms() if code else ():
            for door in range(1, room.door + 1):
                if later_code(self._secret, room.code, door) == code:
                    return room.code, door
        log.info("Room: there is none with the code %.20r.", given)
        hint = "Scan or type the code as it stands on the screen."
        raise NoSuchRoom("There is no room with this code.", hint=hint)

    def room(self, code: str) -> Room:
        room = self._room(code)
        if room is None:
            raise NoSuchRoom("This room is not there any more.", hint="Ask for the code of a new one.")
        return room

    def join(self, code: str, nickname: str, *, browser: str, door: int, simulated: bool = False) -> None:
        """Lets a browser in, by its token, under the nickname that was typed there."""
        try:
            name = checked_nickname(nickname)
        except InputError:
            self._log_refused(code, RoomStep.JOINED, "", "the nickname has other signs")
            raise
        body = {"nickname": name, "browser": token_digest(f"{code} {browser}"), "door": door}
        body |= {"simulated": True} if simulated else {}
        with self._lock:
            self._do(code, RoomStep.JOINED, secrets.token_hex(8), body)
            turn = self._entry(RoomStep.NEW_CODE, TEACHER, {})
            if isinstance(outcome(self.room(code), turn), Room):
                self._append(code, turn)

    def person(self, code: str, browser: str) -> RoomPerson | None:
        digest, here = token_digest(f"{code} {browser}"), self.room(code).here
        # All are compared, each in the same time: how long it takes says nothing about the hashes.
        matches = [person for person in here if hmac.compare_digest(person.browser, digest)]
        return matches[-1] if matches else None

    def room_of(self, browser: str) -> str:
        """Code of the open room that a browser is in, the one that was used last; "" for none."""
        return next((room.code for room in self._open_rooms() if self.person(room.code, browser)), "")

    def is_teacher(self, code: str, token: str) -> bool:
        return hmac.compare_digest(self.room(code).teacher, token_digest(token))

    def answer(
        self, code: str, browser: str, *, began: int, item: str, answer: str, reason: str | None = None
    ) -> None:
        room, person = self.room(code), self.person(code, browser)
        if person is None:
            self._refuse(code, RoomStep.ANSWERED, "", RoomRefusal.NOT_HERE)
        task = room.round.task
        asked = task.item(item)
        shown = [] if asked is None else [asked.texts[at] for at in shown_order(task, asked, person.who)]
        body = {"round": room.round.number, "vote": room.round.vote, "began": began, "item": item[:200]}
        body |= {"answer": answer[:200], "shown": {"texts": shown, "task": task.fingerprint}}
        if reason is not None:
            body["reason"] = reason[: 10 * LONGEST_WRITTEN]
        self._do(code, RoomStep.ANSWERED, person.who, body)

    def attempt(
        self, code: str, browser: str, *, began: int, item: str, typed: Sequence[str], ask: Ask
    ) -> None:
        """Asks the model about the headlines of an item as they were typed, and stores what it says."""
        person, asked = self.person(code, browser), self.room(code).round.task.item(item)
        if person is None or asked is None:
            raise RoomRefused(RoomRefusal.NOT_HERE if person is None else RoomRefusal.OVER)
        round_ = self.room(code).round
        texts = checked_texts(asked, typed)
        body = {"round": round_.number, "began": began, "item": item[:200], "texts": list(texts)}
        body["shown"] = {"task": round_.task.fingerprint}
        reason = not_answering(self.room(code), self._entry(RoomStep.TRIED, person.who, body))
        if sum(attempt.who == person.who for attempt in round_.attempts) >= limits.ROOM_ATTEMPTS.value:
            reason = reason or RoomRefusal.OFTEN
        if reason is not None:
            self._refuse(code, RoomStep.TRIED, person.who, reason)
        # Nobody waits for the model but who asked it; what became impossible meanwhile is refused after it.
        self._do(code, RoomStep.TRIED, person.who, {**body, "scores": list(ask([texts])[0])})

    def act(self, code: str, token: str, step: RoomStep, **body: Any) -> None:
        """Does what only a teacher may do; a removal names a `person`, a new round its `task`."""
        if not self.is_teacher(code, token):
            self._refuse(code, step, "", RoomRefusal.NOT_TEACHER)
        if "task" in body:
            body = {**body, "task": task_body(checked_task(body["task"]))}
        self._do(code, step, TEACHER, body)

    def see(self, code: str, who: str) -> None:
        with self._lock:
            self._seen.setdefault(code, {})[who] = self._time()

    def seen(self, code: str) -> Mapping[str, datetime]:
        with self._lock:
            return dict(self._seen.get(code, {}))

    def _room(self, code: str) -> Room | None:
        # Without the lock: thirty phones look twenty times a second, and must not wait for who writes.
        before, known = self._looks.get(code, (-math.inf, None))
        if time.monotonic() - before < self._look:
            return known
        with self._lock:
            began, entries = time.monotonic(), self._entries.read(PREFIX + code)
            if not entries:
                return None
            room = self._rooms.fold(code, entries, lambda: None, lambda room, new: replay(new, room))
            self._looks[code] = began, room
            return room

    def _append(self, code: str, entry: NewEntry) -> Entry:
        with self._lock:
            (stored,) = self._entries.append(PREFIX + code, [entry])
            self._looks.pop(code, None)
            return stored

    def latest(self) -> Iterator[Room]:
        """All rooms of the server, the one that was used last first."""
        streams = self._entries.streams(PREFIX)
        yield from filter(None, (self._room(stream.removeprefix(PREFIX)) for stream in streams))

    def _open_rooms(self) -> Iterator[Room]:
        used = itertools.takewhile(lambda room: self._time() - room.last < IDLE, self.latest())
        yield from (room for room in used if not room.closed)

    def _do(self, code: str, step: RoomStep, who: str, body: Mapping[str, Any]) -> None:
        with self._lock:
            self._looks.pop(code, None)
            room, entry = self.room(code), self._entry(step, who, body)
            changed = outcome(room, entry)
            if isinstance(changed, RoomRefusal):
                self._refuse(code, step, who, changed)
            stored = self._append(code, entry)
            entries = self._entries.read(PREFIX + code)
            earlier = [*itertools.takewhile(lambda other: other.id != stored.id, entries)]
            before = replay(earlier) if earlier[-1].sequence > room.sequence else None
            if before is not None:  # another server was quicker: it may not count any more
                changed = outcome(before, entry)
                if isinstance(changed, RoomRefusal):
                    raise RoomRefused(changed)

    def _refuse(self, code: str, step: RoomStep, who: str, reason: RoomRefusal) -> NoReturn:
        self._log_refused(code, step, who, reason.value)
        raise RoomRefused(reason)

    def _log_refused(self, code: str, step: RoomStep, who: str, why: str) -> None:
        log.warning("Room %s: %s by %.20r refused: %s", code, step.value, who, why)
        if self.room(code).refused < _LOGGED:
            self._append(code, self._entry(RoomStep.REFUSED, who, {"step": step.value, "why": why}))

    def _entry(self, step: RoomStep, who: str, body: Mapping[str, Any]) -> NewEntry:
        return NewEntry(kind=step.value, who=who, when=self._time(), body=body)
