"""A room to test with: its clock stands still until it is moved, and its task is small."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import pandas as pd

from core.journal.entries import Entry, NewEntry
from core.journal.journal import Journal
from core.pairs.scorer import pair_scorers
from core.people.judges import new_token
from core.people.room.attempts import MODEL, both_orders, contradictions
from core.people.room.draws import pair_item, same_event_task
from core.people.room.rooms import Rooms
from core.people.room.state import Room, RoomStep
from core.people.room.task import RoomItem, RoomKind, RoomTask
from core.runtime import Runtime

PAIRS = [
    pair_item("Storm hits the coast", "Coast battered by storm", same=True),
    pair_item("Bank raises rates", "Rates raised by the bank", same=True),
    pair_item("Bank raises rates", "Bank cuts rates", same=False),
]


def small_task(count=3, title="Small"):
    return same_event_task(title, PAIRS[:count], key_from="people said")


def broken_task():
    """Two items of three headlines, put to a model that says "same event" from 0.5 on."""
    texts = (
        ("Storm hits the coast", "Coast battered by storm", "Coast is hit"),
        ("Rates up", "Rates rise", "Up"),
    )
    items = tuple(RoomItem(key=f"item {at}", texts=three) for at, three in enumerate(texts))
    about = {"title": "Small", "question": "Change words.", "help": "", "options": (), "items": items}
    return RoomTask(kind=RoomKind.BREAK, scorer="small.v1", threshold=0.5, **about)


def rows(texts, groups, days=None, **more):
    """A timeline as tasks are drawn from it."""
    blank = [""] * len(texts)
    return pd.DataFrame({"text": texts, "group": groups, "day": days or blank, "source": blank, **more})


HOLDS = (0.9, 0.9, 0.9, 0.9, 0.9, 0.9)  # AB, AC, BA, BC, CA, CB
SWAPPED = (0.9, 0.9, 0.1, 0.9, 0.9, 0.9)
OPEN = (0.9, 0.9, 0.9, 0.1, 0.9, 0.1)


def breaking(texts):
    """Headlines of which one is cut so that the model contradicts itself; None where no cut does it."""
    model = pair_scorers.parse(MODEL)
    cut = [
        [*texts[:place], " ".join(words[:end]), *texts[place + 1 :]]
        for place, text in enumerate(texts)
        for words in [text.split()]
        for end in range(1, len(words))
    ]
    said = zip(cut, both_orders(cut, MODEL, Runtime()), strict=True)
    return next((texts for texts, scores in said if contradictions(scores, model.threshold)), None)


class MemoryLog:
    def __init__(self) -> None:
        self._streams: dict[str, tuple[Entry, ...]] = {}
        self._last = 0

    def append(self, stream: str, entries: Iterable[NewEntry]) -> tuple[Entry, ...]:
        entries = list(entries)
        for new in entries:
            if new.id not in {stored.id for stored in self.read(stream)}:
                self._last += 3
                stored = Entry(**asdict(new), sequence=self._last, stream=stream)
                self._streams = {stream: (*self._streams.pop(stream, ()), stored), **self._streams}
        stored_by_id = {stored.id: stored for stored in self.read(stream)}
        return tuple(stored_by_id[new.id] for new in entries)

    def read(self, stream: str) -> tuple[Entry, ...]:
        return self._streams.get(stream, ())

    def put(self, stream: str, entries: tuple[Entry, ...]) -> None:
        """Makes these the entries of a stream, as after some were removed for good."""
        self._streams[stream] = entries

    def streams(self, prefix: str) -> dict[str, int]:
        return {name: stored[-1].sequence for name, stored in self._streams.items()}


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 1, 5, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class Meeting:
    """A server with one open room."""

    def __init__(self, task: RoomTask | None = None, log: Journal | None = None) -> None:
        self.clock = Clock()
        self.log: Journal = log or MemoryLog()
        self.rooms = Rooms(self.log, now=self.clock)
        self.code, self.teacher = self.rooms.open(task or small_task())

    @property
    def room(self) -> Room:
        return self.rooms.room(self.code)

    def act(self, step: RoomStep, **body: object) -> None:
        self.rooms.act(self.code, self.teacher, step, **body)

    def join(self, nickname: str, *, browser: str = "", door: int | None = None) -> str:
        browser = browser or new_token()
        door = self.room.door if door is None else door
        self.rooms.join(self.code, nickname, browser=browser, door=door)
        return browser

    def attempt(self, token: str, scores: tuple[float, ...], *changed: str, at: int = 0) -> None:
        """Sends an item, with its first headlines changed, to a model that gives these scores."""
        item = self.room.round.task.items[at]
        about = {"began": self.room.round.began, "item": item.key}
        typed = [*changed, *item.texts[len(changed) :]]
        self.rooms.attempt(self.code, token, typed=typed, ask=lambda items: [scores] * len(items), **about)

    def answer(self, token: str, at: int, answer: str, *, began: int | None = None) -> None:
        round_ = self.room.round
        key = round_.task.items[at].key
        began = round_.began if began is None else began
        self.rooms.answer(self.code, token, began=began, item=key, answer=answer)
