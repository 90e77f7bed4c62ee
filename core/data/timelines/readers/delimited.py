"""CSV and TSV: any of four delimiters, quoting, rows of the wrong width, files without a header."""

from __future__ import annotations

import csv
import io
import re
import sys
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from core import limits
from core.data.timelines import columns
from core.data.timelines.header import find_header
from core.data.timelines.quotation import MOST_UNCLOSED, UNCLOSED, look
from core.data.timelines.raw import (
    RawFile,
    RawTable,
    TableContainer,
    check_columns,
    check_rows,
    texts_frame,
)
from core.data.timelines.timeline import RejectedRow
from core.errors import InputError

DELIMITERS = (",", "\t", ";", "|")
NONE = "\x1f"  # a delimiter that no text has: one column
_WORDS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar", NONE: "none"}
_STATED = re.compile(
    r"\"?sep=(?P<delimiter>[,;\t|])\"?[ ]*(?:\r\n|\r|\n)", re.IGNORECASE
)  # as Excel states it
Record = tuple[int, list[str]]

# A long cell must reach the row check, which rejects that row alone, rather than fail the whole file.
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))


def sniff_delimiter(text: str) -> str:
    """The delimiter whose use is most even over the first rows; `NONE` where none splits the header."""
    best, best_score = NONE, 0.0
    for delimiter in DELIMITERS:
        records = _records(_lines(text[:200_000]), delimiter, quoted=True)
        widths = [len(cells) for _, cells in islice(records, 60)]
        if not widths or widths[0] < 2:
            continue
        same = sum(width == widths[0] for width in widths) / len(widths)
        # evenness first; among equally even ones the delimiter that splits more
        score = same + min(widths[0], 20) / 1_000
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _lines(text: str) -> Iterator[str]:
    return io.StringIO(text, newline="")


def _records(
    lines: Iterator[str], delimiter: str, *, quoted: bool, blank_rows: bool = False
) -> Iterator[Record]:
    reader = (
        csv.reader(lines, delimiter=delimiter)
        if quoted
        else csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    )
    line, width = 1, 0
    for cells in reader:
        if any(cell.strip() for cell in cells) or (blank_rows and width and _has_cells(cells, width)):
            width = width or len(cells)
            yield line, cells
        line = reader.line_num + 1


def _has_cells(cells: Sequence[str], width: int) -> bool:
    """Whether a line without content is a row: it has separators, or the table has one column alone."""
    return len(cells) > 1 or (len(cells) == 1 and width == 1)


def _mended(text: str, delimiter: str, *, blank_rows: bool) -> tuple[list[Record], list[RejectedRow]]:
    """Quoted records; a quotation mark that never closes costs its own line and no other."""
    lines = list(_lines(text))
    unclosed, rest = _unclosed(lines, delimiter) if '"' in text else ([], ())
    bad = [_rejected(lines, line, UNCLOSED) for line in unclosed]
    bad += [_rejected(lines, line, "It follows many unclosed quotation marks.") for line in rest]
    for row in bad:
        lines[row.line - 1] = "\n"
    good: list[Record] = []
    most = limits.TIMELINE_ROWS.value
    for record in _records(iter(lines), delimiter, quoted=True, blank_rows=blank_rows):
        good.append(record)
        if len(good) > most:  # asked of every row, so the limit is looked up once
            check_rows(len(good) - 1)
    return good, bad


def _unclosed(lines: list[str], delimiter: str) -> tuple[list[int], Sequence[int]]:
    """Lines that open a quotation mark which is never closed, and those that are given up, after too many."""
    found: list[int] = []
    line = 1
    while line := look(islice(lines, line - 1, None), line, delimiter, array("q")):
        if len(found) == MOST_UNCLOSED:
            return found, range(line, len(lines) + 1)
        found.append(line)
        line += 1
    return found, ()


def _rejected(lines: list[str], line: int, reason: str) -> RejectedRow:
    cut = lines[line - 1].rstrip("\r\n")
    return RejectedRow(line, "", cut[:200], reason, {"line_as_it_was": cut})


