"""XLSX: the first sheet that has rows, values as calculated, formulas never run."""

import io
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np

from core import limits
from core.data.timelines import gz, raw
from core.data.timelines.header import find_header
from core.data.timelines.readers.xlsx_guard import LAST_ROW, TOO_LONG, GuardedArchive, refusal, unusable
from core.errors import InputError

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def read(source: raw.RawFile) -> raw.RawTable:
    """Reads the sheet with most rows, or the one that the source names, in one pass."""
    _check_archive(source.data)
    try:
        from openpyxl.reader.excel import ExcelReader

        reader = ExcelReader(io.BytesIO(source.data), read_only=True, data_only=True, keep_links=False)
        reader.archive = GuardedArchive(io.BytesIO(source.data))
        reader.read()
        sheets, taken = _read(reader.wb, source)
    except MemoryError:
        raise
    except Exception as error:  # openpyxl lets errors of zip, XML and its own descriptors through
        raise refusal(error) or unusable("The XLSX file is damaged: a part of it cannot be read.") from error
    wanted = source.sheet
    if wanted is not None and wanted not in sheets:
        hint = f"Choose one of: {raw.listing(sheets)}." if sheets else "It holds no rows at all."
        raise InputError(f"There is no sheet {wanted[:80]!r} with rows in the workbook.", hint=hint)
    sheet = wanted or next(iter(sheets), "")
    if taken is None:
        raise InputError("The workbook holds no rows.", hint="Give a header and at least one row.")
    width = max(map(len, taken.rows))
    raw.check_columns(width)
    raw.check_rows(len(taken.rows) - 1)
    rows, lines = [row + [None] * (width - len(row)) for row in taken.rows], taken.lines
    used = [at for at in range(width) if any(row[at] is not None for row in rows)]
    rows = [[row[at] for at in used] for row in rows]  # a column without any cell is a gap in the layout
    header = find_header(rows, lines, width=len(used), wanted=source.header)
    others = [name for name in sheets if name != sheet]
    why = ", which has most rows" if sheet == next(iter(sheets)) else ""
    notes = [f"Only the sheet {sheet!r} was read{why}; not read: {raw.listing(others)}."] if others else []
    rows, lines = rows[header.first :], lines[header.first :]
    raw.check_rows(len(rows))
    return raw.RawTable(
        cells=raw.texts_frame(rows, header.names),
        lines=np.array(lines, dtype=np.int64),
        notes=(*notes, *header.notes),
        serials=True,
        header=header.line,
        sheet=sheet,
        sheets=sheets,
        ledger={
            "lines": len(taken.rows),
            "header": int(header.line > 0),
            "above_header": header.first - int(header.line > 0),
        },
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
        if not data.startswith(b"PK"):
            message = "The file is called a workbook but is not one."
            raise InputError(message, hint="Check the name, or export it again.") from None
        message = f"The XLSX file is cut off or damaged after {len(data):,} bytes."
        raise InputError(message, hint="Download or copy it again.") from None
    if not any(part.filename.startswith("xl/") for part in parts):
        message = "The file is a zip archive, not a workbook."
        raise InputError(message, hint="Unpack it and give the table inside.")
    # zipfile never yields more than the declared size, so the declared sizes bound the memory.
    gz.check_unpacked(sum(part.file_size for part in parts))


@dataclass(frozen=True, slots=True)
class _Sheet:
    rows: list[list[str | None]]
    lines: list[int]
    filled: int


def _read(book: Any, source: raw.RawFile) -> tuple[dict[str, int], _Sheet | None]:
    """Filled rows of each sheet that has any, the fullest first, and the sheet that is asked for."""
    counts: dict[bool, dict[str, int]] = {True: {}, False: {}}
    fullest: dict[bool, _Sheet | None] = {True: None, False: None}
    for sheet in book.worksheets:
        if not hasattr(sheet, "reset_dimensions"):  # a chart has a sheet of its own
            continue
        read, shown = _rows(sheet, blank_rows=source.blank_rows), sheet.sheet_state == "visible"
        if not read.filled:
            continue
        counts[shown][sheet.title] = read.filled
        best = fullest[shown]
        if source.sheet == sheet.title or (source.sheet is None and (not best or read.filled > best.filled)):
            fullest[shown] = read
    shown = bool(counts[True])
    return dict(sorted(counts[shown].items(), key=lambda item: -item[1])), fullest[shown]


def _rows(sheet: Any, *, blank_rows: bool) -> _Sheet:
    most = limits.FILE_ROWS.value
    rows: list[list[str | None]] = []
    lines: list[int] = []
    filled = 0
    merged: list[Any] = []
    for line, values in numbered_rows(sheet, merged):
        cells = {column: text for column, value in values.items() if (text := _cell(value)) is not None}
        if not cells:
            continue
        if blank_rows and rows:
            blank = range(lines[-1] + 1, line)[: most + 2]  # more are refused as well
            rows += [[] for _ in blank]
            lines += blank
        rows.append([cells.get(column) for column in range(1, max(cells) + 1)])
        lines.append(line)
        filled += 1
        if len(rows) > most + 1 or len(rows[-1]) > limits.COLUMNS.value:  # refused if it is chosen
            break
    for area in merged:  # what stands in a cell over several rows is said of each
        first, column = bisect_left(lines, area.min_row), area.min_col - 1
        top, *below = rows[first : bisect_right(lines, area.max_row)] or [[]]
        for row in below if top[column : area.min_col] and top[column] is not None else ():
            if any(cell is not None for cell in row[column : area.min_col]):
                break  # areas overlap, which no program writes
            row.extend([None] * (area.min_col - len(row)))
            row[column] = top[column]
    return _Sheet(rows, lines, filled)


def _cell(value: Any) -> str | None:
    if isinstance(value, datetime) and value.time() == time(0):
        return value.date().isoformat()
    if isinstance(value, (datetime, date, time)):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return raw.cell_text(value)


def _recognises(source: raw.RawFile) -> bool:
    if source.suffix in FORMAT.suffixes or source.data.startswith(_OLE):
        return True
    return source.data.startswith(b"PK\x03\x04") and b"xl/" in source.data


FORMAT = raw.TableContainer("xlsx", "Excel workbook", ("xlsx", "xlsm"), 10, _recognises, read)


def numbered_rows(sheet: Any, merged: list[Any]) -> Iterator[tuple[int, dict[int, Any]]]:
    """Rows as they stand in the file: numbers, and values by column from 1; last, areas that are one cell."""
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
                raise unusable(TOO_LONG)
            yield line, {cell["column"]: cell["value"] for cell in cells if cell["value"] is not None}
        merged += getattr(parser.merged_cells, "mergeCell", ())
