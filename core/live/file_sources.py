"""A file that grows, and a folder to which files are added."""

import codecs
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

from core.data.timelines import readers, tables
from core.data.timelines.load import load
from core.errors import CoreError
from core.live.arrivals import Arrival, in_order
from core.live.excluded_rows import ExcludedRows, Note

_JSON_LINES: Final = ("jsonl", "ndjson")
_BY_LINES: Final = ("csv", "tsv", "txt", *_JSON_LINES)  # the last line may not be whole yet
_TABLES: Final = ("csv", "tsv")
_MARKS: Final = (  # that of UTF-32 first: that of UTF-16 is its beginning
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BROKEN: Final = (-1, -1)  # in place of size and time: the file is read again when it is there again


@dataclass(slots=True, eq=False)
class FileSource:
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
            data, ending = tables.read_bytes(self.path), self.path.suffix.lower().removeprefix(".")
            whole = data if last else whole_lines(data, ending)
            self._waiting = len(whole) < len(data)
            nothing = not data.strip() if last else is_nothing_yet(whole, ending)
            arrivals = [] if nothing else self._excluded.arrivals(load(whole, name, growing=True), name, note)
        except (CoreError, OSError) as error:
            if self._seen is None:
                raise
            said = f"{name} could not be read: {sentence_of(error)}"
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
    path: Path
    left: ClassVar[int | None] = None
    problem: str = ""
    _files: dict[str, FileSource] = field(default_factory=dict)

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        arrivals, problems = list[Arrival](), list[str]()
        there = self.path.is_dir()
        for path in sorted(self.path.iterdir()) if there else ():
            if not is_taken(path.name) or not path.is_file():
                continue
            source = self._files.setdefault(path.name, FileSource(path))
            try:
                arrivals += source.look(last=last, note=note)
            except (CoreError, OSError) as error:
                facts = path.stat()
                source._seen = (facts.st_size, facts.st_mtime_ns)
                source.problem = f"{path.name} could not be read: {sentence_of(error)}"
                note(source.problem)
            problems.append(source.problem)
        said = " ".join(filter(None, problems)) if there else f"The folder {self.path.name} is not there."
        if not there and said != self.problem:
            note(said)
        self.problem = said
        return in_order(arrivals)

    def reads(self, path: Path) -> bool:
        return path.resolve().parent == self.path.resolve() and is_taken(path.name)


def is_taken(name: str) -> bool:
    endings = tuple(f".{suffix}" for suffix in readers.suffixes())
    return not name.startswith(".") and name.lower().removesuffix(".gz").endswith(endings)


def sentence_of(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "it is not there."
    return error.message if isinstance(error, CoreError) else str(error)


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
