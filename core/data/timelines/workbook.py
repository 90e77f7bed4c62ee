"""Opening a workbook with its parts looked at while they are read, before a tree is made of them.

A row, a list of styles or one of names is one tree in memory, ten thousand times as large as in the file. A
tag or comment that goes on over many reads is looked at from its beginning at each (expat before 2.6).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Any, Final
from xml.parsers import expat

from core.errors import InputError

MOST_TAGS: Final = 250_000
"""In one row, or outside of rows and texts. A full row has 16,384 cells of up to eight tags, and the
longest list of styles 65,490 of three."""
LONGEST_TAG: Final = 1_000_000
"""Bytes of a tag, a comment, an instruction or a reference."""
LAST_ROW: Final = 1_048_576
"""Of the format."""
_CHUNK: Final = 1 << 16
_END: Final = re.compile(rb"</(?:[\w.-]+:)?(?:row|si)\b|<(?:[\w.-]+:)?row\b[^<>]*/>")
"""Where what was read is let go: the end of a row and of a text."""
_ROW: Final = re.compile(rb"<(?:[\w.-]+:)?row[\s/>]")


def open_workbook(data: bytes) -> Any:
    """The workbook of an XLSX file as openpyxl reads it row by row, values as calculated.

    Raises:
        InputError: A part of it holds more than `MOST_TAGS` at once or a tag longer than `LONGEST_TAG`, or
            declares a document type. Rows are looked at when they are read, and openpyxl may wrap the error
            in one of its own, see `refusal`.
        Exception: It is damaged; openpyxl lets errors of zip, XML and its own descriptors through.
    """
    from openpyxl.reader.excel import ExcelReader

    reader = ExcelReader(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    reader.archive = _Archive(io.BytesIO(data))
    reader.read()
    return reader.wb


def numbered_rows(sheet: Any) -> Iterator[tuple[int, dict[int, Any]]]:
    """The rows of a sheet as they stand in the file: their numbers, and the values of cells by column from 1.

    Rows that the file leaves out between two numbers are not made, so that gaps cost nothing; openpyxl's own
    rows make them, and leave out what is not in order.

    Raises:
        InputError: It goes past `LAST_ROW`; otherwise as `open_workbook`.
        Exception: It is damaged.
    """
    from openpyxl.worksheet._reader import WorkSheetParser

    book = sheet.parent
    with sheet._get_source() as part:
        parser = WorkSheetParser(
            part,
            sheet._shared_strings,
            data_only=book.data_only,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        for count, (line, cells) in enumerate(parser.parse(), 1):
            if max(count, line) > LAST_ROW:
                raise _too_many_rows()
            yield line, {cell["column"]: cell["value"] for cell in cells if cell["value"] is not None}


def _too_many_rows() -> InputError:
    return InputError(
        f"A sheet of the workbook goes past row {LAST_ROW:,}, the last that a sheet has.",
        hint="Open and save it again, or export CSV.",
    )


def refusal(error: BaseException | None) -> InputError | None:
    """The sentence with which a part was refused, where that is what an error came from."""
    while error is not None and not isinstance(error, InputError):
        error = error.__cause__ or error.__context__
    return error


class _Archive(zipfile.ZipFile):
    """A zip archive whose parts are looked at as they are read."""

    def open(self, *given: Any, **named: Any) -> Any:
        """A part of it."""
        part = super().open(*given, **named)
        part.read = _counted(_measured(part.read))  # type: ignore[method-assign]
        return part


def _measured(read: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """Reads at least `_CHUNK`, and refuses a tag or comment that goes on for too long.

    A parser of its own is told everything first: what it has not been able to finish is the tag.
    """
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse_doctype
    fed, sound = 0, True

    def measured(size: int) -> bytes:
        nonlocal fed, sound
        chunk = read(max(size, _CHUNK) if size else 0)
        try:
            if sound:
                parser.Parse(chunk, False)
        except expat.ExpatError:  # no XML, or damaged: whoever wants it finds that out here as well
            sound = False
        fed += len(chunk)
        if sound and fed - max(parser.CurrentByteIndex, 0) > LONGEST_TAG:
            raise InputError(
                f"The workbook has a tag or comment of more than {LONGEST_TAG:,} bytes.",
                hint="Open and save it again, or export CSV.",
            )
        return chunk

    return measured


def _refuse_doctype(*_: Any) -> None:
    raise InputError(
        "A part of the workbook declares a document type, which a workbook has not.",
        hint="Open and save it again, or export CSV.",
    )


def _counted(read: Callable[[int], bytes]) -> Callable[..., bytes]:
    """Reads as before, and refuses too many tags at once, and too many rows: each empty one stays as well."""
    tags = rows = 0
    before = b""  # a mark may lie across two chunks

    def check(number: int) -> None:
        if number > MOST_TAGS:
            raise InputError(
                f"The workbook has more than {MOST_TAGS:,} tags in one row, or outside of rows and texts.",
                hint="Open it and save the headlines alone, or export CSV.",
            )

    def count(chunk: bytes) -> bytes:
        nonlocal tags, rows, before
        rows += len(_ROW.findall(chunk))
        if rows > LAST_ROW:
            raise _too_many_rows()
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
