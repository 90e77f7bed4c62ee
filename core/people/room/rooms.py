"""The rooms of a server: opened, joined and answered in; what is not allowed is refused and logged.

A room's code lets people in, and nothing else. Who somebody is says a token, of which the journal holds the
hash alone: one for the teacher, one for each participant. A participant's token reads and writes that
person's answers and nothing more.
"""

from __future__ import annotations

import hmac
import logging
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from core import limits
from core.errors import InputError
from core.journal.entry import Entry, NewEntry
from core.people.room.log import RoomLog
from core.people.room.names import CodeGuard, checked_nickname, new_code, new_token, read_code, token_digest
from core.people.room.state import TEACHER, Room, RoomPerson, RoomRefusal, RoomStep, refusal, replay
from core.people.room.task import RoomTask, checked_task, shown_order, task_body

log = logging.getLogger("headline_lab")

PREFIX: Final = "rooms/"
IDLE: Final = timedelta(hours=12)
"""A room in which nothing was done for so long no longer counts as open."""
_KEPT_ROOMS: Final = 500
"""Rooms whose state is remembered; that of others follows from their entries again."""
_LOGGED: Final = 200
"""Refusals stored in one room; more stand in the log of the server alone."""
_ADDRESS_TRIES: Final = 6
"""A whole class may share one address: it has so many times the tries of one browser."""


class RoomRefused(InputError):
    """What somebody wanted to do in a room is not allowed.

    Attributes:
        reason: Why.
    """

    def __init__(self, reason: RoomRefusal) -> None:
        self.reason = reason
        super().__init__(reason.value, hint=_HINTS.get(reason, "Ask the person who opened the room."))


class NoSuchRoom(InputError):
    """No room has the code, or nobody may try any more for a while."""


_HINTS: Final = {
    RoomRefusal.TWICE: "Reload the page to go on under the nickname that you gave first.",
    RoomRefusal.NICKNAME: "Take another nickname, or add a letter.",
    RoomRefusal.PAUSED: "Wait until it goes on.",
    RoomRefusal.OVER: "Look at the screen.",
    RoomRefusal.CLOSED: "Ask for the code of a new one.",
}


