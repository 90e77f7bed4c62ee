"""A stream that is followed again after each kill: what was reported stays, and is reported once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar
from unittest import mock

from core.journal import erasure
from core.journal.spellings import ErasureTarget
from core.live import forgetting
from core.live import stream as grouping
from core.live.arrivals import Arrival
from core.live.changes import StreamRecord
from core.live.digest import StreamReader
from core.live.excluded_rows import Note
from core.live.follow import Following, follow
from core.live.forgetting import clean_streams
from core.live.log import StreamHeader, StreamLog, header_of
from core.live.stream import Stream
from core.runtime import Runtime
from tests.simulation.schedule import World, hold

FEED = 12  # headlines that a feed shows


@dataclass(eq=False)
class _Feed:
    shown: list[Arrival]
    left: ClassVar[int | None] = None
    problem: ClassVar[str] = ""

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        return self.shown[-FEED:]


@dataclass(eq=False)
class StreamWorld(World):
    published: list[Arrival] = field(default_factory=list)
    reported: dict[str, StreamRecord] = field(default_factory=dict)  # by the headline's key
    removed: set[str] = field(default_factory=set)  # keys whose removal was acknowledged
    doubtful_keys: set[str] = field(default_factory=set)  # whose removal was asked for
    readers: dict[int, StreamReader] = field(default_factory=dict)

    steps = 20
    stores = False

    @classmethod
    @contextmanager
    def around(cls) -> Iterator[None]:
        """Headlines are not compared: each is a group of its own. Nobody waits."""
        with (
            mock.patch.object(grouping, "regrouped", return_value=(None, 0.5, 0.5, ())),
            mock.patch.object(grouping, "compare"),
            mock.patch.object(Stream, "_fit"),
            mock.patch.object(time, "sleep"),
        ):
            yield

    def actions(self) -> dict[Callable[[], None], int]:
        return {
            self.publish: 5, self.look: 8, self.read: 3, self.remove: 1, self.power_cut: 2, self.trouble: 4,
        }  # fmt: skip

    @property
    def file(self) -> Path:
        return self.folder / "live" / "feed.jsonl"

    def restart(self, server: int) -> None:
        super().restart(server)
        self.readers.pop(server, None)

    def publish(self) -> None:
        for _ in range(self.chance.choice((1, 3, 50))):
            number = len(self.published)
            long = "x" * self.chance.choice((5, 900))
            self.published.append(
                Arrival(key=f"{number:032x}", text=f"Headline {number} {long}", publisher=f"paper {number}")
            )

    def look(self) -> None:
        """A follower begins, looks once and ends."""

        def reported(stream: Stream, records: tuple[StreamRecord, ...]) -> None:
            for record in records:
                if record.headline is not None:
                    key = record.headline.key
                    hold(key not in self.reported, f"headline {int(key, 16)} is reported twice")
                    hold(key not in self.removed, f"headline {int(key, 16)} was removed and is back")
                    self.reported[key] = record

        feed = _Feed(self.published)
        how = Following(
            header=StreamHeader(source="feed"), source=feed, seconds=0, once=True, told=reported,
            note=lambda _: None, resumed=lambda stream, records: self._resumed(records),
        )  # fmt: skip
        stream = follow(StreamLog(self.file), how, Runtime())
        for arrival in feed.look(last=True, note=lambda _: None):
            there = arrival.key in stream.book.headlines
            hold(there or arrival.key in self.removed | self.doubtful_keys, "a headline is missing")

    def _resumed(self, records: Sequence[StreamRecord]) -> None:
        stored = [record.headline.key for record in records if record.headline is not None]
        hold(len(set(stored)) == len(stored), "a headline is stored twice")
        gone = self.removed | self.doubtful_keys
        lost = [int(key, 16) for key in self.reported if key not in stored and key not in gone]
        hold(not lost, f"headlines were reported, and are lost: {lost}")
        back = [int(key, 16) for key in stored if key in self.removed]
        hold(not back, f"headlines were removed, and are back: {back}")
        for record in records:
            if record.headline is not None:
                # What was stored and not reported, as a kill came between, is known from now on.
                known = self.reported.setdefault(record.headline.key, record)
                hold(known == record, f"record {record.number} changed")

    def read(self) -> None:
        if self.server not in self.readers:
            self.readers[self.server] = StreamReader(StreamLog(self.file))
        self.readers[self.server].digest(0)

    def remove(self) -> None:
        if not self.reported or not self.file.exists():
            return
        key = self.chance.choice(list(self.reported))
        secret = erasure.secret_of(ErasureTarget.PUBLISHER, f"paper {int(key, 16)}")
        self.doubtful_keys.add(key)
        with mock.patch.object(forgetting, "kept_streams", return_value=[self.file]):
            report = clean_streams(secret)
        self.readers.clear()  # the app begins them anew (its resources are told)
        if report and "problem" not in report[0]:
            self.removed.add(key)

    def audit(self) -> None:
        if not self.file.exists():
            hold(not self.reported, "the stream is gone")
            return
        header_of(self.file)
        digest = StreamReader(StreamLog(self.file)).digest(0)
        self._resumed(tuple(StreamLog(self.file).new()))
        hold(digest.headlines <= len(self.published), "headlines that nobody published")

    def end(self) -> None:
        self.look()
