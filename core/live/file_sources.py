"""A file that grows, and a folder to which files are added."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

from core.data.timelines import readers, tables
from core.data.timelines.load import load
from core.errors import CoreError
from core.live.arrivals import Arrival, in_order
from core.live.excluded_rows import ExcludedRows, Note
from core.live.whole_lines import is_nothing_yet, whole_lines

_BROKEN: Final = (-1, -1)  # in place of size and time: the file is read again when it is there again


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
            data, ending = tables.read_bytes(self.path), self.path.suffix.lower().removeprefix(".")
            whole = data if last else whole_lines(data, ending)
            self._waiting = len(whole) < len(data)
            nothing = not data.strip() if last else is_nothing_yet(whole, ending)
            arrivals = [] if nothing else self._excluded.arrivals(load(whole, name), name, note)
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
    """A folder to which files are added; each is followed."""

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
