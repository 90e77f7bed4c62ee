"""The file of a stream: its first line says what is followed, each further line is a record."""

import json
import re
import threading
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path, PurePath
from typing import Any, Final

import msgspec

from core import files
from core.data.timelines.timeline import Timeline
from core.errors import CoreError, DataSourceError, InputError
from core.journal.erasure import Secret, headlines_in, own_names
from core.live.changes import Arrival, ChangeKind, StreamBook, StreamChange, StreamRecord, timeline_of
from core.runtime import user_folder

_VERSION: Final = 1
_FORGOTTEN: Final = "forgotten"
_LONGEST_HEADER: Final = 10_000_000
SUFFIX: Final = ".jsonl"
NAME: Final = r"[a-z0-9][a-z0-9-]{0,59}"  # what a stream may be called: its file has this name
_BEGINNING: Final = b'{"stream":'  # what the first line of a stream begins with, also where a kill cut it off
_KILLED: Final = "Begin a new stream, or take a copy of the file from before it was changed."


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamHeader:
    source: str  # the file, folder or address, as it was given
    shared: bool = False  # visitors of a workshop see the stream
    forgotten: frozenset[str] = frozenset()  # keys of headlines removed on request, not taken again


@dataclass(slots=True, eq=False)
class StreamLog:
    """The file of one stream, read from its beginning; `new` reads on."""

    path: Path  # the file; it need not be there yet
    header: StreamHeader | None = None  # what is followed; None before the first line is there
    _read: int = 0
    _last: int = 0
    _torn: bool = False
    _begun: bool = False

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def looked(self) -> Path:
        """The file whose time says when the source was last looked at, and which its follower holds."""
        return self.path.with_name(f".{self.path.name}.following")

    @property
    def problem(self) -> Path:
        """The file that says what is wrong with the source, since its time; absent where nothing is."""
        return self.path.with_name(f".{self.path.name}.problem")

    def tell(self, problem: str) -> None:
        if not problem:
            self.problem.unlink(missing_ok=True)
        elif not self.problem.exists() or self.problem.read_text("utf-8") != problem:
            files.write(self.problem, problem.encode("utf-8", "replace"), durable=False)

    def begin(self, header: StreamHeader) -> None:
        """Writes the first line, where there is none."""
        if self.header is None:
            check_stream(self.path)
            files.make_folder(self.path.parent)
            body = {"stream": _VERSION, "source": header.source, "shared": header.shared}
            files.append(self.path, _line(body))
            self.header = header
        elif self.header.source != header.source:
            message = f"{self.path} follows {self.header.source}, and not {header.source}."
            raise InputError(message, hint="Give another --state file for another source.")

    def settle(self) -> None:
        """What stands in the file is on the disk: a follower may have been killed before it was."""
        if self.path.exists():
            files.append(self.path, b"")

    def append(self, records: Sequence[StreamRecord]) -> None:
        files.append(self.path, b"".join(_line(record.body()) for record in records))

    def remove(self) -> None:
        """Removes the file and what is beside it; only for who holds the lock."""
        for path in (self.path, self.problem, self.looked):
            with suppress(OSError):
                path.unlink()

    def new(self) -> Iterator[StreamRecord]:
        """The records that stand in the file and were not read yet."""
        for body in self.bodies():
            if self.header is None:
                self.header = _header(body, self.path)
                continue
            try:
                yield msgspec.convert(body, StreamRecord)
            except msgspec.ValidationError:
                message = f"{self.path} holds a line that is no record of a stream."
                raise InputError(message, hint=_KILLED) from None

    def bodies(self) -> Iterator[Any]:
        """The lines that are whole and were not read yet, without those that a power cut tore apart.

        It leaves zeros in the place of some lines; those behind them were reported to nobody, and the next
        follower wrote them again.
        """
        for line in self._lines():
            try:
                body = json.loads(line)
            except ValueError:
                if not self._begun and not _may_begin(line):
                    raise _no_stream(self.path) from None
                self._torn |= b"\0" in line
                continue  # cut off; what came after it is whole
            self._begun = True
            number = body.get("number") if isinstance(body, dict) else None
            if isinstance(number, int):
                if self._torn and number != self._last + 1:
                    continue
                self._last, self._torn = number, False
            yield body

    def _lines(self) -> list[bytes]:
        try:
            with self.path.open("rb") as file:
                file.seek(self._read)
                data = file.read()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise DataSourceError(f"{self.path} cannot be read.", hint="Check the file.") from error
        whole = data[: data.rfind(b"\n") + 1]
        self._read += len(whole)
        return whole.splitlines()


def header_of(path: Path) -> StreamHeader | None:
    """What the first line of a stream's file says; None before it is whole."""
    try:
        with path.open("rb") as file:
            while line := file.readline(_LONGEST_HEADER):
                with suppress(ValueError):
                    body = json.loads(line)
                    if line.endswith(b"\n"):
                        break
                # Cut off by a kill: the whole line stands below, or is not there yet.
                if not _may_begin(line):
                    raise _no_stream(path)
            else:
                return None
    except OSError as error:
        raise DataSourceError(f"{path} cannot be read.", hint="Check the file.") from error
    return _header(body, path)


def check_stream(path: Path) -> None:
    """Refuses a file that is there and no stream, so that nobody writes into it."""
    if path.exists():
        header_of(path)


def streams_folder() -> Path:
    """Where streams are kept that have no file of their own: `live` in the user's folder."""
    return user_folder() / "live"


