"""XLSX: the fullest sheet, one that is named or all of them, values as calculated, formulas never run."""

import io
import re
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np

from core import limits
from core.data.timelines import addresses, column_names, columns, gz, raw
from core.data.timelines.header import find_header
from core.data.timelines.joined_tables import is_period, joined
from core.data.timelines.readers.xlsx_guard import LAST_ROW, TOO_LONG, GuardedArchive, refusal, unusable
from core.data.timelines.timeline import Field
from core.errors import InputError

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HYPERLINK = re.compile(r'HYPERLINK\(\s*"(?P<address>[^"]+)"(?:\s*[,;]\s*"(?P<text>[^"]*)")?', re.IGNORECASE)
Links = dict[tuple[int, int], str]  # addresses by line and column of their cells
OUTLET_IN_SHEET = "outlet in the name of the sheet"
_OWN_TITLES = 0.8  # of the headlines stand once, where sheets are no copies of each other
_LEAST_SHARE = 0.1  # of the rows of the fullest sheet, in another that says more
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def read(source: raw.RawFile) -> raw.RawTable:
    """Reads the sheet with most rows, or the one that the source names, in one pass."""
    _check_archive(source.data)
    try:
        from openpyxl.reader.excel import ExcelReader

        reader = ExcelReader(io.BytesIO(source.data), read_only=True, data_only=True, keep_links=False)
        reader.archive = GuardedArchive(io.BytesIO(source.data))
        reader.read()
        sheets = _sheets(reader.wb, source)
    except MemoryError:
        raise
    except Exception as error:  # openpyxl lets errors of zip, XML and its own descriptors through
        raise refusal(error) or unusable("The XLSX file is damaged: a part of it cannot be read.") from error
    wanted = source.sheet
    if wanted == raw.EVERY_SHEET and sheets:
        return _every_sheet(sheets, source)
    if wanted is not None and wanted not in sheets:
        hint = f"Choose one of: {raw.listing(sheets)}." if sheets else "It holds no rows at all."
        raise InputError(f"There is no sheet {wanted[:80]!r} with rows in the workbook.", hint=hint)
    sheet = wanted or next(iter(sheets), "")
    if not sheets:
        raise InputError("The workbook holds no rows.", hint="Give a header and at least one row.")
    counts = {name: read.filled for name, read in sheets.items()}
    table = sheet_table(sheets[sheet], source.header)
    told = columns.propose(table) if wanted is None and len(sheets) > 1 else {}
    if Field.HEADLINE in told and Field.PUBLISHED not in told:
        full = _sheets(reader.wb, replace(source, sheet=raw.EVERY_SHEET))
        sheet = _most_telling(full, sheet, source.header)
        table = sheet_table(full[sheet], source.header)
    table = replace(table, sheet=sheet, sheets=counts)
    others = [name for name in sheets if name != sheet]
    alike = sum(map(is_period, sheets)) > 1 and is_period(sheet)
    proposed = columns.propose(table)
    alike = alike or Field.HEADLINE not in proposed
    if others and wanted is None and (alike or Field.PUBLISHER not in proposed):
        whole = read(replace(source, sheet=raw.EVERY_SHEET))
        if whole.mapping and Field.HEADLINE in whole.mapping and (alike or _one_for_each_outlet(whole)):
            return whole  # parts of one list, or an overview is fuller than the sheets with headlines
    why = ", which has most rows" if sheet == next(iter(sheets)) else ""
    note = f"Only the sheet {sheet!r} was read{why}; not read: {raw.listing(others)}. Sheet * means all."
    return replace(table, notes=(note, *table.notes)) if others else table


def _most_telling(sheets: Mapping[str, "Sheet"], fullest: str, header: int | None) -> str:
    """The sheet whose columns say most of headlines; a list of media or a study's codes may be fuller."""

    least = _LEAST_SHARE * sheets[fullest].filled
    full = (fullest, *(name for name in sheets if sheets[name].filled >= least))
    return max(full, key=lambda name: _told(sheet_table(sheets[name], header)))


def _one_for_each_outlet(table: raw.RawTable) -> bool:
    """Whether sheets are called as outlets are, and each has headlines of its own."""
    mapping = table.mapping or {}
    if mapping.get(Field.PUBLISHER) != (OUTLET_IN_SHEET,):
        return False
    titles, names = (table.column(mapping[field][0]) for field in (Field.HEADLINE, Field.PUBLISHER))
    proper = all(any(len(word) > 2 and word[0].isupper() for word in (name or "").split()) for name in names)
    return proper and len(set(names)) > 1 and len(set(titles)) > _OWN_TITLES * len(titles)


def _told(table: raw.RawTable) -> tuple[bool, ...]:
    """Whether a table has headlines, in a column that is called so, days and outlets."""
    proposed = columns.propose(table)
    headline = proposed.get(Field.HEADLINE, ("",))[0]
    named = column_names.field_of(headline) is Field.HEADLINE
    return bool(headline), named, Field.PUBLISHED in proposed, Field.PUBLISHER in proposed


def _every_sheet(sheets: Mapping[str, "Sheet"], source: raw.RawFile) -> raw.RawTable:
    """The sheets that have headlines, in the order of the workbook, as one table."""
    tables = {
        name: sheet_table(sheets[name], source.header)
        for name in sorted(sheets, key=lambda n: sheets[n].place)
    }
    said = {name: _told(tables[name]) for name in sheets}
    full = max(sheets, key=said.__getitem__)
    if not said[full][0]:
        return tables[next(iter(sheets))]
    names = set(tables[full].columns)
    alike = (name for name in tables if 2 * len(names & set(tables[name].columns)) >= len(names))
    taken = {name: tables[name] for name in alike}
    counts = {name: read.filled for name, read in sheets.items()}
    others = [name for name in tables if name not in taken]
    note = f"Not read, as their columns are others: {raw.listing(others)}."
    table = joined(taken, "sheet")
    return replace(table, sheet=raw.EVERY_SHEET, sheets=counts, notes=(*table.notes, *[note] * bool(others)))


