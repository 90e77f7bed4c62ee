"""What a stream holds at a moment: its new, growing and changed groups."""

import threading
from collections import Counter, deque
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from msgspec.structs import replace as replaced

from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.events.edited_headlines import HeadlineEdit, headline_edit
from core.events.figures import newest_in_events
from core.events.report_times import moment_of
from core.live.alarms import kept_alarms, raised
from core.live.arrivals import Arrival, in_order, timeline_of
from core.live.book import StreamBook
from core.live.changes import ChangeKind, StreamChange
from core.live.log import StreamLog

RECENT: Final = timedelta(days=1)  # before the newest headline, in which a group is new, or grows
LISTED: Final = 8  # groups of each list
READ: Final = 12  # headlines of a group that are shown, the newest first
LOGGED: Final = 50  # mergers and splits that are kept for showing, the newest
_TITLING: Final = 300  # headlines of a group that are read for its title, the newest and its first
_LOOKED_AT: Final = 5_000  # the newest headlines, among which new and growing groups are looked for
_LOGGED_KINDS: Final = frozenset({ChangeKind.MERGED, ChangeKind.SPLIT, ChangeKind.MOVED})


@dataclass(frozen=True, slots=True)
class StreamGroup:
    number: int
    size: int  # how many headlines it has
    more: int
    headlines: tuple[Arrival, ...]  # the newest of them, at most `READ`, the newest first
    title: str  # its first headline by time that states the newest tolls that outlets agree on


@dataclass(frozen=True, slots=True)
class LoggedChange:
    time: datetime  # when it was decided, UTC
    change: StreamChange  # what happened
    title: str  # that of the group that headlines are in now; "" where the group is gone


@dataclass(frozen=True, slots=True)
class StreamEdits:
    timeline: Timeline  # of the versions
    edits: tuple[HeadlineEdit, ...]


