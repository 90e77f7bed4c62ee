"""What a stream follows: a file, a folder, an address, or a file that is replayed by its own times."""

from __future__ import annotations

import codecs
import json
import os
import re
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import ClassVar, Final, Protocol

from core import files
from core.data.timelines import readers
from core.data.timelines.load import load
from core.data.timelines.tables import read_bytes
from core.data.timelines.timeline import RejectedRow, Timeline
from core.errors import CoreError, DataSourceError, InputError
from core.live.changes import Arrival, arrivals_of, in_order
from core.live.fetch import Fetched, Fetcher, is_address
from core.live.log import StreamLog, name_for, stream_file
from core.results.render import count_words

_NAMED: Final = 5  # rows of one look that are named one by one
_Row = tuple[str, str, tuple[tuple[str, str], ...]]


@dataclass(slots=True, eq=False)
class ExcludedRows:
    """What was said of one file or address; a row is known by its cells, since its line may change."""

    problem: str = ""  # the rows that the last look excluded, in a sentence
    _said: Counter[_Row] = field(default_factory=Counter)
    _kinds: set[str] = field(default_factory=set)

    def arrivals(self, timeline: Timeline, name: str, note: Note) -> list[Arrival]:
        """The headlines; notes and excluded rows that no earlier look had are told."""
        # A note that differs in its numbers alone is not new.
        kinds = {re.sub(r"[\d, ]+", "", said): said for said in timeline.report.notes}
        for kind, said in kinds.items():
            if kind not in self._kinds:
                note(f"{name}: {said}")
        self._kinds |= kinds.keys()
        seen: Counter[_Row] = Counter()
        new: list[RejectedRow] = []
        for row in timeline.report.rejected:
            content = (row.column, row.reason, tuple(row.cells.items()))
            seen[content] += 1
            if seen[content] > self._said[content]:
                new.append(row)
        self._said |= seen
        self.problem = ""
        if new:
            named = [f"{row.place}: {row.reason.rstrip('.')}" for row in new[:_NAMED]]
            if len(new) > _NAMED:
                named.append(f"and {len(new) - _NAMED:,} more")
            self.problem = f"{name}: {count_words(len(new), 'row', 'rows')} excluded: {'; '.join(named)}."
            note(self.problem)
        return arrivals_of(timeline)


