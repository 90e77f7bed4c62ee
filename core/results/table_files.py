"""Tables as Markdown, CSV, LaTeX and data frames."""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, Final

from core.results import render, text_tables
from core.results.delimited import delimited
from core.results.number_forms import NOTHING, between, plain, stars
from core.results.table import MOST_COLUMNS, Table, TableColumn, Value, cell_text, text_rows
from core.statistics.bootstrap import Figure

if TYPE_CHECKING:
    import pandas as pd

LATEX_MARK = r"$^\dagger$"  # the mark of a warning in LaTeX
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

_ALONE: Final = (("{}", "value"),)
BOOKTABS: Final = r"% needs \usepackage{booktabs,threeparttable}"


def as_markdown(table: Table) -> str:
    return text_tables.markdown(text_rows(table))


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


def as_frame(table: Table) -> "pd.DataFrame":
    """The table for pandas: the columns of the CSV file, numbers as numbers."""
    import pandas as pd

    return pd.DataFrame(list(_filed(table)), columns=_names(table))


def escape_latex(text: str) -> str:
    """The text on one line, with every sign that LaTeX would read as a command made harmless."""
    return "".join(_LATEX.get(sign, sign) for sign in render.clean(text))


def comment(text: str) -> str:
    return f"% {' '.join(text.split())}"


def latex_signatures(signed: Iterable[tuple[str, str]]) -> list[str]:
    return [comment(f"{name}: {signature}" if name else signature) for name, signature in signed]


def _names(table: Table) -> list[str]:
    parts = ((column, heading) for column in table.columns for heading, _ in column.parts or _ALONE)
    return [heading.format(column.key or column.title) for column, heading in parts]


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
