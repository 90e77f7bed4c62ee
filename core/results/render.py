"""Texts, cells and rows as people, spreadsheets, browsers and Markdown read them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

_SPLITS = ",;|\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
# A spreadsheet splits at the separator of its own language, and inside quotation marks too where those do
# not begin the field as it sees it. So a cell may begin behind every separator and line end. A last argument
# such as the -1 of "Round( 28 , -1 )" is no formula, whatever follows: its bracket was never opened.
_ARGUMENT = rf"(?<=,)'?\s*[+-]\d+(?:\.\d+)?\s*%?\s*\)[\s)]*(?=[{_SPLITS}]|\Z)"
_BEGINS = re.compile(
    rf"""(?P<marks>(?:\A|(?<=[{_SPLITS}])(?!{_ARGUMENT}))'*+(?=(?:(?![{_SPLITS}])[\s"])*[=+\-@＝＋－＠])"""
    rf"""|\A'*+(?=[\t\r\n]))(?P<quoted>(?=[^{_SPLITS}]*[^\s{_SPLITS}]'(?!\w)))?"""
)
# An apostrophe before what has another at the end of a word begins a quotation, in whosever file it stands.
_MARKED = {(True, ""): "''", (True, "'"): "'"}
_UNMARKED = {(True, "'"): "'", (True, "''"): ""}
_ENDS = re.compile(rf'[\s"]*?[{_SPLITS}]')  # of a text read backwards
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?\s*%?")


def neutralise(cell: str, *, numbers: bool = True) -> str:
    """The cell with an apostrophe wherever a spreadsheet might see a formula begin; see docs/formats.md.

    Apostrophes there get one more, but for one that begins a quotation: `restored` gives back any cell.
    """
    if numbers and _NUMBER.fullmatch(cell):
        return cell
    return _BEGINS.sub(lambda found: _MARKED.get(_kind(found), f"{found['marks']}'"), cell)


def restored(cell: str) -> str:
    """The cell without the apostrophes that `neutralise` put into it."""
    if "'" not in cell:
        return cell
    return _BEGINS.sub(lambda found: _UNMARKED.get(_kind(found), found["marks"][1:]), cell)


def _kind(found: re.Match[str]) -> tuple[bool, str]:
    return found["quoted"] is not None, found["marks"]


def delimited(rows: Iterable[Sequence[object]], *, delimiter: str = ",", line_end: str = "\n") -> str:
    """Rows as delimited text that no spreadsheet runs, at whatever separator it splits."""
    out = io.StringIO(newline="")
    plain = csv.writer(out, delimiter=delimiter, lineterminator=line_end)
    # The minimal quoting leaves a lone carriage return bare, which readers take for a line end.
    quoted = csv.writer(out, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    for row in rows:
        cells, opens = list[str](), True
        for text in map(text_of, row):
            # Split at another separator, a row begins with its first cells and goes on into the next: not
            # even a number stands alone where nothing, or a separator, comes before it.
            cells.append(neutralise(text, numbers=not opens))
            blank = opens and not text.replace('"', "").strip()
            opens = not delimiter.strip() and (blank or _ENDS.match(text[::-1]) is not None)
        (quoted if any("\r" in cell for cell in cells) else plain).writerow(cells)
    return out.getvalue()


def text_of(value: object) -> str:
    if value is None:
        return ""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LONGEST_URL = 2_000

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_SPACE = re.compile(r"\s")
# What begins HTML in Markdown, and what parts cells; "a < b" and "A & B" are text as they stand.
_MARKUP = re.compile(r"(\\*)([|]|<(?=[a-zA-Z/!?])|&(?=#|\w+;))")
# Marks that change the direction of the text around them (Unicode TR9), not only their own.
_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """The text without characters that HTML, XML or the reading order cannot bear; one line."""
    return " ".join(_OVERRIDES.sub("", _UNPRINTABLE.sub("\ufffd", text)).split())


def shorten(text: str, characters: int) -> str:
    """The text cleaned, and cut with an ellipsis where it is longer."""
    line = clean(text)
    return line if len(line) <= characters else line[: characters - 1].rstrip() + "…"


def moment(time: datetime) -> str:
    """A time in UTC for people: `06 May 10:00`; with the year where it is another, a midnight as its day."""
    year = "" if time.year == datetime.now(UTC).year else f" {time.year}"
    clock = f" {time:%H:%M}" if time.hour or time.minute else ""
    return f"{time.day:02d} {MONTHS[time.month - 1]}{year}{clock}"


def date_words(moment: datetime | None, *, day_only: bool) -> str:
    """`14 Jan 2015` or `14 Jan 2015, 09:30 UTC`; a dash without a date. No locale is read."""
    if moment is None:
        return "–"
    day = f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"
    return day if day_only else f"{day}, {moment:%H:%M} UTC"


def safe_link(url: str | None) -> str | None:
    """The address if a browser may be sent there (http or https with a host), else None."""
    if not url or len(url) > LONGEST_URL or _UNPRINTABLE.search(url) or _SPACE.search(url):
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    return url if parts.scheme in {"http", "https"} and host else None


def count_words(count: int, singular: str, plural: str) -> str:
    """`1 headline`, `4,774 headlines`."""
    return f"{count:,} {singular if count == 1 else plural}"


SIGNATURES: Final = "The signature of every figure stands in the CSV, JSON and LaTeX files."
"""What a terminal says, where a line a figure would drown the table."""


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines whose columns stand below each other: the first to the left, others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    (first, *others), lines = widths, []
    for name, *cells in rows:
        right = (text.rjust(width) for text, width in zip(cells, others, strict=True))
        lines.append("  ".join([name.ljust(first), *right]).rstrip())
    return lines


def ruled(rows: Sequence[Sequence[str]]) -> list[str]:
    """The same with a rule below the headings, which come first."""
    lines = aligned(rows)
    return [lines[0], "-" * max(map(len, lines)), *lines[1:]]


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table of Markdown, the headings first; what would be HTML in it shows as typed."""
    shown = [[_MARKUP.sub(r"\1\1\\\2", text) for text in line] for line in rows]
    lines = [shown[0], ["---"] * len(shown[0]), *shown[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