_JSON_LINES: Final = ("jsonl", "ndjson")
_BY_LINES: Final = ("csv", "tsv", "txt", *_JSON_LINES)  # the last line may not be whole yet
_TABLES: Final = ("csv", "tsv")
_MARKS: Final = (  # that of UTF-32 first: that of UTF-16 is its beginning
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def whole_lines(data: bytes, ending: str) -> bytes:
    """A file up to the end of its last whole line; an object of JSON is whole without a line end."""
    if ending not in _BY_LINES:
        return data
    encoding = _encoding(data)
    end = _after_last(data, "\n".encode(encoding)) or _after_last(data, "\r".encode(encoding))
    return data if ending in _JSON_LINES and _is_object(data[end:]) else data[:end]


def is_nothing_yet(data: bytes, ending: str) -> bool:
    """Whether whole lines hold no row yet: they are blank, or one line that may name a table's columns."""
    encoding = _encoding(data)
    if encoding != "utf-8":
        data = data.decode(encoding, "replace").lstrip("\ufeff").encode()
    filled = data.removeprefix(codecs.BOM_UTF8).strip()
    return not filled or (ending in _TABLES and len(filled.splitlines()) == 1)


def _encoding(data: bytes) -> str:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    zeros = tuple(not byte for byte in data[:2])
    if zeros == (False, True):
        return "utf-16-le"
    return "utf-16-be" if zeros == (True, False) else "utf-8"


def _after_last(data: bytes, line_end: bytes) -> int:
    at = data.rfind(line_end)
    while at % len(line_end) and at > 0:
        at = data.rfind(line_end, 0, at + len(line_end) - 1)
    return at + len(line_end) if at >= 0 else 0


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


Note = Callable[[str], None]
_BROKEN: Final = (-1, -1)  # in place of size and time: the file is read again when it is there again


class HeadlineSource(Protocol):
    """Something that headlines come from."""

    @property
    def left(self) -> int | None:
        """How many headlines are still to come; None where nobody knows."""
        ...

    @property
    def problem(self) -> str:
        """What was wrong when it was last read, in a sentence; "" for nothing."""
        ...

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        """What is there and may be new, by time; a headline that was there before may come again."""
        ...

    def reads(self, path: Path) -> bool: ...


REPLAY: Final = "replay:"  # stands before the path of a file that is replayed


def source_of(given: str, *, private: bool = False, log: StreamLog | None = None) -> HeadlineSource:
    """What is followed; a replay takes its speed from next to its log."""
    if not given.strip():
        raise InputError("There is nothing to follow.", hint="Give a file, a folder or an address.")
    if is_address(given):
        return UrlSource(Fetcher(given, private=private))
    path = Path(given.removeprefix(REPLAY))
    if not path.exists():
        message = f"There is no file or folder {str(path)[:200]}."
        raise DataSourceError(message, hint="Check the path and the spelling.")
    if not given.startswith(REPLAY):
        return FolderSource(path) if path.is_dir() else FileSource(path)
    if path.is_dir():
        raise InputError("A folder cannot be replayed.", hint="Give one file of it.")
    return ReplaySource(FileSource(path), log or StreamLog(stream_file(name_for(full_name(given)))))


def full_name(given: str) -> str:
    """What stands for a source in the file of its stream: an address as it is, or the whole path."""
    if is_address(given):
        return given
    replay = REPLAY if given.startswith(REPLAY) else ""
    return f"{replay}{Path(given.removeprefix(REPLAY)).resolve()}"


@dataclass(slots=True, eq=False)
class FileSource:
    """A file that grows, or is written anew."""

    path: Path
    left: ClassVar[int | None] = None
    problem: str = ""
    _seen: tuple[int, int] | None = None
    _waiting: bool = False
    _excluded: ExcludedRows = field(default_factory=ExcludedRows)

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        name = self.path.name
        try:
            facts = os.stat(self.path)
            state = (facts.st_size, facts.st_mtime_ns)
            if state == self._seen and not last:
                if self._waiting:  # it did not grow between two looks: nobody may be writing any more
                    self.problem = f"{name}: the last line has no line end; it waits until it has one."
                    note(self.problem)
                self._waiting = False
                return []
            data, ending = read_bytes(self.path), self.path.suffix.lower().removeprefix(".")
            whole = data if last else whole_lines(data, ending)
            self._waiting = len(whole) < len(data)
            nothing = not data.strip() if last else is_nothing_yet(whole, ending)
            arrivals = [] if nothing else self._excluded.arrivals(load(whole, name), name, note)
        except (CoreError, OSError) as error:
            if self._seen is None:
                raise
            said = f"{name} could not be read: {_sentence(error)}"
            if said != self.problem:  # once, however often it is looked at
                note(said)
            self._seen, self.problem = _BROKEN, said
            return []
        self._seen, self.problem = state, self._excluded.problem
        return arrivals

    def reads(self, path: Path) -> bool:
        return path.resolve() == self.path.resolve()


@dataclass(slots=True, eq=False)
class FolderSource:
    """A folder to which files are added; each is followed."""

    path: Path
    left: ClassVar[int | None] = None
    problem: str = ""
    _files: dict[str, FileSource] = field(default_factory=dict)

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        arrivals, problems = list[Arrival](), list[str]()
        there = self.path.is_dir()
        for path in sorted(self.path.iterdir()) if there else ():
            if not _is_taken(path.name) or not path.is_file():
                continue
            source = self._files.setdefault(path.name, FileSource(path))
            try:
                arrivals += source.look(last=last, note=note)
            except (CoreError, OSError) as error:
                facts = path.stat()
                source._seen = (facts.st_size, facts.st_mtime_ns)
                source.problem = f"{path.name} could not be read: {_sentence(error)}"
                note(source.problem)
            problems.append(source.problem)
        said = " ".join(filter(None, problems)) if there else f"The folder {self.path.name} is not there."
        if not there and said != self.problem:
            note(said)
        self.problem = said
        return in_order(arrivals)

    def reads(self, path: Path) -> bool:
        return path.resolve().parent == self.path.resolve() and _is_taken(path.name)


@dataclass(slots=True, eq=False)
class UrlSource:
    """An address of a feed, or of a file of any format that is read."""

    fetcher: Fetcher
    left: ClassVar[int | None] = None
    problem: str = ""
    _answered: bool = False
    _excluded: ExcludedRows = field(default_factory=ExcludedRows)

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        try:
            fetched = self.fetcher.fetch()
            arrivals = [] if fetched is None else self._read(fetched, note)
        except CoreError as error:
            self.fetcher.forget()
            if not self._answered:
                raise
            self.problem = f"{self.fetcher.shown} could not be read: {_sentence(error)}"
            note(self.problem)
            return []
        self._answered, self.problem = True, self._excluded.problem
        return arrivals

    def reads(self, path: Path) -> bool:
        return False

    def _read(self, fetched: Fetched, note: Note) -> list[Arrival]:
        timeline = load(*fetched)
        if any("cut off" in said for said in timeline.report.notes):
            self.fetcher.forget()  # what was cut off comes with the next look
        return self._excluded.arrivals(timeline, self.fetcher.shown, note)


SPEED: Final = 1 / 6  # hours of a replay that pass in a second, where nobody chose
_AT_ONCE: Final = 64  # headlines of a look, so that who stops it need not wait
_PAUSED_SECONDS: Final = 600.0  # after which a replay that stands still ends


def _speed_file(log: StreamLog) -> Path:
    return log.path.with_name(f".{log.path.name}.speed")


def speed_of(log: StreamLog) -> float:
    """Hours of a replay that pass in a second; 0 while it is paused."""
    try:
        return float(_speed_file(log).read_bytes())
    except (OSError, ValueError):
        return SPEED


def set_speed(log: StreamLog, hours: float) -> None:
    files.make_folder(log.path.parent)
    files.write(_speed_file(log), f"{hours}".encode(), durable=False)


@dataclass(slots=True, eq=False)
class ReplaySource:
    """A file whose headlines come at their own times, an undated one with those before it."""

    problem: ClassVar[str] = ""
    file: FileSource
    log: StreamLog
    _waiting: deque[tuple[datetime, Arrival]] | None = None
    _clock: datetime = datetime.min  # of the replay
    _looked: float = 0.0  # when the clock was set, in seconds that only grow
    _moved: float = 0.0  # when it last moved

    @property
    def left(self) -> int | None:
        return None if self._waiting is None else len(self._waiting)

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        now = time.monotonic()
        if self._waiting is None:
            self._waiting = self._read(note)
            self._clock = self._waiting[0][0] if self._waiting else self._clock
            self._looked = self._moved = now = time.monotonic()
        hours = speed_of(self.log)
        self._clock += timedelta(hours=hours * (now - self._looked))
        self._looked, self._moved = now, now if hours else self._moved
        due: list[Arrival] = []
        while self._waiting and (last or (self._waiting[0][0] <= self._clock and len(due) < _AT_ONCE)):
            due.append(self._waiting.popleft()[1])
        if now - self._moved > _PAUSED_SECONDS:
            self._waiting.clear()
        return due

    def reads(self, path: Path) -> bool:
        return self.file.reads(path)

    def _read(self, note: Note) -> deque[tuple[datetime, Arrival]]:
        came = {record.headline.key for record in StreamLog(self.log.path).new() if record.headline}
        arrivals = self.file.look(last=True, note=note)
        time = next((arrival.published for arrival in arrivals if arrival.published), None)
        if time is None:
            message = f"No headline of {self.file.path.name} has a date, so that it cannot be replayed."
            raise InputError(message, hint="Follow the file itself.")
        waiting: deque[tuple[datetime, Arrival]] = deque()
        for arrival in arrivals:
            time = arrival.published or time
            if arrival.key not in came:
                waiting.append((time, arrival))
        return waiting


def _is_taken(name: str) -> bool:
    endings = tuple(f".{suffix}" for suffix in readers.suffixes())
    return not name.startswith(".") and name.lower().removesuffix(".gz").endswith(endings)


def _sentence(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "it is not there."
    return error.message if isinstance(error, CoreError) else str(error)
