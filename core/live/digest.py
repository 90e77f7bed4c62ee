"""What a reader wants to know of a stream: what is new, what grows, what changed, what merged and split."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import numpy as np

from core.data.timelines.periods import datable
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.live.changes import Arrival, ChangeKind, StreamBook, StreamChange, StreamRecord, timeline_of
from core.live.log import StreamLog

RECENT: Final = timedelta(days=1)
"""A group is new, and grows, by what was published in so long before the newest headline."""
LISTED: Final = 8
"""Groups of each list."""
READ: Final = 12
"""Headlines of a group that are shown, the newest first."""
LOGGED: Final = 50
"""Mergers and splits that are kept for showing, the newest."""
_LOOKED_AT: Final = 5_000
"""The newest headlines, among which new and growing groups are looked for."""
_LOGGED_KINDS: Final = frozenset({ChangeKind.MERGED, ChangeKind.SPLIT, ChangeKind.MOVED})


@dataclass(frozen=True, slots=True)
class StreamGroup:
    """A group as a list shows it.

    Attributes:
        number: Its number.
        size: How many headlines it has.
        more: How many of them the list is about: came within the last day, or since somebody knew the stream.
        headlines: The newest of them, at most `READ`, the newest first.
        title: Its first headline by time.
    """

    number: int
    size: int
    more: int
    headlines: tuple[Arrival, ...]
    title: str


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """A merger, split or move.

    Attributes:
        time: When it was decided, UTC.
        change: What happened.
        title: The first headline of the group that headlines are in now; "" where the group is gone.
    """

    time: datetime
    change: StreamChange
    title: str


@dataclass(frozen=True, slots=True)
class StreamDigest:
    """A stream at one moment.

    Attributes:
        records: How many records were read.
        looked: Number of the record with which the last look at the source ended; 0 during the first look.
        headlines, groups: How many there are.
        newest: Time of the newest headline; None where none has one. A date that no news can have, such as
            year 9999, does not count (`datable`).
        level: Granularity of the last regrouping; None before it.
        undated: How many headlines have no date; they are in neither of the next two.
        new: Groups all of whose headlines came within a day, the latest first.
        growing: Groups that got another headline than their first within a day, those that got most first.
        changed: Groups that changed since some record, the latest first; none where `since` is 0.
        changed_count: How many those are, also those that are not listed.
        log: Mergers, splits and moves of headlines that were there before the look, the latest first.
    """

    records: int
    looked: int
    headlines: int
    groups: int
    newest: datetime | None
    level: float | None
    undated: int
    new: tuple[StreamGroup, ...]
    growing: tuple[StreamGroup, ...]
    changed: tuple[StreamGroup, ...]
    changed_count: int
    log: tuple[LoggedChange, ...]


@dataclass(frozen=True, slots=True)
class _Lists:
    records: int
    newest: datetime | None
    new: tuple[StreamGroup, ...]
    growing: tuple[StreamGroup, ...]


@dataclass(slots=True, eq=False)
class StreamReader:
    """A stream that is read while somebody else follows; several threads may ask.

    Attributes:
        log: The file of the stream.
    """

    log: StreamLog
    _book: StreamBook = field(default_factory=StreamBook)
    _came: dict[str, int] = field(default_factory=dict)
    _touched: dict[int, int] = field(default_factory=dict)
    _logged: deque[tuple[datetime, StreamChange]] = field(default_factory=lambda: deque(maxlen=LOGGED))
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _last: tuple[int, StreamDigest] | None = None
    _first_lists: _Lists | None = None
    _looked: int = 0

    def digest(self, since: int) -> StreamDigest:
        """The stream as its file is now."""
        with self._lock:
            self._read_on()
            if self._last is None or (self._last[0], self._last[1].records) != (since, self._book.records):
                self._last = since, self._digest(since)
            return self._last[1]

    def timeline(self, name: str, most: int) -> Timeline:
        """The newest headlines as a timeline, at most so many; `stream_group` in it is their group's number.

        Raises:
            InputError: There is none.
        """
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
            self._note(record)
            self._book.apply(record)

    def _note(self, record: StreamRecord) -> None:
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

    def _digest(self, since: int) -> StreamDigest:
        book = self._book
        lists = self._lists()
        touched = {group: number for group, number in self._touched.items() if group in book.members}
        changed = sorted(
            (group for group, number in touched.items() if 0 < since < number), key=lambda g: (-touched[g], g)
        )
        return StreamDigest(
            records=book.records,
            looked=self._looked,
            headlines=len(book.headlines),
            groups=len(book.members),
            newest=lists.newest,
            level=book.level,
            undated=sum(one.published is None for one in book.headlines.values()),
            new=lists.new,
            growing=lists.growing,
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

    def _recent(self) -> list[Arrival]:
        return list(self._book.headlines.values())[-_LOOKED_AT:]

    def _lists(self) -> _Lists:
        book = self._book
        if self._first_lists is None or self._first_lists.records != book.records:
            recent = self._recent()
            possible = datable(np.array([one.day for one in recent], dtype=np.float64))
            dated = {one.key: one.published for one, can in zip(recent, possible, strict=True) if can}
            newest = max((time for time in dated.values() if time), default=None)
            fresh = [one for one in recent if _within(dated.get(one.key), newest)]
            more = Counter(book.group_of[one.key] for one in fresh)
            last = {book.group_of[one.key]: self._came[one.key] for one in fresh}
            new = [group for group, count in more.items() if count == len(book.members[group])]
            new = _listed(sorted(new, key=lambda group: (-last[group], group)))
            growing = [group for group in more if len(book.members[group]) > 1]
            growing = _listed(sorted(growing, key=lambda group: (-more[group], -last[group], group)))
            self._first_lists = _Lists(
                book.records,
                newest,
                tuple(self._group(group, more[group]) for group in new),
                tuple(self._group(group, more[group]) for group in growing),
            )
        return self._first_lists

    def _group(self, number: int, more: int) -> StreamGroup:
        members = [self._book.headlines[key] for key in self._book.members[number]]
        members.sort(key=lambda one: one.sort_key)
        return StreamGroup(number, len(members), more, tuple(reversed(members[-READ:])), members[0].text)

    def _title(self, number: int) -> str:
        members = (self._book.headlines[key] for key in self._book.members[number])
        return min(members, key=lambda one: one.sort_key).text


def _within(time: datetime | None, newest: datetime | None) -> bool:
    return time is not None and newest is not None and newest - time < RECENT


def _listed(groups: Iterable[int]) -> list[int]:
    return list(groups)[:LISTED]
