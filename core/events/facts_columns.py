"""The columns of a facts grid as a reader wants them: chosen, in another order, renamed, merged."""

from collections.abc import Sequence
from dataclasses import replace

from core.events.facts import FactColumn, FactsGrid, Stated
from core.palette import LIGHT

_Cells = Sequence[tuple[Stated, ...]]


def arranged(grid: FactsGrid, chosen: Sequence[tuple[int, str]]) -> FactsGrid:
    """A grid of these columns, each by its place and its new name; those of one name are one column."""
    columns: dict[str, tuple[FactColumn, _Cells]] = {}
    for place, name in chosen:
        column, cells = replace(grid.columns[place], head=name), [row.cells[place] for row in grid.rows]
        columns[name] = _merged(*columns[name], column, cells) if name in columns else (column, cells)
    lines = zip(*(cells for _, cells in columns.values()), strict=True) if columns else [()] * len(grid.rows)
    rows = (replace(row, cells=cells) for row, cells in zip(grid.rows, lines, strict=True))
    return replace(grid, rows=tuple(rows), columns=tuple(column for column, _ in columns.values()))


def _merged(column: FactColumn, cells: _Cells, other: FactColumn, more: _Cells) -> tuple[FactColumn, _Cells]:
    # Values of two columns are never one value, so the other's get colours that are free.
    free = 1 + max(column.colour, *(stated.colour for cell in cells for stated in cell), -1)

    def recoloured(colour: int) -> int:
        return colour + free if 0 <= colour < len(LIGHT) - free else -1

    added = [tuple(replace(each, colour=recoloured(each.colour)) for each in cell) for cell in more]
    other = replace(other, colour=recoloured(other.colour))
    leading = max(column, other, key=lambda each: each.outlets)
    both = replace(leading, values=column.values + other.values)
    return both, [first + second for first, second in zip(cells, added, strict=True)]