def stream_file(name: str) -> Path:
    if not re.fullmatch(NAME, name):
        message = f"A stream cannot be called {name[:80]!r}."
        raise InputError(message, hint="Use small letters, digits and hyphens, at most 60.")
    return streams_folder() / f"{name}{SUFFIX}"


def name_for(source: str) -> str:
    """A name for the stream of a source: the same source has the same."""
    shown = source.partition("://")[2] or PurePath(source).name
    words = re.sub(r"[^a-z0-9]+", "-", shown.lower())
    digest = blake2b(source.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{words.strip('-')[-40:].strip('-')}-{digest}".lstrip("-")


def kept_streams() -> list[Path]:
    """The files of all streams in the folder, the one that was written last first."""
    folder = streams_folder()
    if not folder.is_dir():
        return []
    streams: list[tuple[float, str, Path]] = []
    for path in folder.glob(f"*{SUFFIX}"):
        with suppress(FileNotFoundError):  # one that could not be followed goes again
            if re.fullmatch(NAME, path.stem):
                streams.append((-path.stat().st_mtime, path.name, path))
    return [path for _, _, path in sorted(streams)]


def headlines_in_streams(secret: Secret) -> Iterator[str]:
    """The headlines that streams in the folder say to be of an address or publisher."""
    for path in kept_streams():
        for body in StreamLog(path).bodies():
            yield from headlines_in(body, secret)


def clean_streams(secret: Secret) -> list[dict[str, Any]]:
    """Removes headlines from the streams in the folder, for good: their sources do not bring them back."""
    report: list[dict[str, Any]] = []
    for path in kept_streams():
        bodies = list(StreamLog(path).bodies())
        named = [body for body in bodies if isinstance(body.get("headline"), dict)]
        keys = {body["headline"]["key"] for body in named if own_names(body["headline"], secret)}
        if not keys:
            continue
        with files.only_one(StreamLog(path).looked) as alone:
            if not alone:
                report.append({"stream": path.stem, "problem": "It is followed: stop it, then forget again."})
                continue
            try:
                files.write(path, b"".join(_line(_without(body, keys)) for body in bodies))
                report.append({"stream": path.stem, "removed": len(keys)})
            except CoreError as error:
                report.append({"stream": path.stem, "problem": str(error)})
    return report


def _without(body: dict[str, Any], keys: Collection[str]) -> dict[str, Any]:
    if "stream" in body:
        return {**body, _FORGOTTEN: sorted({*body.get(_FORGOTTEN, ()), *keys})}
    changes = []
    for change in body["changes"]:
        left = [key for key in change.get("keys", ()) if key not in keys]
        if left or not change.get("keys"):
            changes.append({**change, "keys": left} if left else change)
    gone = body.get("headline", {}).get("key") in keys
    return {name: value for name, value in body.items() if not (gone and name == "headline")} | {
        "changes": changes
    }


def _header(body: Any, path: Path) -> StreamHeader:
    if (
        not isinstance(body, dict)
        or body.get("stream") != _VERSION
        or not isinstance(body.get("source"), str)
    ):
        raise _no_stream(path)
    forgotten = frozenset(map(str, body.get(_FORGOTTEN, ())))
    return StreamHeader(source=body["source"], shared=body.get("shared") is True, forgotten=forgotten)


def _may_begin(line: bytes) -> bool:
    return line.startswith(_BEGINNING) or _BEGINNING.startswith(line.rstrip(b"\n").rstrip(b"\0"))


def _no_stream(path: Path) -> InputError:
    return InputError(f"{path} is not the file of a stream.", hint="Give another --state file.")


def _line(body: dict[str, Any]) -> bytes:
    return json.dumps(body, allow_nan=False, separators=(",", ":")).encode() + b"\n"


RECENT: Final = timedelta(days=1)  # before the newest headline, in which a group is new, or grows
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
    oldest: datetime | None  # time of the first headline
    newest: datetime | None  # of the newest
    level: float | None  # granularity of the last regrouping; None before it
    undated: int  # how many headlines have no date; they are in neither of the next two
    unread: tuple[str, ...]  # what of which headline could not be read, a sentence each
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
    _oldest: datetime | None = None

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
            timeline.original["stream_group"] = [str(self._book.group_of[arrival.key]) for arrival in recent]
            return timeline

    def _read_on(self) -> None:
        for record in self.log.new():
            if record.headline is not None:
                self._came[record.headline.key] = record.number
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
        changed = sorted(
            (group for group, number in touched.items() if 0 < since < number), key=lambda g: (-touched[g], g)
        )
        return StreamDigest(
            records=book.records,
            looked=self._looked,
            headlines=len(book.headlines),
            groups=len(book.members),
            oldest=self._oldest,
            newest=newest,
            level=book.level,
            undated=sum(headline.published is None for headline in book.headlines.values()),
            unread=tuple(book.unread_notes()),
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
        tomorrow = datetime.now(UTC) + timedelta(days=1)  # one later date would make all others old
        dated = {
            arrival.key: arrival.published
            for arrival in recent
            if arrival.published is not None and arrival.published < tomorrow
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
        members.sort(key=lambda arrival: arrival.sort_key)
        return StreamGroup(number, len(members), more, tuple(reversed(members[-READ:])), members[0].text)

    def _title(self, number: int) -> str:
        members = (self._book.headlines[key] for key in self._book.members[number])
        return min(members, key=lambda arrival: arrival.sort_key).text
