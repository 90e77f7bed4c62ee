"""Tables as aligned text, Markdown, CSV, LaTeX, HTML and data frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from core.results.delimited import delimited
from core.results.forms import NOTHING, between, plain, stars
from core.results.table import Table, TableColumn, Value, cell_text, text_rows
from core.results.text import LATEX_MARK, clean, comment, escape_latex
from core.statistics.figure import Figure

if TYPE_CHECKING:
    import pandas as pd

SIGNATURES: Final = "The signature of every figure stands in the CSV, JSON and LaTeX files."
"""What a terminal says, where a line a figure would drown the table."""
_ALONE: Final = (("{}", "value"),)
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
    body = [[plain(one) if isinstance(one, float) else one for one in row] for row in _filed(table)]
    return delimited([_names(table), *body])


def as_latex(table: Table, *, spans: bool = True) -> str:
    r"""The table for a paper, in booktabs form: the best in bold, intervals below the values."""
    notes = [rf"{escape_latex(note)}\par" for note in table.notes]
    below = [r"\par\smallskip", r"{\footnotesize\raggedright", *notes, "}"] if notes else []
    lines = [BOOKTABS, *tabular(table, spans=spans), *below, *latex_signatures(table.signatures)]
    return "\n".join(lines) + "\n"


def tabular(table: Table, *, spans: bool = True) -> list[str]:
    """The lines of the table alone, its title above as a comment; see `as_latex`."""
    shown = list(table.shown())
    best = {at: cell_text(table.best(at), column, spans=False) for at, column in shown}
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
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def as_html(table: Table) -> str:
    """The table as an escaped `<table>`; columns without text have the class `number`."""
    numeric = [not any(isinstance(row[at], str) for row in table.rows) for at, _ in table.shown()]
    kinds = [' class="number"' if one else ' dir="auto"' for one in numeric]
    header, *body = [[escape(clean(one)) for one in row] for row in text_rows(table)]
    heads = "".join(f'<th scope="col"{kind}>{one}</th>' for kind, one in zip(kinds, header, strict=True))
    lines = ["".join(f"<td{kind}>{one}</td>" for kind, one in zip(kinds, row, strict=True)) for row in body]
    rows = "".join(f"<tr>{line}</tr>\n" for line in lines)
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>"


def as_frame(table: Table) -> pd.DataFrame:
    """The table for pandas: the columns of the CSV file, numbers as numbers."""
    import pandas as pd

    return pd.DataFrame(list(_filed(table)), columns=_names(table))


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines whose columns stand below each other: the first to the left, others to the right."""
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


def _names(table: Table) -> list[str]:
    return [
        heading.format(column.key or column.title)
        for column in table.columns
        for heading, _ in column.parts or _ALONE
    ]


def _filed(table: Table) -> Iterator[list[Any]]:
    for row in (*table.rows, *table.below):
        yield [
            part for column, value in zip(table.columns, row, strict=True) for part in _parts(value, column)
        ]


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
