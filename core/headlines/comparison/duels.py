"""One system against another: difference, significance, and on how many articles each is ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from core.headlines.comparison.comparison import Comparison
from core.statistics.figure import Figure
from core.statistics.paired import holm, paired_bootstrap

TIE: Final = 1e-9
"""Scores that lie closer together are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Two systems in one column.

    Attributes:
        key: Of the column.
        one: The one system.
        other: The other.
        difference: Value of the one minus that of the other, with the test of no difference.
        corrected: Its p-value by Holm (1979), for all duels that were asked for at once.
        family: How many duels it is corrected for.
        wins: Articles on which the one is better; None where neither direction is better.
        ties: Articles on which both are equal.
        losses: Articles on which the other is better.
    """

    key: str
    one: str
    other: str
    difference: Figure
    wins: int | None
    ties: int | None
    losses: int | None
    corrected: float | None = None
    family: int = 0


def duels(comparison: Comparison, one: str, other: str) -> tuple[Duel, ...]:
    """Two systems in every column; p-values corrected for the number of columns.

    Raises:
        UnknownNameError: No system is called so.
    """
    return _corrected([_duel(comparison, place.key, one, other) for place in comparison.places])


def duels_of_column(comparison: Comparison, key: str) -> tuple[Duel, ...]:
    """Any two systems in one column; p-values corrected for the number of pairs."""
    return _corrected(
        [_duel(comparison, key, one, other) for one, other in combinations(comparison.systems, 2)]
    )


def _corrected(found: Sequence[Duel]) -> tuple[Duel, ...]:
    corrected = holm([one.difference.p for one in found])
    family = sum(one.difference.p is not None for one in found)
    return tuple(replace(one, corrected=p, family=family) for one, p in zip(found, corrected, strict=True))


def _duel(comparison: Comparison, key: str, one: str, other: str) -> Duel:
    place, first, second = comparison.place(key), comparison.system(one), comparison.system(other)
    metric = comparison.measured[place.metric]
    gap = float(metric.values[first, place.at] - metric.values[second, place.at])
    drawn = metric.resampled[:, :, place.at]
    found = paired_bootstrap(
        drawn[:, first],
        drawn[:, second],
        None if np.isnan(gap) else gap,
        count=int(comparison.units.max()) + 1,
        units=comparison.resampled_units,
    )
    wins, ties, losses = _count(comparison, key, first, second)
    return Duel(
        key=key,
        one=one,
        other=other,
        difference=found,
        wins=wins,
        ties=ties,
        losses=losses,
    )


def _count(
    comparison: Comparison, key: str, one: int, other: int
) -> tuple[int | None, int | None, int | None]:
    higher = comparison.place(key).column.higher_is_better
    scores = comparison.scores(key)
    apart = (scores[one] - scores[other])[~np.isnan(scores[one] - scores[other])]
    if higher is None or not len(apart):
        return None, None, None
    ahead = apart if higher else -apart
    return int((ahead > TIE).sum()), int((np.abs(ahead) <= TIE).sum()), int((ahead < -TIE).sum())
