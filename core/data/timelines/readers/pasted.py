"""Pasted text: one headline a line, cells between tabs or bars, a Markdown table, or links with titles."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from core.data.timelines import columns, dates
from core.data.timelines.raw import (
    RawFile,
    RawTable,
    TableContainer,
    check_columns,
    check_rows,
    texts_frame,
    unique_names,
)
from core.data.timelines.timeline import RejectedRow
from core.errors import InputError

_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?")
_LINE_END = re.compile(r"\r\n|\r|\n")
_BULLET = re.compile(r"^\s*[-*•–]\s+")
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_LINK = re.compile(r"\[(?P<title>[^\[\]]+)\]\((?P<url>https?://[^\s()]+)\)", re.IGNORECASE)
_BETWEEN = " -–—:|·"
Lines = list[tuple[int, str]]


def read(source: RawFile) -> RawTable:
    """Reads pasted or plain text.

    Where most lines have the same number of tabs, or else of bars, they are rows of a table; where
    there is no header, the cells are recognised as date, publisher and headline. Otherwise each line
    is a headline, without the bullet if all lines have one. Where most lines hold an address before or behind
    other words, or in Markdown's brackets, or lines of words and addresses take turns, they are titles with
    their addresses.

    Raises:
        InputError: No text, or too many lines.
    """
    decoded = source.decoded
    lines: Lines = [
        (number, line.strip(" "))
        for number, line in enumerate(_LINE_END.split(decoded.text), 1)
        if line.strip() and not _RULE.fullmatch(line.strip())
    ]
    if not lines:
        raise InputError("The text is empty.", hint="Paste one headline a line.")
    check_rows(len(lines) - 1)
    delimiter = _delimiter([line for _, line in lines])
    if delimiter:
        return _table(lines, delimiter, source)
    if len(lines) > 1 and all(_BULLET.match(line) for _, line in lines):
        lines = [(number, _BULLET.sub("", line)) for number, line in lines]
    if columns.known_names([lines[0][1]]):
        lines = lines[1:]
    check_rows(len(lines))
    listed = _with_addresses(lines)
    if listed:
        return RawTable(
            cells=texts_frame([[title, url or None] for _, title, url in listed], ["headline", "url"]),
            lines=np.array([number for number, _, _ in listed], dtype=np.int64),
            notes=decoded.notes,
            encoding=decoded.encoding,
        )
    return RawTable(
        cells=texts_frame([[line] for _, line in lines], ["headline"]),
        lines=np.array([number for number, _ in lines], dtype=np.int64),
        notes=decoded.notes,
        encoding=decoded.encoding,
    )


def _with_addresses(lines: Lines) -> list[tuple[int, str, str]]:
    """Line, title and address of each row of a list of links; nothing where the text is no such list."""
    alone = [bool(_ADDRESS.fullmatch(line)) for _, line in lines]
    if len(lines) > 1 and len(lines) % 2 == 0 and all(a != b for a, b in itertools.pairwise(alone)):
        pairs = [(lines[at], lines[at + 1]) for at in range(0, len(lines), 2)]
        return [(a[0], b[1], a[1]) if alone[0] else (a[0], a[1], b[1]) for a, b in pairs]
    rows = [(number, *_title_and_address(line)) for number, line in lines]
    return rows if sum(bool(url and title) for _, title, url in rows) >= 0.8 * len(rows) else []


def _title_and_address(line: str) -> tuple[str, str]:
    """The title and the address of a line, "" where it has none at either end."""
    link = _LINK.fullmatch(line)
    if link is not None:
        return link["title"], link["url"]
    first, _, rest = line.partition(" ")
    if _ADDRESS.fullmatch(first):
        return rest.strip(_BETWEEN), first
    before, _, last = line.rpartition(" ")
    last = last.strip("<>()")
    return (before.rstrip(_BETWEEN), last) if _ADDRESS.fullmatch(last) else (line, "")


def _delimiter(lines: Sequence[str]) -> str:
    for delimiter in ("\t", "|"):
        counts = Counter(line.strip(delimiter).count(delimiter) for line in lines)
        width, rows = counts.most_common(1)[0]
        if width and rows >= 0.8 * len(lines):
            return delimiter
    return ""


def _split(line: str, delimiter: str) -> list[str]:
    # between tabs an empty first cell is a cell; bars may stand around the row as well
    inner = line.strip().removeprefix("|").removesuffix("|") if delimiter == "|" else line
    return [cell.strip() for cell in inner.split(delimiter)]


def _table(lines: Lines, delimiter: str, source: RawFile) -> RawTable:
    rows = [(number, _split(line, delimiter)) for number, line in lines]
    width = Counter(len(cells) for _, cells in rows).most_common(1)[0][0]
    check_columns(width)
    notes = list(source.decoded.notes)
    if len(rows[0][1]) == width and columns.has_header([rows[0][1]]) and columns.known_names(rows[0][1]):
        names, renamed = unique_names(rows.pop(0)[1])
        notes.extend(renamed)
    else:
        names = _names([cells for _, cells in rows if len(cells) == width])
        notes.append(f"The text has no header; its columns were taken to be {', '.join(names)}.")
    check_rows(len(rows))
    good = [(number, cells) for number, cells in rows if len(cells) == width]
    reason = f"The line does not have {width} cells as the others do."
    bad = [
        RejectedRow(
            number, "", " | ".join(cells)[:200], reason, {f"cell_{i + 1}": c for i, c in enumerate(cells)}
        )
        for number, cells in rows
        if len(cells) != width
    ]
    return RawTable(
        cells=texts_frame([cells for _, cells in good], names),
        lines=np.array([number for number, _ in good], dtype=np.int64),
        rejected=tuple(bad),
        notes=tuple(notes),
        encoding=source.decoded.encoding,
        delimiter="tab" if delimiter == "\t" else "bar",
    )


def _names(rows: Sequence[Sequence[str]]) -> list[str]:
    """Names for columns without a header: the longest without addresses is the headline, then date, url,
    group, publisher.
    """
    sample = rows[:100]
    width = len(sample[0])
    names = [f"column_{i + 1}" for i in range(width)]
    values = [[row[i] for row in sample if row[i]] for i in range(width)]
    words = [sum(len(one) for one in cells if not _ADDRESS.fullmatch(one)) for cells in values]
    longest = max(range(width), key=words.__getitem__)
    names[longest] = "headline"
    tests = (
        ("date", dates.is_date),
        ("url", lambda v: v.startswith(("http://", "https://"))),
        ("group", lambda v: v.isdigit() and len(v) <= 4),
        ("publisher", lambda v: len(v) <= 40),
    )
    for i in range(width):
        for name, test in tests:
            if (
                names[i].startswith("column_")
                and name not in names
                and values[i]
                and all(map(test, values[i]))
            ):
                names[i] = name
    return names


def _recognises(source: RawFile) -> bool:
    return source.suffix in FORMAT.suffixes or source.suffix == ""


FORMAT = TableContainer("pasted", "Pasted or plain text", ("txt", "text", "md"), 60, _recognises, read)
