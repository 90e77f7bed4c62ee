"""Follows a source: looks, groups what is new, stores it, and says what grows, changed, merged and split."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import numpy as np

from core import files, limits
from core.data.timelines.timeline import Timeline, datable
from core.errors import CoreError, InputError
from core.live.changes import Arrival, ChangeKind, StreamBook, StreamChange, StreamRecord, timeline_of
from core.live.fetch import Fetcher, is_address
from core.live.log import StreamHeader, StreamLog, check_stream, kept_streams, name_for, stream_file
from core.live.sources import HeadlineSource, Note, source_of
from core.live.stream import Stream
from core.runtime import Runtime

_TOGETHER: Final = 32
"""Records that are stored at once; waiting for the disk once for each would cost more than grouping."""
_NAP_SECONDS: Final = 0.2
_TRIES: Final = 5

Told = Callable[[Stream, tuple[StreamRecord, ...]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    header: StreamHeader  # what the file of the stream says of it
    source: HeadlineSource  # what is looked at
    seconds: float  # between two looks
    once: bool  # look once, then end
    told: Told  # is given records that are on the disk
    note: Note  # is told in a sentence what could not be read
    resumed: Told | None = None  # is given all records that were stored before


def follow(log: StreamLog, how: Following, runtime: Runtime) -> Stream:
    """Follows a source until told to stop, or once; a record is on the disk before anybody is told."""
    check_stream(log.path)  # before its lock is made beside it
    files.make_folder(log.path.parent)
    with _alone(log):
        records = tuple(log.new())
        stream = Stream(runtime, records)
        if how.resumed is not None:
            how.resumed(stream, records)
        log.begin(how.header)
        while True:
            files.stamp(log.looked)
            try:
                waiting: list[StreamRecord] = []
                gone = log.header.forgotten if log.header is not None else ()
                arrivals = [
                    one for one in how.source.look(last=how.once, note=how.note) if one.key not in gone
                ]
                for record in stream.add(arrivals):
                    waiting.append(record)
                    if len(waiting) == _TOGETHER:
                        _store(stream, log, how, waiting)
                if stream.is_behind:
                    waiting.append(stream.regroup())
                _store(stream, log, how, waiting)
            except CoreError:
                if not stream.book.records:
                    log.remove()
                raise
            if how.once or _stopped(log, runtime, how.seconds):
                return stream


def _store(stream: Stream, log: StreamLog, how: Following, waiting: list[StreamRecord]) -> None:
    if waiting:
        log.append(waiting)
        how.told(stream, tuple(waiting))
        waiting.clear()
        files.stamp(log.looked)


def stop_file(log: StreamLog) -> Path:
    """A file that asks the follower of a stream to end."""
    return log.path.with_name(f".{log.path.name}.stop")


def is_followed(log: StreamLog) -> bool:
    if not log.looked.exists():
        return False
    with files.only_one(log.looked) as free:
        return not free


def _stopped(log: StreamLog, runtime: Runtime, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while True:
        if stop_file(log).exists() or runtime.stop.wait(
            max(0.0, min(_NAP_SECONDS, until - time.monotonic()))
        ):
            stop_file(log).unlink(missing_ok=True)
            return True
        if time.monotonic() >= until:
            return False


@contextmanager
def _alone(log: StreamLog) -> Iterator[None]:
    for _ in range(_TRIES):  # somebody may only be looking whether the stream is followed
        with files.only_one(log.looked) as alone:
            if alone and log.looked.exists():  # who held it before may have removed it
                stop_file(log).unlink(missing_ok=True)
                yield
                return
        time.sleep(_NAP_SECONDS)
    raise InputError(
        f"Another process follows into {log.path}.", hint="End it first, or give another --state file."
    )


def seconds_since_look(log: StreamLog) -> float | None:
    """How long ago the source was last looked at; None where it never was."""
    try:
        return max(0.0, time.time() - log.looked.stat().st_mtime)
    except OSError:
        return None


_LAST_WORDS: Final = 1_000  # bytes at the end of what a process said
_starting: Final = threading.Lock()
_started: Final[dict[str, subprocess.Popen[bytes]]] = {}
"""The last process for each stream that was started here."""


def start(source: str) -> str:
    if is_address(source):
        Fetcher(source).check()
    else:
        source_of(source)
    followed = source if is_address(source) else str(Path(source).resolve())
    name = name_for(followed)
    path = stream_file(name)
    with _starting:
        if is_followed(StreamLog(path)):
            return name
        busy = sum(is_followed(StreamLog(one)) for one in kept_streams())
        if busy >= limits.STREAMS_AT_ONCE.value:
            raise InputError(
                "1 stream is followed." if busy == 1 else f"{busy} streams are followed.",
                hint=f"Stop one, or raise {limits.STREAMS_AT_ONCE.variable}.",
            )
        files.make_folder(path.parent)
        with path.with_suffix(".log").open("wb") as log:
            # The source is one word of the command and follows what ends its options: nothing else is run.
            _started[name] = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "cli", "live", "--quiet", "--", followed],
                cwd=files.ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
    return name


def is_starting(name: str) -> bool:
    """Whether a stream has no file yet and a process is there that will write it, or say why not."""
    log = StreamLog(stream_file(name))
    if log.path.exists():
        return False
    process = _started.get(name)
    return (process is not None and process.poll() is None) or is_followed(log)


def last_words(log: StreamLog) -> str:
    """What the process that followed a stream said last; "" for nothing."""
    try:
        with log.path.with_suffix(".log").open("rb") as file:
            file.seek(-min(_LAST_WORDS, file.seek(0, os.SEEK_END)), os.SEEK_END)
            return " ".join(file.read().decode("utf-8", "replace").splitlines()[-2:]).strip()
    except OSError:
        return ""


def stop(log: StreamLog) -> None:
    """Asks whoever follows a stream to end; a second later it has."""
    files.write(stop_file(log), b"")


RECENT: Final = timedelta(days=1)
"""A group is new, and grows, by what was published in so long before the newest headline."""
LISTED: Final = 8  # groups of each list
READ: Final = 12  # headlines of a group that are shown, the newest first
LOGGED: Final = 50  # mergers and splits that are kept for showing, the newest
_LOOKED_AT: Final = 5_000  # the newest headlines, among which new and growing groups are looked for
_LOGGED_KINDS: Final = frozenset({ChangeKind.MERGED, ChangeKind.SPLIT, ChangeKind.MOVED})


@dataclass(frozen=True, slots=True)
class StreamGroup:
    number: int
    size: int  # how many headlines it has
    more: int
    headlines: tuple[Arrival, ...]  # the newest of them, at most `READ`, the newest first
    title: str  # its first headline by time


@dataclass(frozen=True, slots=True)
class LoggedChange:
    time: datetime  # when it was decided, UTC
    change: StreamChange  # what happened
    title: str  # the first headline of the group that headlines are in now; "" where the group is gone


@dataclass(frozen=True, slots=True)
class StreamDigest:
    records: int  # how many records were read
    looked: int  # number of the record with which the last look at the source ended; 0 during the first look
    headlines: int  # how many there are
    groups: int  # how many there are
    newest: datetime | None  # time of the newest headline
    level: float | None  # granularity of the last regrouping; None before it
    undated: int  # how many headlines have no date; they are in neither of the next two
    new: tuple[StreamGroup, ...]  # groups all of whose headlines came within a day, the latest first
    growing: tuple[StreamGroup, ...]  # those that got another headline than their first within a day
    changed: tuple[StreamGroup, ...]  # groups that changed since some record, the latest first
    changed_count: int  # how many those are, also those that are not listed
    log: tuple[LoggedChange, ...]  # mergers, splits, moves of headlines from before the look, latest first


_Lists = tuple[datetime | None, tuple[StreamGroup, ...], tuple[StreamGroup, ...]]
"""The time of the newest headline, new groups, and growing ones."""


@dataclass(slots=True, eq=False)
class StreamReader:
    """A stream that is read while somebody else follows; several threads may ask."""

    log: StreamLog  # the file of the stream
    _book: StreamBook = field(default_factory=StreamBook)
    _came: dict[str, int] = field(default_factory=dict)
    _touched: dict[int, int] = field(default_factory=dict)
    _logged: deque[tuple[datetime, StreamChange]] = field(default_factory=lambda: deque(maxlen=LOGGED))
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _last: tuple[int, StreamDigest] | None = None
    _first_lists: tuple[int, _Lists] | None = None
    _looked: int = 0

    def digest(self, since: int) -> StreamDigest:
        with self._lock:
            self._read_on()
            if self._last is None or (self._last[0], self._last[1].records) != (since, self._book.records):
                self._last = since, self._digest(since)
            return self._last[1]

    def timeline(self, name: str, most: int) -> Timeline:
        """The newest headlines as a timeline, at most so many, with their group's number: `stream_group`."""
        with self._lock:
            self._read_on()
            recent = list(self._book.headlines.values())[-most:]
            if not recent:
                raise InputError("The stream has no headline yet.", hint="Wait until its source brings one.")
            timeline = timeline_of(recent, name)
            timeline.original["stream_group"] = [str(self._book.group_of[one.key]) for one in recent]
            return timeline

    def _read_on(self) -> None:
        for record in self.log.new():
            if record.headline is not None:
                self._came[record.headline.key] = record.number
            for change in record.changes:
                self._touched[change.group] = record.number
                keys = change.keys or self._book.members.get(change.source, ())
                known = any(self._came.get(key, record.number) <= self._looked for key in keys)
                if known and change.kind in _LOGGED_KINDS:
                    self._logged.append((record.time, change))
            if record.ends_look:
                self._looked = record.number
            self._book.apply(record)

    def _digest(self, since: int) -> StreamDigest:
        book = self._book
        if self._first_lists is None or self._first_lists[0] != book.records:
            self._first_lists = book.records, self._lists()
        newest, new, growing = self._first_lists[1]
        touched = {group: number for group, number in self._touched.items() if group in book.members}
        changed = sorted(
            (group for group, number in touched.items() if 0 < since < number), key=lambda g: (-touched[g], g)
        )
        return StreamDigest(
            records=book.records,
            looked=self._looked,
            headlines=len(book.headlines),
            groups=len(book.members),
            newest=newest,
            level=book.level,
            undated=sum(one.published is None for one in book.headlines.values()),
            new=new,
            growing=growing,
            changed=tuple(
                self._group(group, sum(self._came[key] > since for key in book.members[group]))
                for group in changed[:LISTED]
            ),
            changed_count=len(changed),
            log=tuple(
                LoggedChange(time, change, self._title(change.group) if change.group in book.members else "")
                for time, change in reversed(self._logged)
            ),
        )

    def _lists(self) -> _Lists:
        book = self._book
        recent = list(book.headlines.values())[-_LOOKED_AT:]
        possible = datable(np.array([one.day for one in recent], dtype=np.float64))
        dated = {
            one.key: one.published
            for one, can in zip(recent, possible, strict=True)
            if can and one.published is not None
        }
        newest = max(dated.values(), default=None)
        fresh = [key for key, time in dated.items() if newest is not None and newest - time < RECENT]
        more = Counter(book.group_of[key] for key in fresh)
        last = {book.group_of[key]: self._came[key] for key in fresh}
        new = [group for group, count in more.items() if count == len(book.members[group])]
        new.sort(key=lambda group: (-last[group], group))
        growing = [group for group in more if len(book.members[group]) > 1]
        growing.sort(key=lambda group: (-more[group], -last[group], group))
        return (
            newest,
            tuple(self._group(group, more[group]) for group in new[:LISTED]),
            tuple(self._group(group, more[group]) for group in growing[:LISTED]),
        )

    def _group(self, number: int, more: int) -> StreamGroup:
        members = [self._book.headlines[key] for key in self._book.members[number]]
        members.sort(key=lambda one: one.sort_key)
        return StreamGroup(number, len(members), more, tuple(reversed(members[-READ:])), members[0].text)

    def _title(self, number: int) -> str:
        members = (self._book.headlines[key] for key in self._book.members[number])
        return min(members, key=lambda one: one.sort_key).text
