"""All checked headlines of several systems with their lights, the worst first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from core.headlines.numbers.scored import SystemNumerals
from core.numerals.checks.lights import deciding, fault_of, light_of, word_of
from core.numerals.claims.verdict import Light
from core.numerals.provenance import CheckedHeadline
from core.results import render
from core.results.table import Table, TableColumn

ORDER: Final[tuple[Light | None, ...]] = (Light.WRONG, Light.CHECK, Light.SUPPORTED, None)
"""Lights of headlines from the worst; None is that of a headline without a number."""
DIGITS: Final = 6
"""Decimals of a written probability."""


@dataclass(frozen=True, slots=True, eq=False)
class ListedVerdict:
    """One headline.

    Attributes:
        system: Who wrote it.
        row: Row of the article, from 0.
        checked: What was found.
    """

    system: str
    row: int
    checked: CheckedHeadline

    @property
    def light(self) -> Light | None:
        """The light that is shown of it."""
        return light_of(self.checked)

    @property
    def place(self) -> int | None:
        """Which of its numerals decides; None where it has none."""
        one = deciding(self.checked)
        return None if one is None else self.checked.numerals.index(one)

    @property
    def probability(self) -> float | None:
        """Probability of the claim that decides; None where it has none."""
        one = deciding(self.checked)
        return None if one is None else one.claim.probability

    @property
    def part(self) -> str:
        """The part that disagrees; "" where none does."""
        fault = None if self.light is Light.SUPPORTED else fault_of(self.checked)
        return "" if fault is None else fault.value


def worst_first(systems: Iterable[SystemNumerals]) -> tuple[ListedVerdict, ...]:
    """Every headline that is not empty, by its light and then by the probability of what decides."""
    found = [
        ListedVerdict(one.system, row, checked)
        for one in systems
        for row, checked in enumerate(one.checked)
        if checked.headline.strip()
    ]
    return tuple(sorted(found, key=_badness))


def count_lights(listed: Iterable[ListedVerdict], names: Iterable[str]) -> dict[str, dict[Light | None, int]]:
    """How many headlines of each system have which of `ORDER`."""
    counts: dict[str, dict[Light | None, int]] = {name: dict.fromkeys(ORDER, 0) for name in names}
    for one in listed:
        counts[one.system][one.light] += 1
    return counts


def verdicts_csv(listed: Sequence[ListedVerdict]) -> str:
    """One line a headline, in the order given."""
    names = ("row", "system", "headline", "verdict", "disagreement", "reason", "probability")
    rows = [
        (
            *(one.row, one.system, one.checked.headline, word_of(one.light), one.part, one.checked.reason),
            None if one.probability is None else round(one.probability, DIGITS),
        )
        for one in listed
    ]
    return render.as_csv(Table(columns=tuple(map(TableColumn, names)), rows=tuple(rows)))


def _badness(one: ListedVerdict) -> tuple[int, float, int]:
    probability = 1.0 if one.probability is None else one.probability
    return ORDER.index(one.light), probability, one.row
