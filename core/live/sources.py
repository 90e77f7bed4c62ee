"""What a stream follows: a file that grows, a folder of files, or an address."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

from core.data.timelines import readers
from core.data.timelines.load import load, read_bytes
from core.errors import CoreError, DataSourceError, InputError
from core.live.arrival import Arrival, arrivals_of
from core.live.fetch import Fetcher, is_address

_BY_LINES: Final = ("csv", "tsv", "jsonl", "ndjson", "txt")
"""Endings of files to which lines are added: the last line may not be whole yet."""
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


def source_of(given: str, *, private: bool = False) -> HeadlineSource:
    """The source that a path or an address stands for.

    Args:
        given: A file, a folder, or an address that begins with http:// or https://.
        private: Addresses of this computer and of private networks may be asked.

    Raises:
        DataSourceError: There is no such file or folder.
        InputError: Nothing is given, or the address cannot be asked.
    """
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

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        """See `HeadlineSource`."""
        try:
            facts = os.stat(self.path)
            state = (facts.st_size, facts.st_mtime_ns)
            if state == self._seen and not self._waiting:
                return []
            same = state == self._seen
            data = read_bytes(self.path)
            whole = data if last or same else _whole_lines(data, self.path)
            self._waiting = len(whole) < len(data)
            nothing = not whole.strip() or (not last and _is_head(whole, self.path))
            found = [] if nothing else _arrivals(whole, self.path.name)
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


@dataclass(slots=True, eq=False)
class FolderSource:
    """A folder to which files are added; each is followed."""

    path: Path
    _files: dict[str, FileSource] = field(default_factory=dict)

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        """See `HeadlineSource`."""
        known = tuple(f".{suffix}" for suffix in readers.suffixes())
        known += tuple(f"{suffix}.gz" for suffix in known)
        found: list[Arrival] = []
        for path in sorted(self.path.iterdir()) if self.path.is_dir() else ():
            if path.name.startswith(".") or not path.name.lower().endswith(known) or not path.is_file():
                continue
            one = self._files.setdefault(path.name, FileSource(path))
            try:
                found += one.look(last=last, note=note)
            except (CoreError, OSError) as error:
                facts = path.stat()
                one._seen = (facts.st_size, facts.st_mtime_ns)
                note(f"{path.name} could not be read: {_sentence(error)}")
        return in_order(found)


@dataclass(slots=True, eq=False)
class UrlSource:
    """An address of a feed, or of a file of any format that is read."""

    fetcher: Fetcher
    _answered: bool = False

    def look(self, *, last: bool, note: Note) -> list[Arrival]:
        """See `HeadlineSource`."""
        try:
            fetched = self.fetcher.fetch()
            found = (
                [] if fetched is None else _arrivals(fetched.data, fetched.filename, note=self._noting(note))
            )
        except CoreError as error:
            self.fetcher.forget()
            if not self._answered:
                raise
            note(f"{self.fetcher.shown} could not be read: {_sentence(error)}")
            return []
        self._answered = True
        return found

    def _noting(self, note: Note) -> Note:
        def noting(said: str) -> None:
            self.fetcher.forget()  # what was cut off comes with the next look
            note(said)

        return noting


def in_order(arrivals: list[Arrival]) -> list[Arrival]:
    """By time, those without one where they stand after their neighbours."""
    last, times = datetime.min.replace(tzinfo=UTC), []
    for one in arrivals:
        last = one.published or last
        times.append(last)
    return [arrivals[row] for row in sorted(range(len(arrivals)), key=times.__getitem__)]


def _arrivals(data: bytes, name: str, *, note: Note | None = None) -> list[Arrival]:
    timeline = load(data, name)
    cut = [said for said in timeline.report.notes if "cut off" in said]
    if note is not None and cut:
        note(" ".join(cut))
    return arrivals_of(timeline)


def _whole_lines(data: bytes, path: Path) -> bytes:
    if path.suffix.lower().removeprefix(".") not in _BY_LINES:
        return data
    return data[: data.rfind(b"\n") + 1]


def _is_head(data: bytes, path: Path) -> bool:
    """Whether there is one line of a table so far, which may be the names of its columns."""
    return path.suffix.lower() in (".csv", ".tsv") and len(data.strip().splitlines()) == 1


def _sentence(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "it is not there."
    return error.message if isinstance(error, CoreError) else str(error)
