"""Follows a source: looks, groups what is new, stores it, and says what grows, changed, merged and split."""

from __future__ import annotations

import codecs
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from core import files, limits
from core.data.timelines import readers
from core.data.timelines.load import load, read_bytes
from core.data.timelines.timeline import RejectedRow, Timeline
from core.errors import CoreError, DataSourceError, InputError
from core.live.changes import Arrival, StreamRecord, arrivals_of, in_order
from core.live.fetch import Fetched, Fetcher, is_address
from core.live.log import StreamHeader, StreamLog, check_stream, kept_streams, name_for, stream_file
from core.live.stream import Stream
from core.results.render import count_words
from core.runtime import Runtime

_TOGETHER: Final = 32  # records that are stored at once: a disk write each would cost more than grouping
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
                    arrival
                    for arrival in how.source.look(last=how.once, note=how.note)
                    if arrival.key not in gone
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
_started: Final[dict[str, subprocess.Popen[bytes]]] = {}  # last process of each stream


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
        busy = sum(is_followed(StreamLog(stream)) for stream in kept_streams())
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


_NAMED: Final = 5  # rows of one look that are named one by one
_Row = tuple[str, str, tuple[tuple[str, str], ...]]


@dataclass(slots=True, eq=False)
class ExcludedRows:
    """What was said of one file or address; a row is known by its cells, since its line may change."""

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
        if new:
            named = [f"{row.place}: {row.reason.rstrip('.')}" for row in new[:_NAMED]]
            if len(new) > _NAMED:
                named.append(f"and {len(new) - _NAMED:,} more")
            note(f"{name}: {count_words(len(new), 'row', 'rows')} excluded: {'; '.join(named)}.")
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


class HeadlineSource(Protocol):
    """Something that headlines come from."""

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        """What is there and may be new, by time; a headline that was there before may come again."""
        ...

    def reads(self, path: Path) -> bool: ...


def source_of(given: str, *, private: bool = False) -> HeadlineSource:
    if not given.strip():
        raise InputError("There is nothing to follow.", hint="Give a file, a folder or an address.")
    if is_address(given):
        return UrlSource(Fetcher(given, private=private))
    path = Path(given)
    if path.is_dir():
        return FolderSource(path)
    if not path.exists():
        raise DataSourceError(
            f"There is no file or folder {given[:200]}.", hint="Check the path and the spelling."
        )
    return FileSource(path)


@dataclass(slots=True, eq=False)
class FileSource:
    """A file that grows, or is written anew."""

    path: Path
    _seen: tuple[int, int] | None = None
    _waiting: bool = False
    _said: str = ""
    _excluded: ExcludedRows = field(default_factory=ExcludedRows)

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        name = self.path.name
        try:
            facts = os.stat(self.path)
            state = (facts.st_size, facts.st_mtime_ns)
            if state == self._seen and not last:
                if self._waiting:  # it did not grow between two looks: nobody may be writing any more
                    note(f"{name}: the last line has no line end; it waits until it has one.")
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
            if said != self._said:  # once, however often it is looked at
                note(said)
            self._said = said
            return []
        self._seen, self._said = state, ""
        return arrivals

    def reads(self, path: Path) -> bool:
        return path.resolve() == self.path.resolve()


@dataclass(slots=True, eq=False)
class FolderSource:
    """A folder to which files are added; each is followed."""

    path: Path
    _files: dict[str, FileSource] = field(default_factory=dict)

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        arrivals: list[Arrival] = []
        for path in sorted(self.path.iterdir()) if self.path.is_dir() else ():
            if not _is_taken(path.name) or not path.is_file():
                continue
            source = self._files.setdefault(path.name, FileSource(path))
            try:
                arrivals += source.look(last=last, note=note)
            except (CoreError, OSError) as error:
                facts = path.stat()
                source._seen = (facts.st_size, facts.st_mtime_ns)
                note(f"{path.name} could not be read: {_sentence(error)}")
        return in_order(arrivals)

    def reads(self, path: Path) -> bool:
        return path.resolve().parent == self.path.resolve() and _is_taken(path.name)


@dataclass(slots=True, eq=False)
class UrlSource:
    """An address of a feed, or of a file of any format that is read."""

    fetcher: Fetcher
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
            note(f"{self.fetcher.shown} could not be read: {_sentence(error)}")
            return []
        self._answered = True
        return arrivals

    def reads(self, path: Path) -> bool:
        return False

    def _read(self, fetched: Fetched, note: Note) -> list[Arrival]:
        timeline = load(*fetched)
        if any("cut off" in said for said in timeline.report.notes):
            self.fetcher.forget()  # what was cut off comes with the next look
        return self._excluded.arrivals(timeline, self.fetcher.shown, note)


def _is_taken(name: str) -> bool:
    endings = tuple(f".{suffix}" for suffix in readers.suffixes())
    return not name.startswith(".") and name.lower().removesuffix(".gz").endswith(endings)


def _sentence(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "it is not there."
    return error.message if isinstance(error, CoreError) else str(error)
