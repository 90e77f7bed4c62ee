"""XLSX: the first sheet that has rows, values as calculated, formulas never run."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np

from core import limits
from core.errors import InputError
from core.timelines import columns
from core.timelines.decode import too_big_unpacked
from core.timelines.raw import (
    Container,
    RawTable,
    Source,
    as_text,
    check_columns,
    check_rows,
    texts_frame,
    unique_names,
)

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def read(source: Source) -> RawTable:
    """Reads the first sheet with rows; its first row names the columns where it looks like names.

    Raises:
        InputError: Not an XLSX file, an old .xls, behind a password, damaged, empty or past a limit.
    """
    _check_archive(source.data)
    import openpyxl

    try:
        book = openpyxl.load_workbook(
            io.BytesIO(source.data), read_only=True, data_only=True, keep_links=False
        )
        sheet, others = _first_with_rows(book)
        rows, lines = _rows(sheet, blank_rows=source.blank_rows) if sheet is not None else ([], [])
    except InputError:
        raise
    except Exception as error:  # openpyxl lets errors of zip, XML and its own descriptors through
        raise InputError(
            f"The XLSX file is damaged ({type(error).__name__}).",
            hint="Open and save it again, or export CSV.",
        ) from None
    if not rows:
        raise InputError("The workbook holds no rows.", hint="Give a header and one headline a row.")
    notes = [f"Only the sheet {sheet.title!r} was read; there are {others} more."] if others else []
    width = max(map(len, rows))
    check_columns(width)
    rows = [row + [None] * (width - len(row)) for row in rows]
    if columns.has_header([[cell or "" for cell in row] for row in rows[:5]]):
        names, renamed = unique_names(rows[0])
        rows, lines, notes = rows[1:], lines[1:], notes + renamed
    else:
        names = [f"column_{i + 1}" for i in range(width)]
        notes.append("The sheet has no header; columns were numbered.")
    check_rows(len(rows))
    return RawTable(
        cells=texts_frame(rows, names),
        lines=np.array(lines, dtype=np.int64),
        notes=tuple(notes),
        serials=True,
    )


def _check_archive(data: bytes) -> None:
    if data.startswith(_OLE):
        locked = _ENCRYPTED in data
        what = "is protected with a password" if locked else "is in the old .xls format"
        raise InputError(f"The workbook {what}.", hint="Save it as XLSX without a password, or as CSV.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise InputError(
            f"The XLSX file is cut off or damaged after {len(data):,} bytes.",
            hint="Download or copy it again.",
        ) from None
    if not any(part.filename.startswith("xl/") for part in parts):
        raise InputError(
            "The file is a zip archive, not a workbook.", hint="Unpack it and give the table inside."
        )
    # zipfile never yields more than the declared size, so the declared sizes bound the memory.
    if sum(part.file_size for part in parts) > limits.UNPACKED_MEGABYTES.value * 1_000_000:
        raise too_big_unpacked()


def _first_with_rows(book: Any) -> tuple[Any, int]:
    sheets = book.worksheets
    for sheet in sheets:
        sheet.reset_dimensions()  # the stored dimensions may lie
        if any(cell is not None for row in sheet.iter_rows(max_row=50, values_only=True) for cell in row):
            return sheet, len(sheets) - 1
    return None, 0


def _rows(sheet: Any, *, blank_rows: bool) -> tuple[list[list[str | None]], list[int]]:
    rows: list[list[str | None]] = []
    lines: list[int] = []
    blank: list[int] = []  # since the last filled row
    for line, values in enumerate(sheet.iter_rows(values_only=True), 1):
        texts = [_cell(value) for value in values]
        while texts and texts[-1] is None:
            texts.pop()
        if texts:
            rows += [*([] for _ in blank), texts]
            lines += [*blank, line]
            blank.clear()
            check_columns(len(texts))
            check_rows(len(rows) - 1)
        elif blank_rows and rows:
            blank.append(line)
            check_rows(len(rows) + len(blank) - 1)
    return rows, lines


def _cell(value: Any) -> str | None:
    """A cell as text; a date at midnight is a day, as sheets have no other way to write one."""
    if isinstance(value, datetime) and value.time() == time(0):
        return value.date().isoformat()
    if isinstance(value, (datetime, date, time)):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return as_text(value)


def _recognises(source: Source) -> bool:
    if source.suffix in FORMAT.suffixes or source.data.startswith(_OLE):
        return True
    return source.data.startswith(b"PK\x03\x04") and b"xl/" in source.data


FORMAT = Container("xlsx", "Excel workbook", ("xlsx", "xlsm"), 10, _recognises, read)