def _literal_quotes(text: str, delimiter: str) -> bool:
    """Whether quotation marks in a TSV are plain characters: read so, all rows have the same width."""
    if delimiter != "\t" or '"' not in text:
        return False
    plain, quoted = (
        Counter(len(cells) for _, cells in islice(_records(_lines(text), delimiter, quoted=marks), 20_000))
        for marks in (False, True)
    )
    # Quoted cells that hold line ends or tabs make the plain reading uneven; a stray mark makes the
    # quoted reading swallow lines, so that it has fewer.
    return len(plain) == 1 and quoted.total() < plain.total()


def read(source: RawFile) -> RawTable:
    """Reads delimited text.

    Rows with too few cells are filled with empty ones (and counted in a note); rows with too many are
    rejected, because it cannot be known which cell is which.

    Raises:
        InputError: Nothing in it, or too many rows or columns.
    """
    decoded = source.decoded
    stated = _STATED.match(decoded.text)
    text = decoded.text[stated.end() :] if stated else decoded.text
    text = f"\n{text}" if stated else text  # keeps the line numbers
    delimiter = stated["delimiter"] if stated else sniff_delimiter(text)
    notes = list(decoded.notes)
    rejected: list[RejectedRow] = []
    if _literal_quotes(text, delimiter):
        records = list(_records(_lines(text), delimiter, quoted=False, blank_rows=source.blank_rows))
        notes.append("Quotation marks were read as plain characters.")
    else:
        records, rejected = _mended(text, delimiter, blank_rows=source.blank_rows)
    if not records:
        raise InputError("The file holds no rows.", hint="Give a header and one headline a row.")
    check_rows(len(records) - 1)
    header = find_header(
        [cells for _, cells in records],
        [line for line, _ in records],
        width=len(records[0][1]),
        wanted=source.header,
    )
    records, names = records[header.first :], header.names
    notes.extend(header.notes)
    check_columns(len(names))
    check_rows(len(records))
    rows, lines, wrong = _fit(records, names, notes)
    return RawTable(
        cells=texts_frame(rows, names),
        lines=np.array(lines, dtype=np.int64),
        rejected=tuple(sorted((*rejected, *wrong), key=lambda row: row.line)),
        notes=tuple(notes),
        encoding=decoded.encoding,
        delimiter=_WORDS[delimiter],
        header=header.line,
    )


def _fit(
    records: Sequence[Record], names: Sequence[str], notes: list[str]
) -> tuple[list[list[str]], list[int], list[RejectedRow]]:
    rows: list[list[str]] = []
    lines: list[int] = []
    wrong: list[RejectedRow] = []
    short = 0
    for line, given_cells in records:
        missing = len(names) - len(given_cells)
        short += missing > 0
        cells = given_cells + [""] * missing
        extra = cells[len(names) :]
        if any(cell.strip() for cell in extra):
            given = {
                **dict(zip(names, cells, strict=False)),
                **{f"extra_{i + 1}": v for i, v in enumerate(extra)},
            }
            reason = f"The row has {len(cells)} cells where the header has {len(names)}."
            wrong.append(RejectedRow(line, names[-1], next(filter(str.strip, extra))[:200], reason, given))
            continue
        rows.append(cells[: len(names)])
        lines.append(line)
    if short:
        notes.append(
            f"{short:,} rows have fewer cells than the header; the missing ones were taken as empty."
        )
    return rows, lines, wrong


def _recognises(source: RawFile) -> bool:
    if source.suffix in FORMAT.suffixes:
        return True
    # Text from the clipboard or a .txt file that is plainly a table with known column names.
    text = source.decoded.text[:200_000].lstrip()
    delimiter = sniff_delimiter(text)
    _, cells = next(_records(_lines(text), delimiter, quoted=True), (0, []))
    named = columns.known_names(cells)
    return delimiter != NONE and named >= 2 and named >= len(cells) / 2


FORMAT = TableContainer("csv", "CSV or TSV", ("csv", "tsv", "tab", "psv"), 50, _recognises, read)