@dataclass(frozen=True, slots=True)
class StreamDigest:
    records: int  # how many records were read
    looked: int  # number of the record with which the last look at the source ended; 0 during the first look
    headlines: int  # how many there are
    groups: int  # how many there are
    oldest: datetime | None  # time of the first headline
    newest: datetime | None  # of the newest
    level: float | None  # granularity of the last regrouping; None before it
    undated: int  # how many headlines have no date; they are in neither of the next two
    unread: tuple[str, ...]  # what of which headline could not be read, a sentence each
    new: tuple[StreamGroup, ...]  # groups all of whose headlines came within a day, the latest first
    growing: tuple[StreamGroup, ...]  # those that got another headline than their first within a day
    changed: tuple[StreamGroup, ...]  # groups that changed since some record, the latest first
    changed_count: int  # how many those are, also those that are not listed
    edits: StreamEdits  # headlines that their outlets changed, the latest first
    versions: int  # how many headlines others replaced; they are not counted
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
    _edited: deque[tuple[datetime, str]] = field(default_factory=lambda: deque(maxlen=LOGGED))
    _titles: dict[int, tuple[list[str], list[str], str]] = field(default_factory=dict)
    _seen: dict[str, datetime] = field(default_factory=dict)  # edits whose feed left the date as it was
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _last: tuple[int, StreamDigest] | None = None
    _first_lists: tuple[int, _Lists] | None = None
    _looked: int = 0
    _oldest: datetime | None = None

    def digest(self, since: int) -> StreamDigest:
        with self._lock:
            self._read_on()
            if self._last is None or (self._last[0], self._last[1].records) != (since, self._book.records):
                self._last = since, self._digest(since)
            return self._last[1]

    def alarms(self) -> list[dict[str, Any]]:
        """What its rules raised, the newest first."""
        with self._lock:
            self._read_on()
            return raised(reversed(kept_alarms(self.log).values()), self._book)

    def timeline(self, name: str, most: int) -> Timeline:
        """The newest headlines as a timeline, at most so many, with their group's number: `stream_group`."""
        with self._lock:
            self._read_on()
            recent = list(self._book.headlines.values())[-most:]
            if not recent:
                raise InputError("The stream has no headline yet.", hint="Wait until its source brings one.")
            timeline = timeline_of(recent, name)
            timeline.original["stream_group"] = [str(self._book.group_of[arrival.key]) for arrival in recent]
            return timeline

    def _read_on(self) -> None:
        for record in self.log.new():
            if record.headline is not None:
                self._came[record.headline.key] = record.number
                if record.headline.edits is not None:
                    self._edited.appendleft((record.time, record.headline.key))
                    before = self._book.headlines.get(record.headline.edits)
                    if before and before.published and before.published == record.headline.published:
                        self._seen[record.headline.key] = record.time
                self._oldest = min(filter(None, (self._oldest, record.headline.published)), default=None)
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
        later = (group for group, number in touched.items() if 0 < since < number)
        changed = sorted(later, key=lambda group: (-touched[group], group))
        return StreamDigest(
            records=book.records,
            looked=self._looked,
            headlines=len(book.headlines) - len(book.outdated),
            versions=len(book.outdated),
            edits=self._edits(),
            groups=len(book.members),
            oldest=self._oldest,
            newest=newest,
            level=book.level,
            undated=sum(headline.published is None for headline in book.headlines.values()),
            unread=tuple(book.unread_notes()),
            new=new,
            growing=growing,
            changed=tuple(
                self._group(group, sum(self._came[key] > since for key in self._in_force(group)))
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
        tomorrow = datetime.now(UTC) + timedelta(days=1)  # one later date would make all others old
        dated = {
            arrival.key: arrival.published
            for arrival in recent
            if arrival.published is not None
            and arrival.published < tomorrow
            and arrival.key not in book.outdated
        }
        newest = max(dated.values(), default=None)
        fresh = [key for key, time in dated.items() if newest is not None and newest - time < RECENT]
        more = Counter(book.group_of[key] for key in fresh)
        last = {book.group_of[key]: self._came[key] for key in fresh}
        new = [group for group, count in more.items() if count == len(self._in_force(group))]
        new.sort(key=lambda group: (-last[group], group))
        growing = [group for group in more if len(self._in_force(group)) > 1]
        growing.sort(key=lambda group: (-more[group], -last[group], group))
        return (
            newest,
            tuple(self._group(group, more[group]) for group in new[:LISTED]),
            tuple(self._group(group, more[group]) for group in growing[:LISTED]),
        )

    def _in_force(self, group: int) -> list[str]:
        """Headlines of a group that their outlets have not changed since; all where they changed each."""
        members = self._book.members[group]
        return [key for key in members if key not in self._book.outdated] or list(members)

    def _edits(self) -> StreamEdits:
        headlines, pairs = self._book.headlines, list[tuple[Arrival, Arrival]]()
        for time, key in self._edited:
            if (before := headlines.get((after := headlines[key]).edits or "")) is not None:
                if not (before.published and after.published and after.published > before.published):
                    # A feed that leaves the date as it was tells only when its change was seen.
                    after = replaced(after, published=time, day_only=False)
                pairs.append((before, after))
        timeline = timeline_of([each for versions in pairs for each in versions], "Live")
        edits = []
        for row, (_, after) in enumerate(pairs):
            ordered = after.key not in self._book.unordered
            edit = headline_edit(timeline, 2 * row, 2 * row + 1, ordered=ordered)
            edits.append(replace(edit, when=moment_of(timeline, 2 * row + 1) * ordered))
        return StreamEdits(timeline, tuple(edits))

    def _group(self, number: int, more: int) -> StreamGroup:
        members = [self._book.headlines[key] for key in self._in_force(number)]
        members.sort(key=lambda arrival: arrival.sort_key)
        return StreamGroup(number, len(members), more, tuple(members[: -READ - 1 : -1]), self._title(number))

    def _title(self, number: int) -> str:
        keys, allowed = sorted(self._book.members[number], key=self._came.__getitem__), self._in_force(number)
        if (known := self._titles.get(number)) is None or known[:2] != (keys, allowed):
            self._titles[number] = known = keys, allowed, self._new_title(keys, set(allowed))
        return known[2]

    def _new_title(self, keys: list[str], allowed: set[str]) -> str:
        headlines = self._book.headlines
        if len(allowed) == 1:
            return headlines[allowed.pop()].text
        dates = {
            key: self._seen.get(key, headlines[key].published) for key in (*keys[:1], *keys[1:][-_TITLING:])
        }
        members = in_order([replaced(headlines[key], published=when) for key, when in dates.items()])
        newest, overtaken = newest_in_events(timeline_of(members, ""), [range(len(members))])
        return min(
            (each.key not in allowed, row in overtaken, -newest.get(row, 0), each.sort_key, each.text)
            for row, each in enumerate(members)
        )[-1]
