"""How often a wrong number gets the green tick, from the benchmark that is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.numerals.benchmark.results import FILE, NumeralBenchmark
from core.numerals.checking import DEFAULT
from core.statistics.figure import Figure

CLEARED: Final = "cleared"
"""The measure whose figures are read: "cleared digit" is the share of headlines with a wrong digit that get
the tick."""
SET: Final = "numhg"
"""The set whose test articles are read."""


@dataclass(frozen=True, slots=True)
class FalseClearance:
    """Headlines that were made wrong on purpose, and how many of them got a green tick.

    Attributes:
        kinds: For each way of making them wrong the share that was cleared, the worst first; each with
            `count` and interval.
        articles: The set, for people.
    """

    kinds: tuple[tuple[str, Figure], ...]
    articles: str

    @property
    def count(self) -> int:
        """How many headlines were made wrong."""
        return sum(figure.count for _, figure in self.kinds)

    @property
    def share(self) -> float:
        """Share of all of them that was cleared, 0–1."""
        return sum((figure.value or 0.0) * figure.count for _, figure in self.kinds) / self.count


def false_clearance(found: NumeralBenchmark | None = None) -> FalseClearance | None:
    """What is measured; None where no stored benchmark measured it.

    Args:
        found: A benchmark; None for the newest one that is stored.
    """
    table = FILE.newest() if found is None else found
    if table is None:
        return None
    names = {one.key: one.name for one in table.sets}
    for cell in table.cells:
        if (cell.set, cell.system, cell.part) != (SET, DEFAULT, ""):
            continue
        kinds = [
            (name.partition(" ")[2].replace("_", " "), figure)
            for name, figure in cell.figures.items()
            if name.partition(" ")[0] == CLEARED and figure.value is not None and figure.count
        ]
        if kinds:
            kinds.sort(key=lambda one: -(one[1].value or 0.0))
            return FalseClearance(tuple(kinds), names[SET])
    return None
