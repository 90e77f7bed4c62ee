"""A class in a room on two servers: who joins, votes and leads it is told only what stays."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from unittest import mock

from core.journal.entries import Entry, NewEntry
from core.journal.journal import Journal
from core.people.judges import token_digest
from core.people.room.draws import pair_item, same_event_task
from core.people.room.replay import RoomRefusal, after, outcome, replay
from core.people.room.rooms import PREFIX, Rooms
from core.people.room.state import RoomStep
from tests.simulation.schedule import BEGIN, World, hold

PAIRS = [
    pair_item("Storm hits the coast", "Coast battered by storm", same=True),
    pair_item("Bank raises rates", "Bank cuts rates", same=False),
]
NAMES = ("Ada", "Ben", "Cem", "Dora", "Eva", "Finn", "Gus", "Hana")
TEACHES = (
    *(RoomStep.PAUSED, RoomStep.RESUMED, RoomStep.REVEALED, RoomStep.VOTE_AGAIN, RoomStep.RESET),
    *(RoomStep.RESET_UNDONE, RoomStep.NEW_ROUND, RoomStep.REMOVED, RoomStep.NICKNAMES, RoomStep.LOCKED),
    *(RoomStep.UNLOCKED, RoomStep.LED, RoomStep.COUNTDOWN, RoomStep.SOLVED),
)


@dataclass(frozen=True, slots=True)
class _Shared(Journal):
    """A journal before whose writes another server may be quicker."""

    world: RoomWorld

    def append(self, stream: str, entries: Iterable[NewEntry]) -> tuple[Entry, ...]:
        if self.world.alone and self.world.chance.random() < 0.1:
            self.world.between()
        return Journal(self.url).append(stream, entries)


@dataclass(eq=False)
class RoomWorld(World):
    """Each answer and each step of the teacher carries a number, each phone its own token."""

    rooms: dict[int, Rooms] = field(default_factory=dict)
    code: str = ""
    token: str = ""
    seconds: int = 0
    number: int = 0
    asked: set[str] = field(default_factory=set)  # numbers and phones of all that was tried
    done: set[str] = field(default_factory=set)  # of what was acknowledged
    began: dict[str, int] = field(default_factory=dict)  # the vote that each phone shows

    steps = 24

    @classmethod
    @contextmanager
    def around(cls) -> Iterator[None]:
        with mock.patch.object(logging.getLogger("headline_lab"), "disabled", True):
            yield

    def actions(self) -> dict[Callable[[], None], int]:
        if not self.code:
            return {self.open: 4, self.trouble: 1}
        return {
            self.join: 4, self.vote: 10, self.look: 3, self.teach: 3, self.read: 2, self.power_cut: 1,
            self.trouble: 3,
        }  # fmt: skip

    def short(self) -> tuple[Callable[[], None], ...]:
        return (self.join, self.vote, self.teach, self.read) if self.code else (self.audit,)

    @property
    def here(self) -> Rooms:
        if self.server not in self.rooms:
            journal = _Shared(self.journal.url, self)
            self.rooms[self.server] = Rooms(journal, now=self.time, secret=b"s" * 32)
        return self.rooms[self.server]

    def time(self) -> datetime:
        self.seconds += 1
        return BEGIN + timedelta(seconds=self.seconds)

    def restart(self, server: int) -> None:
        super().restart(server)
        self.rooms.pop(server, None)

    def open(self) -> None:
        with self.asking():
            self.code, self.token = self.here.open(same_event_task("Small", PAIRS, key_from="people"))

    def join(self) -> None:
        phone, name = self._next("phone"), self.chance.choice(NAMES)
        self._do(phone, lambda: self.here.join(self.code, name, browser=phone, door=0))
        self.began[phone] = self.here.room(self.code).round.began

    def look(self) -> None:
        """A phone asks where the room is."""
        if self.began:
            self.began[self.chance.choice(list(self.began))] = self.here.room(self.code).round.began

    def vote(self) -> None:
        if not self.began:
            return
        phone, number = self.chance.choice(list(self.began)), self._next("answer")
        task = self.here.room(self.code).round.task
        answer, item = self.chance.choice(task.options).value, self.chance.choice(task.items).key
        said = {"began": self.began[phone], "item": item, "answer": answer, "reason": number}
        for _ in range(self.chance.choice((1, 1, 2))):  # the form may be sent twice
            self._do(number, lambda: self.here.answer(self.code, phone, **said))

    def teach(self) -> None:
        step, number = self.chance.choice(TEACHES), self._next("step")
        body: dict[str, object] = {"mark": number}
        if step is RoomStep.NEW_ROUND:
            body["task"] = same_event_task("Next", PAIRS[:1], key_from="people")
        if step is RoomStep.LED:
            body["item"] = self.chance.choice(PAIRS).key
        if step is RoomStep.COUNTDOWN:
            body["seconds"] = self.chance.randrange(1, 30)
        if step is RoomStep.REMOVED:
            body["person"] = self.chance.choice([*self.here.room(self.code).people, "nobody"])
        self._do(number, lambda: self.here.act(self.code, self.token, step, **body))

    def read(self) -> None:
        room, entries = self.here.room(self.code), self.journal.read(PREFIX + self.code)
        hold(replay(e for e in entries if e.sequence <= room.sequence) == room, "another room")

    def _next(self, what: str) -> str:
        self.number += 1
        return f"{what} {self.number}"

    def _do(self, mark: str, does: Callable[[], None]) -> None:
        self.asked.add(mark)
        with self.asking():
            does()
        self.done.add(mark)

    def audit(self) -> None:
        if not self.code:
            return
        room, counts, votes = None, set[str](), dict[tuple[int, str, str], str]()
        phones = {token_digest(f"{self.code} {mark}"): mark for mark in self.asked}
        for entry in self.journal.read(PREFIX + self.code):
            body = entry.body
            mark = str(body.get("reason") or body.get("mark") or phones.get(body.get("browser", "")))
            if room is not None and not isinstance(outcome(room, entry), RoomRefusal):
                hold(mark in self.asked or entry.kind == RoomStep.NEW_CODE, f"{mark} that nobody did")
                counts.add(mark)
                if entry.kind == RoomStep.ANSWERED:
                    votes[body["began"], entry.who, body["item"]] = body["answer"]
            room = replay([entry]) if room is None else after(room, entry)
        hold(room is not None, "the room is lost")
        hold(self.done <= counts, f"acknowledged, and lost: {self.done - counts}")
        if room.round.vote:
            own = {at[1:]: answer for at, answer in votes.items() if at[0] == room.round.began}
            hold(own.items() <= dict(room.round.answers).items(), "an answer does not count")
        hold(self.here.room(self.code) == room, "two servers see two rooms")
