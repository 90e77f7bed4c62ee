"""What a stream follows: a file that grows, a folder of files, or an address."""

from __future__ import annotations

import codecs
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from core.data.timelines import readers
from core.data.timelines.load import load, read_bytes
from core.data.timelines.timeline import RejectedRow, Timeline
from core.errors import CoreError, DataSourceError, InputError
from core.live.changes import Arrival, arrivals_of, in_order
from core.live.fetch import Fetched, Fetcher, is_address

_NAMED: Final = 5  # rows of one look that are named one by one
_Row = tuple[str, str, tuple[tuple[str, str], ...]]


@dataclass(slots=True, eq=False)
class ExcludedRows:
    """What was said of one file or address; a row is known by its cells, since its line may change."""

    _said: Counter[_Row] = field(default_factory=Counter)
    _kinds: set[str] = field(default_factory=set)

    def new_notes(self, notes: Sequence[str]) -> list[str]:
        """The notes that no earlier look had; one that differs in its numbers alone is not new."""
        kinds = {re.sub(r"[\d, ]+", "", said): said for said in notes}
        new = [said for kind, said in kinds.items() if kind not in self._kinds]
        self._kinds |= kinds.keys()
        return new

    def new(self, rejected: Sequence[RejectedRow], name: str) -> str:
        """A sentence on the rows that were not excluded at an earlier look; "" for none."""
        seen: Counter[_Row] = Counter()
        new: list[RejectedRow] = []
        for row in rejected:
            content = (row.column, row.reason, tuple(row.cells.items()))
            seen[content] += 1
            if seen[content] > self._said[content]:
                new.append(row)
        self._said |= seen
        if not new:
            return ""
        count = "1 row" if len(new) == 1 else f"{len(new):,} rows"
        named = [f"{row.place}: {row.reason.rstrip('.')}" for row in new[:_NAMED]]
        if len(new) > _NAMED:
            named.append(f"and {len(new) - _NAMED:,} more")
        return f"{name}: {count} excluded: {'; '.join(named)}."


_JSON_LINES: Final = ("jsonl", "ndjson")
_BY_LINES: Final = ("csv", "tsv", "txt", *_JSON_LINES)
"""Endings of files to which lines are added: the last line may not be whole yet."""
_TABLES: Final = ("csv", "tsv")
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte-order marks of wide encodings, that of UTF-32 first: that of UTF-16 is its beginning."""


def whole_lines(data: bytes, ending: str) -> bytes:
    """A file up to the end of its last whole line.

    In UTF-16 and UTF-32 a line ends with a character of two or four bytes, not with the first 0x0A. An
    object of JSON is whole without a line end: no beginning of one is an object.
    """
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
            found = [] if nothing else _arrivals(load(whole, name), name, self._excluded, note)
        except (CoreError, OSError) as error:
            if self._seen is None:
                raise
            said = f"{name} could not be read: {_sentence(error)}"
            if said != self._said:  # once, however often it is looked at
                note(said)
            self._said = said
            return []
        self._seen, self._said = state, ""
        return found

    def reads(self, path: Path) -> bool:
        return path.resolve() == self.path.resolve()


@dataclass(slots=True, eq=False)
class FolderSource:
    """A folder to which files are added; each is followed."""

    path: Path
    _files: dict[str, FileSource] = field(default_factory=dict)

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        found: list[Arrival] = []
        for path in sorted(self.path.iterdir()) if self.path.is_dir() else ():
            if not _is_taken(path.name) or not path.is_file():
                continue
            one = self._files.setdefault(path.name, FileSource(path))
            try:
                found += one.look(last=last, note=note)
            except (CoreError, OSError) as error:
                facts = path.stat()
                one._seen = (facts.st_size, facts.st_mtime_ns)
                note(f"{path.name} could not be read: {_sentence(error)}")
        return in_order(found)

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
            found = [] if fetched is None else self._read(fetched, note)
        except CoreError as error:
            self.fetcher.forget()
            if not self._answered:
                raise
            note(f"{self.fetcher.shown} could not be read: {_sentence(error)}")
            return []
        self._answered = True
        return found

    def reads(self, path: Path) -> bool:
        return False

    def _read(self, fetched: Fetched, note: Note) -> list[Arrival]:
        timeline = load(fetched.data, fetched.filename)
        if any("cut off" in said for said in timeline.report.notes):
            self.fetcher.forget()  # what was cut off comes with the next look
        return _arrivals(timeline, self.fetcher.shown, self._excluded, note)


def _arrivals(timeline: Timeline, name: str, excluded: ExcludedRows, note: Note) -> list[Arrival]:
    for said in excluded.new_notes(timeline.report.notes):
        note(f"{name}: {said}")
    if said := excluded.new(timeline.report.rejected, name):
        note(said)
    return arrivals_of(timeline)


def _is_taken(name: str) -> bool:
    endings = tuple(f".{suffix}" for suffix in readers.suffixes())
    endings += tuple(f"{ending}.gz" for ending in endings)
    return not name.startswith(".") and name.lower().endswith(endings)


def _sentence(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "it is not there."
    return error.message if isinstance(error, CoreError) else str(error)
