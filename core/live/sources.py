"""What a stream follows: a file that grows, a folder of files, or an address."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from core.data.timelines import readers
from core.data.timelines.load import load, read_bytes
from core.data.timelines.timeline import Timeline
from core.errors import CoreError, DataSourceError, InputError
from core.live.arrival import Arrival, arrivals_of
from core.live.excluded import ExcludedRows
from core.live.fetch import Fetched, Fetcher, is_address
from core.live.lines import is_nothing_yet, whole_lines

Note = Callable[[str], None]


class HeadlineSource(Protocol):
    """Something that headlines come from."""

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        """What is there and may be new, by time; a headline that was there before may come again.

        Args:
            last: Nobody looks again: a line that may not be whole is taken as it is.
            note: Is told in a sentence what could not be read.

        Raises:
            CoreError: Nothing can be read, and nothing ever was.
        """
        ...

    def reads(self, path: Path) -> bool:
        """Whether a file is, or would be, a part of the source."""
        ...


def source_of(given: str, *, private: bool = False) -> HeadlineSource:
    """The source that a path or an address stands for."""
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
        try:
            facts = os.stat(self.path)
            state = (facts.st_size, facts.st_mtime_ns)
            if state == self._seen and not last:
                if self._waiting:  # it did not grow between two looks: nobody may be writing any more
                    note(f"{self.path.name}: the last line has no line end; it waits until it has one.")
                self._waiting = False
                return []
            data, ending = read_bytes(self.path), self.path.suffix.lower().removeprefix(".")
            whole = data if last else whole_lines(data, ending)
            self._waiting = len(whole) < len(data)
            nothing = not data.strip() if last else is_nothing_yet(whole, ending)
            found = [] if nothing else _arrivals(whole, self.path.name, note, self._excluded)
        except (CoreError, OSError) as error:
            if self._seen is None:
                raise
            said = f"{self.path.name} could not be read: {_sentence(error)}"
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
        _say_new(timeline, self.fetcher.shown, self._excluded, note)
        return arrivals_of(timeline)


def in_order(arrivals: list[Arrival]) -> list[Arrival]:
    """By time, those without one where they stand after their neighbours."""
    last, times = datetime.min.replace(tzinfo=UTC), []
    for one in arrivals:
        last = one.published or last
        times.append(last)
    return [arrivals[row] for row in sorted(range(len(arrivals)), key=times.__getitem__)]


def _arrivals(data: bytes, name: str, note: Note, excluded: ExcludedRows) -> list[Arrival]:
    timeline = load(data, name)
    _say_new(timeline, name, excluded, note)
    return arrivals_of(timeline)


def _say_new(timeline: Timeline, name: str, excluded: ExcludedRows, note: Note) -> None:
    for said in excluded.new_notes(timeline.report.notes):
        note(f"{name}: {said}")
    if said := excluded.new(timeline.report.rejected, name):
        note(said)


def _is_taken(name: str) -> bool:
    endings = tuple(f".{suffix}" for suffix in readers.suffixes())
    endings += tuple(f"{ending}.gz" for ending in endings)
    return not name.startswith(".") and name.lower().endswith(endings)


def _sentence(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "it is not there."
    return error.message if isinstance(error, CoreError) else str(error)