def sheet_table(read: "Sheet", wanted: int | None) -> raw.RawTable:
    width = max(map(len, read.rows))
    raw.check_columns(width)
    raw.check_rows(len(read.rows) - 1)
    rows, lines = [row + [None] * (width - len(row)) for row in read.rows], read.lines
    used = [at for at in range(width) if any(row[at] is not None for row in rows)]
    rows = [[row[at] for at in used] for row in rows]  # a column without any cell is a gap in the layout
    header = find_header(rows, lines, width=len(used), wanted=wanted)
    rows, lines = rows[header.first :], lines[header.first :]
    names, notes = header.names, list(header.notes)
    if any(line in read.links for line in lines):
        names = tuple(raw.unique_names([*names, "link"])[0])
        rows = [[*row, read.links.get(line)] for row, line in zip(rows, lines, strict=True)]
        notes.append("Addresses behind the cells are in the column 'link'.")
    raw.check_rows(len(rows))
    return raw.RawTable(
        cells=raw.texts_frame(rows, names),
        lines=np.array(lines, dtype=np.int64),
        notes=tuple(notes),
        serials=True,
        header=header.line,
        ledger={
            "lines": len(read.rows),
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
class Sheet:
    rows: list[list[str | None]]
    lines: list[int]
    filled: int
    links: dict[int, str]  # by line, addresses that are behind cells and not written in them
    place: int = 0


def _sheets(book: Any, source: raw.RawFile) -> dict[str, Sheet]:
    """The visible sheets that have rows, else the hidden ones, the fullest first; rows of the wanted."""
    found: dict[bool, dict[str, Sheet]] = {True: {}, False: {}}
    for place, sheet in enumerate(book.worksheets):
        if not hasattr(sheet, "reset_dimensions"):  # a chart has a sheet of its own
            continue
        read, shown = _rows(sheet, blank_rows=source.blank_rows), found[sheet.sheet_state == "visible"]
        if not read.filled:
            continue
        fullest = max(shown, key=lambda name: shown[name].filled, default="")
        wanted = source.sheet in (raw.EVERY_SHEET, sheet.title)
        if source.sheet is None and (not fullest or read.filled > shown[fullest].filled):
            wanted = True
            shown.update({fullest: replace(shown[fullest], rows=[])} if fullest else {})
        shown[sheet.title] = replace(read, place=place, rows=read.rows if wanted else [])
    return dict(sorted((found[True] or found[False]).items(), key=lambda sheet: -sheet[1].filled))


def _rows(sheet: Any, *, blank_rows: bool) -> Sheet:
    most = limits.FILE_ROWS.value
    rows: list[list[str | None]] = []
    lines: list[int] = []
    filled = 0
    merged: list[Any] = []
    links: Links = {}
    for line, values in numbered_rows(sheet, merged, links):
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
    return Sheet(rows, lines, filled, _hidden_addresses(links, dict(zip(lines, rows, strict=True))))


def _hidden_addresses(links: Links, rows: Mapping[int, Sequence[str | None]]) -> dict[int, str]:
    """Of the column behind whose texts most different addresses are, the address of each line."""
    columns: dict[int, dict[int, str]] = {}
    for (line, column), address in links.items():
        text = "".join(filter(None, rows.get(line, ())[column - 1 : column]))
        if text and text != address and addresses.is_whole_address(address):
            columns.setdefault(column, {})[line] = address
    return max(columns.values(), key=lambda column: len(set(column.values())), default={})


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


def numbered_rows(sheet: Any, merged: list[Any], links: Links) -> Iterator[tuple[int, dict[int, Any]]]:
    """Rows as they stand in the file: numbers, and values by column from 1.

    Last, `merged` gets areas that are one cell; `links` gets addresses by line and column.
    """
    from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser

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
        parse_cell = parser.parse_cell

        def with_link(element: Any) -> dict[str, Any]:
            cell: dict[str, Any] = parse_cell(element)
            formula = element.find(FORMULA_TAG)
            if formula is not None and (match := _HYPERLINK.match(formula.text or "")):
                links[cell["row"], cell["column"]] = match["address"]
                cell["value"] = cell["value"] or match["text"]
            return cell

        parser.parse_cell = with_link
        for count, (line, cells) in enumerate(parser.parse(), 1):
            if max(count, line) > LAST_ROW:
                raise unusable(TOO_LONG)
            yield line, {cell["column"]: cell["value"] for cell in cells if cell["value"] is not None}
        merged += getattr(parser.merged_cells, "mergeCell", ())
        linked = getattr(parser.hyperlinks, "hyperlink", ())
    if linked:
        links.update(_linked_cells(sheet, linked))


def _linked_cells(sheet: Any, linked: Sequence[Any]) -> Iterator[tuple[tuple[int, int], str]]:
    from openpyxl.packaging.relationship import get_dependents, get_rels_path
    from openpyxl.utils.cell import range_boundaries

    path, archive = get_rels_path(sheet._worksheet_path), sheet.parent._archive
    targets = (
        {link.Id: link.Target for link in get_dependents(archive, path)} if path in archive.namelist() else {}
    )
    for link in linked:
        column, line, _, _ = range_boundaries(link.ref)
        if column and line and targets.get(link.id):
            yield (line, column), targets[link.id]
