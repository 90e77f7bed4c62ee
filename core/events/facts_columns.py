"""The columns of a facts grid as a reader wants them: chosen, in another order, renamed, merged."""

from collections.abc import Sequence
from dataclasses import replace

from core.events.facts import NOT_READ, Cell, FactColumn, FactsGrid, with_columns

_Cells = Sequence[Cell]


def arranged(grid: FactsGrid, chosen: Sequence[tuple[int, str]]) -> FactsGrid:
    """A grid of these columns, each by its place and its new name; those of one name are one column."""
    columns: dict[str, tuple[FactColumn, _Cells]] = {}
    for place, name in chosen:
        column, cells = replace(grid.columns[place], head=name), [row.cells[place] for row in grid.rows]
        columns[name] = _merged(*columns[name], column, cells) if name in columns else (column, cells)
    laid, rows = with_columns(grid, columns.values()), []
    for before, row in zip(grid.rows, laid.rows, strict=True):
        doubted = {name for place, name in chosen if before.unread[place]}
        said = zip(columns, row.cells, strict=True)
        unread = tuple(NOT_READ * (not cell and name in doubted) for name, cell in said)
        rows.append(replace(row, unread=unread))
    return replace(laid, rows=tuple(rows))


def _merged(column: FactColumn, cells: _Cells, other: FactColumn, more: _Cells) -> tuple[FactColumn, _Cells]:
    leading = max(column, other, key=lambda each: each.outlets)
    both = replace(leading, values=column.values + other.values)
    return both, [first + second for first, second in zip(cells, more, strict=True)]
