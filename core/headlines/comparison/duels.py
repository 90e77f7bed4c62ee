"""Two systems of a comparison held against each other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from core.headlines.comparison.comparison import Comparison, ComparisonColumn
from core.statistics.bootstrap import Figure, holm, paired_bootstrap

TIE: Final = 1e-9
"""Scores that lie closer together are equal."""


@dataclass(frozen=True, slots=True)
class Duel:
    key: str  # of the column
    system: str
    other: str  # the system that it is compared with
    difference: Figure  # the system's value minus the other's, with the test of no difference
    wins: int | None  # articles on which the system is better; None where neither direction is better
    ties: int | None  # articles on which both are equal
    losses: int | None  # articles on which the other is better
    corrected: float | None = None  # its p-value by Holm (1979), for all duels that were asked for at once
    family: int = 0  # how many duels it is corrected for


def duels(comparison: Comparison, system: str, other: str) -> tuple[Duel, ...]:
    """Two systems in every column; p-values corrected for the number of columns."""
    return _corrected([_duel(comparison, place.key, system, other) for place in comparison.places])


def duels_of_column(comparison: Comparison, key: str) -> tuple[Duel, ...]:
    """Any two systems in one column; p-values corrected for the number of pairs."""
    return _corrected(
        [_duel(comparison, key, left, right) for left, right in combinations(comparison.systems, 2)]
    )


def _corrected(duels: Sequence[Duel]) -> tuple[Duel, ...]:
    corrected = holm([duel.difference.p for duel in duels])
    family = sum(duel.difference.p is not None for duel in duels)
    return tuple(replace(duel, corrected=p, family=family) for duel, p in zip(duels, corrected, strict=True))


def difference(comparison: Comparison, place: ComparisonColumn, first: int, second: int) -> Figure:
    """The value of one system less that of another in a column, with its test."""
    metric = comparison.measured[place.metric]
    gap = float(metric.values[first, place.at] - metric.values[second, place.at])
    drawn = metric.resampled[:, :, place.at]
    units, count = comparison.resampled_units, int(comparison.units.max()) + 1
    known = None if np.isnan(gap) else gap
    return paired_bootstrap(drawn[:, first], drawn[:, second], known, count=count, units=units)


def _duel(comparison: Comparison, key: str, system: str, other: str) -> Duel:
    place, first, second = comparison.place(key), comparison.system(system), comparison.system(other)
    scores, higher = comparison.scores(key), place.column.higher_is_better
    apart = scores[first] - scores[second]
    ahead = (apart if higher else -apart)[~np.isnan(apart)]
    counts: tuple[int | None, int | None, int | None] = (None, None, None)
    if higher is not None and len(ahead):
        counts = int((ahead > TIE).sum()), int((np.abs(ahead) <= TIE).sum()), int((ahead < -TIE).sum())
    return Duel(key, system, other, difference(comparison, place, first, second), *counts)
