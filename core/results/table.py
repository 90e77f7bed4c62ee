"""A table: typed columns, rows of values, notes and signatures.

`core.results.table_files` writes it for programs and papers.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, Final, Literal

from core.results import text_tables, ties
from core.results.number_forms import NOTHING, Form, decimals, duration, percent, spanned, stars, whole
from core.results.render import clean, count_words
from core.statistics.bootstrap import Figure

MOST_COLUMNS: Final = 8  # of a table on paper before anybody chose
SHOWN_ROWS: Final = 30  # of a table that is printed as it is
Value = Figure | float | int | str | bool | None
"""What stands in a cell: None where there is nothing, a text as it is."""
Row = tuple[Value, ...]
Parts = tuple[tuple[str, str], ...]
"""What files hold of a figure, a column each: heading, with `{}` for the key, and field of `Figure`."""
SPAN: Final = (("{}", "value"), ("{}_low", "low"), ("{}_high", "high"))  # the value and its interval
WARNED: Final = (*SPAN, ("{}_warning", "warning"))
LONG: Final = (("value", "value"), ("low", "low"), ("high", "high"), ("warning", "warning"))
"""The same in a table of one figure a line."""
_THREE: Final = decimals(3)
_LOOKS: Final[Mapping[str, Mapping[str, Any]]] = {
    "whole": {"form": whole},
    "tenths": {"form": decimals(1)},
    "hundredths": {"form": decimals(2)},
    "duration": {"form": duration},
    "files": {"files_only": True},
    "percent": {"form": percent()},
    "whole percent": {"form": percent(0)},
    "span": {"parts": SPAN},
    "warned": {"parts": WARNED},
    "higher": {"better": "higher"},
}


@dataclass(frozen=True, slots=True)
class TableColumn:
    title: str  # heading for people
    key: str = ""  # heading in files; the title where it is ""
    form: Form = _THREE  # how numbers and figures are written for people
    better: Literal["", "higher", "lower"] = ""  # which end is marked as best; "" for neither
    parts: Parts = ()  # what files hold of a figure; () for its value alone
    group: str = ""  # heading above this column and its neighbours of the same group; "" for none
    files_only: bool = False  # it is left out where people read
    marked: bool = True  # its best is marked; False where no system was shown to be better than all others


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Table:
    columns: tuple[TableColumn, ...]  # the first holds names
    rows: tuple[Row, ...]  # one value a column each
    below: tuple[Row, ...] = ()  # under a rule, as what papers report; never marked as best
    title: str = ""  # what the table shows; "" for none
    notes: tuple[str, ...] = ()  # what a reader must know, a sentence or two each
    signatures: tuple[tuple[str, str], ...] = ()  # names and signatures of what was measured; files hold them

    def __post_init__(self) -> None:
        """Raises ValueError where a row has more or fewer values than there are columns."""
        if any(len(row) != len(self.columns) for row in (*self.rows, *self.below)):
            raise ValueError("A row has not as many values as there are columns.")

    def __repr__(self) -> str:
        """What a notebook and a debugger print: the first rows as text, the systems beside each other."""
        more = len(self.rows) - SHOWN_ROWS
        part = replace(self, rows=self.rows[:SHOWN_ROWS])
        wide = len(list(self.shown())) > max(MOST_COLUMNS, len(part.rows))
        lines = [self.title, as_text(part, turned=wide)]
        lines += [f"… and {count_words(more, 'more row', 'more rows')}"] if more > 0 else []
        return "\n".join(filter(None, lines))

    def _repr_html_(self) -> str:
        return as_page_part(self)

    def shown(self) -> Iterator[tuple[int, TableColumn]]:
        return ((at, column) for at, column in enumerate(self.columns) if not column.files_only)

    def only(self, *places: int) -> "Table":
        both = self.rows, self.below
        rows, below = (tuple(tuple(row[at] for at in places) for row in lines) for lines in both)
        return replace(self, columns=tuple(self.columns[at] for at in places), rows=rows, below=below)

    def best(self, at: int) -> Value:
        """The one best cell of a column; None where no end is better, or it does not differ from the next."""
        # Where the column was tested against a system, it is that one, and all others differ from it, or it
        # differs from that one.
        column = self.columns[at]
        found = ((number, row[at]) for row in self.rows if (number := number_of(row[at])) is not None)
        cells = sorted(found, key=lambda cell: cell[0], reverse=column.better == "higher")
        if not (column.better and column.marked) or len(cells) < 2:
            return None
        first, *others = (cell for _, cell in cells)
        if cell_text(first, column, spans=False) == cell_text(others[0], column, spans=False):
            return None
        tested = [cell.p for cell in others if isinstance(cell, Figure) and cell.p is not None]
        if isinstance(first, Figure) and first.p is not None:
            tested = [first.p]
        return first if all(p < ties.LEVEL for p in tested) else None


def read_columns(path: Path) -> dict[str, tuple[TableColumn, ...]]:
    """The columns of tables by name, from TOML: key, title and looks of each (`_LOOKS`)."""
    tables: dict[str, dict[str, list[str]]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        name: tuple(
            TableColumn(title, key, **{field: look for word in looks for field, look in _LOOKS[word].items()})
            for key, (title, *looks) in columns.items()
        )
        for name, columns in tables.items()
    }


def number_of(value: Value) -> float | None:
    if isinstance(value, Figure):
        value = value.value
    if value is None or isinstance(value, str | bool) or math.isnan(value):
        return None
    return float(value)


def cell_text(value: Value, column: TableColumn, *, spans: bool = True) -> str:
    """A cell for people: number, interval, mark of a warning and stars; a dash where there is nothing."""
    if isinstance(value, Figure):
        if value.value is None or not spans:
            return NOTHING if value.value is None else column.form(value.value)
        return spanned(value, column.form) + stars(value.p)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return value if isinstance(value, str) else column.form(value)


def text_rows(table: Table, *, spans: bool = True) -> list[list[str]]:
    shown = list(table.shown())
    rows = (*table.rows, *table.below)
    body = [[cell_text(row[at], column, spans=spans) for at, column in shown] for row in rows]
    return [[column.title for _, column in shown], *body]


def as_text(table: Table, *, turned: bool = False) -> str:
    """The table for a terminal, its notes below."""
    rows = text_rows(table)
    lines = text_tables.ruled([list(line) for line in zip(*rows, strict=True)] if turned else rows)
    return "\n".join([*lines, *([""] if table.notes else []), *table.notes])


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


def warnings_of(table: Table) -> Iterator[str]:
    return (value.warning for row in table.rows for value in row if isinstance(value, Figure))
