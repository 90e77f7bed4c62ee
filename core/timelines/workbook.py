"""Opening a workbook with its parts counted while they are read, before a tree is made of them.

A row, a list of styles or one of names is one tree in memory, ten thousand times as large as in the file.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any, Final

from core.errors import InputError

MOST_TAGS: Final = 250_000
"""In one row, or outside of rows and texts. A full row has 16,384 cells of up to eight tags, and the
longest list of styles 65,490 of three."""
_CHUNK: Final = 1 << 16
_END: Final = re.compile(rb"</(?:[\w.-]+:)?(?:row|si)\b")
"""Where what was read is let go: the end of a row and of a text."""


def open_workbook(data: bytes) -> Any:
    """The workbook of an XLSX file as openpyxl reads it row by row, values as calculated.

    Raises:
        InputError: A part of it holds more than `MOST_TAGS` at once. Rows are counted when they are read, and
            openpyxl may wrap the error in one of its own, see `refusal`.
        Exception: It is damaged; openpyxl lets errors of zip, XML and its own descriptors through.
    """
    from openpyxl.reader.excel import ExcelReader

    reader = ExcelReader(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    reader.archive = _Archive(io.BytesIO(data))
    reader.read()
    return reader.wb


def refusal(error: BaseException | None) -> InputError | None:
    """The sentence with which a part was refused, where that is what an error came from."""
    while error is not None and not isinstance(error, InputError):
        error = error.__cause__ or error.__context__
    return error


class _Archive(zipfile.ZipFile):
    """A zip archive whose parts are counted as they are read."""

    def open(self, *given: Any, **named: Any) -> Any:
        """A part of it."""
        part = super().open(*given, **named)
        part.read = _counted(part.read)  # type: ignore[method-assign]
        return part


def _counted(read: Callable[[int], bytes]) -> Callable[..., bytes]:
    """Reads as before, and refuses too many tags at once."""
    tags = 0
    before = b""  # a mark may lie across two chunks

    def check(number: int) -> None:
        if number > MOST_TAGS:
            raise InputError(
                f"The workbook has a row, or a list of styles or names, of {MOST_TAGS:,} parts or more.",
                hint="Open it and save the headlines alone, or export CSV.",
            )

    def count(chunk: bytes) -> bytes:
        nonlocal tags, before
        *whole, rest = _END.split(before + chunk)
        for piece in whole:
            check(tags + piece.count(b"<"))
            tags = 0
        tags += rest.count(b"<")
        check(tags)
        before = rest[rest.rfind(b"<") :] if b"<" in rest[-100:] else b""
        tags -= before.count(b"<")
        return chunk

    def counted(size: int | None = -1) -> bytes:
        if size is not None and size >= 0:
            return count(read(size))
        chunks = []
        while chunk := count(read(_CHUNK)):
            chunks.append(chunk)
        return b"".join(chunks)

    return counted
