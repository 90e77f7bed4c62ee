"""Where the rows of delimited text begin, looked up before they are read.

A first look, which keeps nothing but the numbers of lines, finds those that open a quotation mark which is
never closed; they are left out and all others read.
"""

from __future__ import annotations

import gzip
import io
import zlib
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, cast

import numpy as np

from core.data.timelines.decode import GZIP, damaged_gz
from core.data.timelines.quotation import MOST_UNCLOSED, look
from core.errors import InputError
from core.similarities import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class RowLines:
    """Lines of a file, from 1.

    Attributes:
        begins: Where each row begins that is not left out, the row of names first, int64.
        unclosed: Those that open a quotation mark which is never closed.
    """

    begins: IntArray
    unclosed: tuple[int, ...]

    def of(self, rows: IntArray) -> IntArray:
        """Lines of rows by their numbers, int64; 0 is the row of names, a row past the last is the last."""
        return self.begins.take(rows, mode="clip")


def is_packed(path: Path) -> bool:
    """Whether the content of a file is gz, whatever its name says."""
    with path.open("rb") as file:
        return file.read(len(GZIP)) == GZIP


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, gz or not.

    Raises:
        InputError: It is gz, and cut off or damaged.
    """
    with gzip.open(path) if is_packed(path) else path.open("rb") as file:
        try:
            yield cast("IO[bytes]", file)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise damaged_gz(cut=isinstance(error, EOFError)) from None


def row_lines(path: Path, encoding: str, delimiter: str, first: int) -> RowLines:
    """Looks up where rows begin.

    Args:
        path: Delimited text, gz or not.
        encoding: Of the text.
        delimiter: One character.
        first: Line of the row of names, from 1.

    Raises:
        InputError: Too many lines open a quotation mark that is never closed, or the gz file is cut off.
        OSError: It cannot be read.
    """
    begins, unclosed = array("q"), list[int]()
    line = first
    while line:
        with unpacked(path) as file:
            line = look(islice(_lines(file, encoding), line - 1, None), line, delimiter, begins)
        if line:
            unclosed.append(line)
            line += 1
        if len(unclosed) > MOST_UNCLOSED:
            raise InputError(
                f"More than {MOST_UNCLOSED} lines open a quotation mark that is never closed, the first of"
                f" them line {unclosed[0]:,}.",
                hint="Close the marks, or double them where they are part of the text.",
            )
    return RowLines(np.array(begins, dtype=np.int64), tuple(unclosed))


def without(path: Path, encoding: str, lines: tuple[int, ...]) -> io.BufferedReader:
    """A file as UTF-8, with some of its lines empty."""
    return io.BufferedReader(_Pieces(_kept(path, encoding, frozenset(lines))), 1 << 20)


def _kept(path: Path, encoding: str, empty: frozenset[int]) -> Iterator[bytes]:
    with unpacked(path) as file:
        for number, line in enumerate(_lines(file, encoding), 1):
            yield b"\n" if number in empty else line.encode()


def _lines(file: IO[bytes], encoding: str) -> Iterator[str]:
    lines = io.TextIOWrapper(file, encoding=encoding, errors="replace", newline="")
    yield next(lines, "").removeprefix("\ufeff")
    yield from lines


class _Pieces(io.RawIOBase):
    """A file of the pieces that an iterator gives."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """The next bytes, at most as many as there is room for; 0 at the end."""
        self._rest = self._rest or next(self._pieces, b"")
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count