class Rooms:
    """The rooms of a server.

    Args:
        entries: Where what is done is stored.
        now: The time, in UTC.
        guard: Counts wrong codes.
    """

    def __init__(
        self,
        entries: RoomLog,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        guard: CodeGuard | None = None,
    ) -> None:
        self._entries, self._time, self._guard = entries, now, guard or CodeGuard()
        self._rooms: dict[str, tuple[tuple[Entry, ...], Room | None]] = {}
        self._seen: dict[str, dict[str, datetime]] = {}
        self._lock = threading.RLock()

    def open(self, task: RoomTask) -> tuple[str, str]:
        """Opens a room; gives its code, and the token of who opened it.

        Raises:
            InputError: A room cannot be asked the task, or too many are open.
        """
        checked_task(task)
        with self._lock:
            if self._open_rooms() >= limits.OPEN_ROOMS.value:
                raise InputError(
                    f"{limits.OPEN_ROOMS.value:,} rooms are open on this server already.",
                    hint=f"Close one, or raise {limits.OPEN_ROOMS.variable}.",
                )
            code, token = new_code(), new_token()
            while self._room(code) is not None:
                code = new_code()
            body = {
                "code": code,
                "teacher": token_digest(token),
                "task": task_body(task),
                "most_people": limits.ROOM_PEOPLE.value,
            }
            self._entries.append(PREFIX + code, [self._entry(RoomStep.OPENED, TEACHER, body)])
        return code, token

    def find(self, given: str, *, browser: str = "", address: str = "") -> str:
        """The code of the room that somebody typed it for.

        Args:
            given: What was typed, or stands in a link.
            browser: Who typed it; wrong only so often in a minute.
            address: Of the computer or phone; some browsers may share one.

        Raises:
            NoSuchRoom: No room has it, or too many wrong codes came from there.
        """
        tries = limits.ROOM_CODE_TRIES.value
        most = {f"browser {browser}": tries, f"address {address}": tries * _ADDRESS_TRIES}
        if any(self._guard.blocked(key, allowed) for key, allowed in most.items()):
            log.warning("Room: too many wrong codes from %.80r; none is looked up for a minute.", address)
            raise NoSuchRoom("Too many wrong codes came from here.", hint="Wait a minute, then try again.")
        code = read_code(given)
        if not code or self._room(code) is None:
            for key in most:
                self._guard.wrong(key)
            log.warning("Room: there is none with the code %.20r, asked for from %.80r.", given, address)
            raise NoSuchRoom(
                "There is no room with this code.", hint="Type the six letters as they stand on the screen."
            )
        return code

    def room(self, code: str) -> Room:
        """The room as it stands.

        Raises:
            NoSuchRoom: There is none.
        """
        found = self._room(code)
        if found is None:
            raise NoSuchRoom("This room is not there any more.", hint="Ask for the code of a new one.")
        return found

    def join(self, code: str, nickname: str, *, browser: str = "") -> str:
        """Lets somebody in; gives the token that the person answers with.

        Args:
            code: Of the room.
            nickname: As it was typed.
            browser: What tells the browser from others, where that is known; it gets one place in a room.

        Raises:
            RoomRefused: The room is locked, full or closed, or the nickname is taken.
            InputError: The nickname cannot be used.
        """
        try:
            name = checked_nickname(nickname)
        except InputError:
            self._log_refused(code, RoomStep.JOINED, "", "the nickname has other signs")
            raise
        token = new_token()
        body = {"nickname": name, "token": token_digest(token)}
        if browser:
            body["browser"] = token_digest(f"{code} {browser}")
        self._do(code, RoomStep.JOINED, secrets.token_hex(8), body)
        return token

    def person(self, code: str, token: str) -> RoomPerson | None:
        """Who has a token; None where nobody in the room has it."""
        digest = token_digest(token)
        found = None
        # All are compared, each in the same time: how long it takes says nothing about the hashes.
        for person in self.room(code).here:
            if hmac.compare_digest(person.token, digest):
                found = person
        return found

    def is_teacher(self, code: str, token: str) -> bool:
        """Whether a token is that of who opened the room."""
        return hmac.compare_digest(self.room(code).teacher, token_digest(token))

    def answer(self, code: str, token: str, *, began: int, item: str, answer: str) -> None:
        """Stores one answer of the person who has the token.

        Args:
            code: Of the room.
            token: Of the person.
            began: `RoomRound.began` of the vote that the person was shown.
            item: Key of the item.
            answer: One of the task's values.

        Raises:
            RoomRefused: It is not allowed, or no longer.
        """
        room, person = self.room(code), self.person(code, token)
        if person is None:
            self._log_refused(code, RoomStep.ANSWERED, "", RoomRefusal.NOT_HERE.value)
            raise RoomRefused(RoomRefusal.NOT_HERE)
        task = room.round.task
        asked = task.item(item)
        shown = [] if asked is None else [asked.texts[at] for at in shown_order(task, asked, person.who)]
        body = {
            "round": room.round.number,
            "vote": room.round.vote,
            "began": began,
            "item": item[:200],
            "answer": answer[:200],
            "shown": {"texts": shown, "task": task.fingerprint},
        }
        self._do(code, RoomStep.ANSWERED, person.who, body)

    def act(self, code: str, token: str, step: RoomStep, **body: Any) -> None:
        """Does what only a teacher may do.

        Args:
            code: Of the room.
            token: Of who opened it.
            step: What is done.
            body: `person` for a removal, `task` for a new round.

        Raises:
            RoomRefused: The token is another one, or it is not possible now.
            InputError: A room cannot be asked the task.
        """
        if not self.is_teacher(code, token):
            self._log_refused(code, step, "", RoomRefusal.NOT_TEACHER.value)
            raise RoomRefused(RoomRefusal.NOT_TEACHER)
        if "task" in body:
            body = {**body, "task": task_body(checked_task(body["task"]))}
        self._do(code, step, TEACHER, body)

    def see(self, code: str, who: str) -> None:
        """Remembers that somebody's phone gave a sign; nothing is stored."""
        with self._lock:
            self._seen.setdefault(code, {})[who] = self._time()

    def seen(self, code: str) -> Mapping[str, datetime]:
        """When each phone gave its last sign, by id."""
        with self._lock:
            return dict(self._seen.get(code, {}))

    def entries(self, code: str) -> Sequence[Entry]:
        """Everything that was done in a room."""
        return self._entries.read(PREFIX + code)

    def _room(self, code: str) -> Room | None:
        """The room after everything that is stored by now; only what is new is followed."""
        with self._lock:
            entries = self._entries.read(PREFIX + code)
            if not entries:
                self._rooms.pop(code, None)
                return None
            before, room = self._rooms.get(code, ((), None))
            # Entries that somebody had removed for good are gone from what follows, too.
            if before and (len(entries) < len(before) or entries[len(before) - 1] is not before[-1]):
                before, room = (), None
            room = replay(entries[len(before) :], room)
            self._rooms.pop(code, None)
            self._rooms[code] = entries, room
            while len(self._rooms) > _KEPT_ROOMS:
                del self._rooms[next(iter(self._rooms))]
            return room

    def _open_rooms(self) -> int:
        """How many rooms are not closed and not idle."""
        count = 0
        for stream in self._entries.streams(PREFIX):
            room = self._room(stream.removeprefix(PREFIX))
            if room is not None and self._time() - room.last >= IDLE:
                # The others were used before this one.
                break
            count += room is not None and not room.closed
        return count

    def _do(self, code: str, step: RoomStep, who: str, body: Mapping[str, Any]) -> None:
        """Stores an entry that is allowed; the others are refused."""
        with self._lock:
            room, entry = self.room(code), self._entry(step, who, body)
            reason = refusal(room, entry)
            if reason is not None:
                self._log_refused(code, step, who, reason.value)
                raise RoomRefused(reason)
            self._entries.append(PREFIX + code, [entry])

    def _log_refused(self, code: str, step: RoomStep, who: str, why: str) -> None:
        log.warning("Room %s: %s by %.20r refused: %s", code, step.value, who, why)
        if self.room(code).refused < _LOGGED:
            entry = self._entry(RoomStep.REFUSED, who, {"step": step.value, "why": why})
            self._entries.append(PREFIX + code, [entry])

    def _entry(self, step: RoomStep, who: str, body: Mapping[str, Any]) -> NewEntry:
        return NewEntry(kind=step.value, who=who, when=self._time(), body=body)
