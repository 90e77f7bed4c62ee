"""A newsroom's workbook: 1,110 real headlines under odd column names, with ten rows that are no good.

What surrounds the table is what people put there: a title, an empty line and an empty column, two languages
and line breaks in the names of the columns, a cover sheet, a repeated row, and totals.
"""

import csv
import gzip
import io
from datetime import datetime
from typing import Any

from openpyxl import Workbook

NAMES = (
    "Nr.",
    "Überschrift / hed\n(as published)",
    "Wann?\n(online)",
    None,
    "Outlet name",
    "Leaning",
    "Link to the piece",
)
HEADLINE, DATE = "Überschrift / hed (as published)", "Wann? (online)"

Row = tuple[Any, ...]


def rows_of(shared):
    """The AllSides headlines in the order of their file, as pandas or a person would read them."""
    with gzip.open(shared / "data/allsides_stories/allsides_stories.csv.gz", "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def workbook(shared):
    """The workbook, and what is wrong in it."""
    given = [_row(number, row) for number, row in enumerate(rows_of(shared), 1)]
    bad = _bad(given)
    lines = [
        ("Headlines monitored by the desk, April to September 2021",),
        ("Sources: home pages. Ask the night desk before changing anything.",),
        (),
        NAMES,
    ]
    wrong = {}
    for number, row in enumerate(given):
        lines.append(row)
        if number == 1_000:
            lines.append((f"{number}b", *row[1:]))
        if number % 120 == 50 and bad:
            cells, column, value, reason = bad.pop(0)
            lines.append(cells)
            wrong[len(lines)] = (column, value, reason)
    lines.append(())
    lines.append(("Total", len(given), None, None, "12 outlets"))
    wrong[len(lines)] = (HEADLINE, str(len(given)), "number")
    assert not bad
    book = Workbook()
    cover = book.active
    cover.title = "Read me"
    cover.append(["Night desk", "Please add new rows at the bottom of the second sheet."])
    sheet = book.create_sheet("Headlines")
    for cells in lines:
        sheet.append(list(cells))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue(), wrong


def _row(number, row):
    when = datetime.fromisoformat(row["story_date"]).replace(tzinfo=None)
    # Some colleagues type dates instead of entering them.
    shown = f"{when:%d.%m.%Y}" if number % 9 == 0 else when
    return (number, row["title"], shown, None, row["source"], row["side"], row["url"])


def _bad(rows):
    def like(number, *, headline=None, date=None):
        _, title, when, *rest = rows[number]
        return (number + 0.5, headline if headline is not None else title, date or when, *rest)

    week = ("Week 32", None, None, None, None, None, None)
    return [
        (like(40, headline="   "), HEADLINE, "", "empty"),
        (like(41, date="31.06.2021"), DATE, "31.06.2021", "no such day"),
        (like(42, date="week 31, late"), DATE, "week 31, late", "cannot be read"),
        (like(43, headline="#REF!"), HEADLINE, "#REF!", "formula failed"),
        (like(44, date="#N/A"), DATE, "#N/A", "formula failed"),
        (like(45, headline=4711), HEADLINE, "4711", "number"),
        (NAMES, HEADLINE, HEADLINE, "repeats the names"),
        (week, HEADLINE, "", "empty"),
        (like(46, headline="Sent by the agency as one block. " * 80), HEADLINE, "Sent by", "characters"),
    ]
