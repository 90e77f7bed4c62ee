"""Which row of a set is the best, among rows that were measured on the same pairs."""

from __future__ import annotations

from collections.abc import Sequence

from core.pairs.benchmark.results import Cell
from core.pairs.benchmark.rows import ALWAYS_YES, HUMAN, MOST_FREQUENT


def f1_of(cell: Cell) -> float | None:
    """What rows are ranked by; None where undefined."""
    figure = cell.figures.get("f1")
    return None if figure is None else figure.value


def is_part(cell: Cell) -> bool:
    """Whether a row was measured on a part of the set's test pairs."""
    return 0 < cell.pairs < cell.pairs_of


def best(cells: Sequence[Cell]) -> Cell | None:
    """The cell of a set with the highest F1; None where none has one.

    Like is compared with like: a row measured on a part of the pairs is no rival of those measured on all.
    Where every scorer was, the best is among those with the most pairs, and one answer to every pair, which
    is always measured on all, is no rival. People are a rival only where nobody else is.

    Args:
        cells: Of one set.
    """
    able = [cell for cell in cells if f1_of(cell) is not None]
    rivals = [cell for cell in able if cell.row != HUMAN] or able
    scorers = [cell for cell in rivals if cell.row not in (ALWAYS_YES, MOST_FREQUENT)]
    if scorers and all(map(is_part, scorers)):
        rivals = scorers
    most = max((cell.pairs for cell in rivals), default=0)
    return max(
        (cell for cell in rivals if cell.pairs == most), key=lambda cell: f1_of(cell) or 0.0, default=None
    )
