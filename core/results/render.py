"""Tables as aligned text, Markdown, CSV, LaTeX, HTML and data frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from core.results.delimited import delimited
from core.results.forms import between, plain, stars
from core.results.table import Table, TableColumn, Value, cell_text, number_of, text_rows
from core.results.text import LATEX_MARK, comment, escape_latex
from core.statistics.figure import Figure

if TYPE_CHECKING:
    import pandas as pd

SIGNATURES: Final = "The signature of every figure stands in the CSV, JSON and LaTeX files."
"""What a terminal says, where a line a figure would drown the table."""
BOOKTABS: Final = r"% needs \usepackage{booktabs}"


def as_text(table: Table, *, turned: bool = False) -> str:
    """The table for a terminal, its notes below.

    Args:
        table: The table.
        turned: Write columns as lines, for tables of few rows and many columns.
    """
    rows = text_rows(table)
    lines = ruled([list(line) for line in zip(*rows, strict=True)] if turned else rows)
    return "\n".join([*lines, *([""] if table.notes else []), *table.notes])


def as_markdown(table: Table) -> str:
    """The table alone, without notes."""
    return markdown(text_rows(table))


def as_csv(table: Table) -> str:
    """Every value as stored, one line a row; no spreadsheet runs anything in it."""
    header = [name for column, parts in _filed(table) for name in _names(column, parts)]
    body = [
        [text for (_, parts), value in zip(_filed(table), row, strict=True) for text in _cells(value, parts)]
        for row in (*table.rows, *table.below)
    ]
    return delimited([header, *body])


def as_latex(table: Table, *, spans: bool = True) -> str:
    r"""The table for a paper, in booktabs form: the best in bold, intervals below the values.

    Args:
        table: The table.
        spans: Write intervals, in a line of their own where any figure has one.
    """
    shown = list(table.shown())
    best = {at: table.best(at) for at, _ in shown}
    lines = [f"% {escape_latex(table.title)}"] if table.title else []
    lines += [rf"\begin{{tabular}}{{l{'r' * (len(shown) - 1)}}}", r"\toprule", *_groups(table)]
    lines += [_line(escape_latex(column.title) for _, column in shown), r"\midrule"]
    apart = spans and any(isinstance(row[at], Figure) for row in table.rows for at, _ in shown)
    for row in table.rows:
        lines.append(_line(_latex_cell(row[at], column, best[at], spans=spans) for at, column in shown))
        if apart:
            lines.append(_line(_latex_span(row[at], column) for at, column in shown) + "[2pt]")
    if table.below:
        lines.append(r"\midrule")
    lines += [_line(escape_latex(cell_text(row[at], column)) for at, column in shown) for row in table.below]
    lines += [r"\bottomrule", r"\end{tabular}", *map(comment, table.notes)]
    return "\n".join([BOOKTABS, *lines, *latex_signatures(table.signatures)]) + "\n"


def as_html(table: Table) -> str:
    """The table as an escaped `<table>`; columns of numbers have the class `number`."""
    from markupsafe import escape

    shown = list(table.shown())
    numeric = [any(not isinstance(row[at], str) for row in table.rows) for at, _ in shown]
    kinds = [' class="number"' if one else "" for one in numeric]
    header, *body = text_rows(table)
    heads = "".join(
        f'<th scope="col"{kind}>{escape(one)}</th>' for kind, one in zip(kinds, header, strict=True)
    )
    lines = [
        "<tr>"
        + "".join(f"<td{kind}>{escape(one)}</td>" for kind, one in zip(kinds, row, strict=True))
        + "</tr>"
        for row in body
    ]
    return "\n".join([f"<table>\n<thead><tr>{heads}</tr></thead>", "<tbody>", *lines, "</tbody>\n</table>"])


def as_frame(table: Table) -> pd.DataFrame:
    """The table for pandas: the columns of the CSV file, numbers as numbers."""
    import pandas as pd

    names = [name for column, parts in _filed(table) for name in _names(column, parts)]
    body = [
        [part for (_, parts), value in zip(_filed(table), row, strict=True) for part in _parts(value, parts)]
        for row in (*table.rows, *table.below)
    ]
    return pd.DataFrame(body, columns=names)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines whose columns stand below each other: the first column to the left, others to the right.

    Args:
        rows: One or more, each with the same number of cells.
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            text.ljust(width) if column == 0 else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def ruled(rows: Sequence[Sequence[str]]) -> list[str]:
    """The same with a rule below the headings, which come first."""
    lines = aligned(rows)
    return [lines[0], "-" * max(map(len, lines)), *lines[1:]]


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table of Markdown, the headings first."""
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "\n".join("| " + " | ".join(text.replace("|", r"\|") for text in line) + " |" for line in lines)


def latex_signatures(signed: Iterable[tuple[str, str]]) -> list[str]:
    """One comment line of LaTeX for each name and its signature."""
    return [comment(f"{name}: {signature}") for name, signature in signed]


def _filed(table: Table) -> list[tuple[TableColumn, tuple[str, ...] | None]]:
    """Columns of files: with the parts of their figures, or None where all values stand in one column."""
    return [
        (column, column.parts if any(isinstance(row[at], Figure) for row in table.rows) else None)
        for at, column in enumerate(table.columns)
    ]


def _names(column: TableColumn, parts: tuple[str, ...] | None) -> list[str]:
    key = column.key or column.title
    if parts is None:
        return [key]
    return [f"{key}{column.counted if part == '_count' else part}" for part in parts]


def _parts(value: Value, parts: tuple[str, ...] | None) -> list[Any]:
    if parts is None:
        return [value]
    if not isinstance(value, Figure):
        return [value, *[None] * (len(parts) - 1)]
    return [getattr(value, part.removeprefix("_") or "value") for part in parts]


def _cells(value: Value, parts: tuple[str, ...] | None) -> list[object]:
    return [plain(one) if isinstance(one, float) else one for one in _parts(value, parts)]


def _line(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _groups(table: Table) -> list[str]:
    """The headings above groups of columns; none where no column has one."""
    if not any(column.group for _, column in table.shown()):
        return []
    cells = []
    for group, members in groupby(column.group for _, column in table.shown()):
        count = len(list(members))
        cells += [rf"\multicolumn{{{count}}}{{c}}{{{escape_latex(group)}}}"] if group else [""] * count
    return [_line(cells)]


def _latex_cell(value: Value, column: TableColumn, best: float | None, *, spans: bool) -> str:
    """A value, bold where it is the best; with its mark where no interval below carries it, and its stars."""
    shown = escape_latex(cell_text(value, column, spans=False))
    if best is not None and number_of(value) == best:
        shown = rf"\textbf{{{shown}}}"
    if not isinstance(value, Figure) or not spans or value.value is None:
        return shown
    if value.interval is None and value.warning:
        return f"{shown}{LATEX_MARK}"
    signs = stars(value.p)
    return f"{shown}$^{{{signs}}}$" if signs else shown


def _latex_span(value: Value, column: TableColumn) -> str:
    if not isinstance(value, Figure) or value.interval is None:
        return ""
    mark = LATEX_MARK if value.warning else ""
    return rf"{{\scriptsize {escape_latex(between(value, column.form))}{mark}}}"
