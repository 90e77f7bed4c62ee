"""Reading a file to which others append lines: only what is new since the last look is read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.errors import DataSourceError

_COMPARED: Final = 128
"""Bytes before a place that must be as they were; else the file is another one and is read from its start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPosition:
    """How far a file was read.

    Attributes:
        file: Device and inode.
        size: Bytes that the file had.
        changed: Time of its last change, in nanoseconds.
        read: Bytes up to the end of the last whole line.
        last: The bytes before that.
    """

    file: tuple[int, int]
    size: int
    changed: int
    read: int
    last: bytes

    @property
    def cut(self) -> bool:
        """Whether the file ended within a line, as one does that is being written or that a crash cut off."""
        return self.read < self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What a look at a file found.

    Attributes:
        place: How far it was read; None where there is no file.
        lines: Whole lines that were not read before, without their ends; empty ones are left out.
        anew: They are all lines of the file: what was read before counts no longer.
    """

    place: ReadPosition | None
    lines: tuple[bytes, ...]
    anew: bool


def read_on(path: Path, place: ReadPosition | None) -> News:
    """Reads the lines that were appended to a file since the last look.

    Args:
        path: The file; it need not exist.
        place: What the last look gave; None for the first.

    Raises:
        DataSourceError: The file cannot be read.
    """
    try:
        if place is not None and not place.cut and _same(place, path.stat()):
            return News(place=place, lines=(), anew=False)
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            start = 0
            if place is not None and _grown(place, found):
                file.seek(place.read - len(place.last))
                start = place.read if file.read(len(place.last)) == place.last else 0
            file.seek(start)
            content = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return News(place=None, lines=(), anew=True)
    except OSError as error:
        raise DataSourceError(
            f"{path} cannot be read ({error.strerror}).", hint="Check that the file may be read."
        ) from None
    whole = content[: content.rfind(b"\n") + 1]
    before = place.last if place is not None and start else b""
    now = ReadPosition(
        file=(found.st_dev, found.st_ino),
        # Not the size of before the reading: what was appended meanwhile is read already.
        size=start + len(content),
        changed=found.st_mtime_ns,
        read=start + len(whole),
        last=(before + whole[-_COMPARED:])[-_COMPARED:],
    )
    return News(place=now, lines=tuple(filter(None, whole.split(b"\n"))), anew=not start)


def _same(place: ReadPosition, found: os.stat_result) -> bool:
    return (
        place.file == (found.st_dev, found.st_ino)
        and place.size == found.st_size
        and place.changed == found.st_mtime_ns
    )


def _grown(place: ReadPosition, found: os.stat_result) -> bool:
    """Whether it is the same file, perhaps longer; one changed without growing may have changed anywhere."""
    grown = found.st_size > place.size or place.cut
    return place.file == (found.st_dev, found.st_ino) and grown and found.st_size >= place.read
