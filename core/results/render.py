"""Tables as aligned text, Markdown, CSV, LaTeX, HTML and data frames."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from html import escape
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from core.results.table import (
    MOST_COLUMNS,
    NOTHING,
    Table,
    TableColumn,
    Value,
    between,
    cell_text,
    plain,
    stars,
    text_rows,
)
from core.statistics.bootstrap import Figure

if TYPE_CHECKING:
    import pandas as pd

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
LATEX_MARK = r"$^\dagger$"  # the mark of a warning in LaTeX

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "†": LATEX_MARK,
    "‡": r"$^\ddagger$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
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
    return f"{time:%d %b}{year}{clock}"


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


def escape_latex(text: str) -> str:
    """The text on one line, with every sign that LaTeX would read as a command made harmless."""
    return "".join(_LATEX.get(sign, sign) for sign in clean(text))


def comment(text: str) -> str:
    return f"% {' '.join(text.split())}"


SIGNATURES: Final = "The signature of every figure stands in the CSV, JSON and LaTeX files."
"""What a terminal says, where a line a figure would drown the table."""
_ALONE: Final = (("{}", "value"),)
BOOKTABS: Final = r"% needs \usepackage{booktabs,threeparttable}"


def as_text(table: Table, *, turned: bool = False) -> str:
    """The table for a terminal, its notes below."""
    rows = text_rows(table)
    lines = ruled([list(line) for line in zip(*rows, strict=True)] if turned else rows)
    return "\n".join([*lines, *([""] if table.notes else []), *table.notes])


def as_markdown(table: Table) -> str:
    return markdown(text_rows(table))


def as_csv(table: Table) -> str:
    """Every value as stored, one line a row; no spreadsheet runs anything in it."""
    body = [[plain(cell) if isinstance(cell, float) else cell for cell in row] for row in _filed(table)]
    return delimited([_names(table), *body])


def as_latex(table: Table, *, spans: bool = True, columns: int | None = MOST_COLUMNS) -> str:
    r"""The table for a paper, in booktabs form: intervals below the values, notes below.

    Bold is what is better than all others, significantly where that was tested. Of more than `columns` the
    first are written, and a note names the others; None writes all.
    """
    shown = [at for at, _ in table.shown()]
    more = ", ".join(table.columns[at].title for at in shown[columns:]) if columns else ""
    lines, given = tabular(table.only(*shown[:columns]), spans=spans), list(table.notes)
    given += [f"Not shown: {more} (--columns all, in Python columns=None, writes them)."] if more else []
    if given:
        notes = ["\\item " + escape_latex(note) for note in given]
        notes = [r"\begin{tablenotes}[flushleft]\footnotesize", *notes, r"\end{tablenotes}"]
        lines = [r"\begin{threeparttable}", *lines, *notes, r"\end{threeparttable}"]
    return "\n".join([BOOKTABS, *lines, *latex_signatures(table.signatures)]) + "\n"


def tabular(table: Table, *, spans: bool = True) -> list[str]:
    """The lines of the table alone, its title above as a comment; see `as_latex`."""
    shown = list(table.shown())
    best = {at: cell_text(table.best(at), column, spans=False) for at, column in shown}
    lines = [f"% {escape_latex(table.title)}"] if table.title else []
    sides = ["l" if any(isinstance(row[at], str) for row in table.rows) else "r" for at, _ in shown]
    lines += [rf"\begin{{tabular}}{{{''.join(sides)}}}", r"\toprule", *_groups(table)]
    lines += [_line(escape_latex(column.title) for _, column in shown), r"\midrule"]
    for row in table.rows:
        lines.append(_line(_latex_cell(row[at], column, best[at], spans=spans) for at, column in shown))
        below = [_latex_span(row[at], column) for at, column in shown]
        if spans and any(below):
            lines.append(_line(below) + "[2pt]")
    if table.below:
        lines.append(r"\midrule")
    lines += [_line(escape_latex(cell_text(row[at], column)) for at, column in shown) for row in table.below]
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def as_html(table: Table) -> str:
    """The table as an escaped `<table>`; columns without text have the class `number`."""
    numeric = [not any(isinstance(row[at], str) for row in table.rows) for at, _ in table.shown()]
    kinds = [' class="number"' if is_number else ' dir="auto"' for is_number in numeric]
    header, *body = [[escape(clean(cell)) for cell in row] for row in text_rows(table)]
    heads = "".join(f'<th scope="col"{kind}>{cell}</th>' for kind, cell in zip(kinds, header, strict=True))
    lines = ["".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True)) for row in body]
    rows = "".join(f"<tr>{line}</tr>\n" for line in lines)
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>"


def as_page_part(table: Table) -> str:
    """The table with its title above and its notes below, every text escaped."""
    above = [f"<strong>{escape(clean(table.title))}</strong>"] if table.title else []
    return "\n".join([*above, as_html(table), *(f"<p>{escape(clean(note))}</p>" for note in table.notes)])


def as_frame(table: Table) -> pd.DataFrame:
    """The table for pandas: the columns of the CSV file, numbers as numbers."""
    import pandas as pd

    return pd.DataFrame(list(_filed(table)), columns=_names(table))


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


def latex_signatures(signed: Iterable[tuple[str, str]]) -> list[str]:
    return [comment(f"{name}: {signature}" if name else signature) for name, signature in signed]


def _names(table: Table) -> list[str]:
    return [
        heading.format(column.key or column.title)
        for column in table.columns
        for heading, _ in column.parts or _ALONE
    ]


def _filed(table: Table) -> Iterator[list[Any]]:
    for row in (*table.rows, *table.below):
        yield [*chain.from_iterable(map(_parts, row, table.columns))]


def _parts(value: Value, column: TableColumn) -> list[Any]:
    parts = column.parts or _ALONE
    if isinstance(value, Figure):
        return [getattr(value, field) for _, field in parts]
    return [value, *[None] * (len(parts) - 1)]


def _line(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _groups(table: Table) -> list[str]:
    if not any(column.group for _, column in table.shown()):
        return []
    cells = []
    for group, members in groupby(column.group for _, column in table.shown()):
        count = len(list(members))
        cells += [rf"\multicolumn{{{count}}}{{c}}{{{escape_latex(group)}}}"] if group else [""] * count
    return [_line(cells)]


def _latex_cell(value: Value, column: TableColumn, best: str, *, spans: bool) -> str:
    shown = escape_latex(text := cell_text(value, column, spans=False))
    if text == best != NOTHING:
        shown = rf"\textbf{{{shown}}}"
    if not isinstance(value, Figure) or not spans or value.value is None:
        return shown
    if value.low is None and value.warning:
        return f"{shown}{LATEX_MARK}"
    signs = stars(value.p)
    return f"{shown}$^{{{signs}}}$" if signs else shown


def _latex_span(value: Value, column: TableColumn) -> str:
    if not isinstance(value, Figure) or value.low is None:
        return ""
    mark = LATEX_MARK if value.warning else ""
    return rf"{{\scriptsize {escape_latex(between(value, column.form))}{mark}}}"
