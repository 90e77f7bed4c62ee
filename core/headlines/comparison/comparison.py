"""What several systems wrote for the same articles, with every metric of every headline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from core import __version__
from core.arrays import FloatArray, IntArray
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.errors import UnknownNameError
from core.headlines.metrics.metric import Column, HeadlineMetric
from core.statistics.bootstrap import Figure, holm, paired_bootstrap


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One metric over s systems and n articles; c columns, k statistics, b resamples."""

    signature: str  # name and settings, as the registry reads them
    library: str  # the metric's own word for library, version and settings
    metric: HeadlineMetric
    statistics: FloatArray  # float64 [s, n, k]; empty in its last axis where the metric could not run
    scores: FloatArray  # value of each headline, float64 [s, n, c]; NaN where undefined
    values: FloatArray  # value of each system, float64 [s, c]; NaN where undefined
    resampled: FloatArray  # values in each resample, float64 [b, s, c]; the same draws for every metric
    why_not: str = ""  # why it could not run, a sentence; "" where it did


@dataclass(frozen=True, slots=True)
class ComparisonColumn:
    key: str  # unique in a comparison: the column's name, with the metric's signature where two share it
    column: Column  # what it says
    metric: int  # which of `Comparison.measured`
    at: int  # which column of that metric


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """s systems on n articles."""

    articles: Articles
    outputs: tuple[Outputs, ...]  # what each system wrote, in the order given
    language: str  # ISO 639-1 code that tokens and stems were chosen by
    measured: tuple[Measured, ...]  # one a metric, in the order asked for
    places: tuple[ComparisonColumn, ...]  # all columns of all metrics, in order
    units: IntArray  # what is resampled: the unit of each article, int64 [n]; articles of one event share one
    resamples: int  # how many
    seed: int  # of all draws
    fingerprint: str  # 16 hex digits over articles, headlines, metrics and seed

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(one.system for one in self.outputs)

    @property
    def signature(self) -> str:
        """All that the figures depend on, in one line; systems by fingerprint, in the order of the table."""
        measured = [f"{one.signature} ({one.library})" for one in self.measured if not one.why_not]
        parts = [
            f"headline-lab {__version__}",
            f"articles:{self.articles.fingerprint}",
            f"systems:{','.join(one.fingerprint for one in self.outputs)}",
            f"language:{self.language}",
            *measured,
            f"seed:{self.seed}",
            f"resamples:{self.resamples}",
        ]
        return " ".join(" · ".join(parts).split())

    @property
    def resampled_units(self) -> str:
        count = int(self.units.max()) + 1
        return "articles" if count == len(self.articles) else "events"

    def system(self, name: str) -> int:
        if name not in self.systems:
            raise UnknownNameError(
                f"No system is called {name!r}.", hint=f"The systems are: {', '.join(self.systems)}."
            )
        return self.systems.index(name)

    def place(self, key: str) -> ComparisonColumn:
        for one in self.places:
            if one.key == key:
                return one
        raise UnknownNameError(
            f"No column is called {key!r}.",
            hint=f"The columns are: {', '.join(one.key for one in self.places)}.",
        )

    def scores(self, key: str) -> FloatArray:
        """Value of each headline in a column, float64 [s, n]; NaN where undefined."""
        place = self.place(key)
        return np.asarray(self.measured[place.metric].scores[:, :, place.at])

    def why_undefined(self, place: ComparisonColumn) -> str:
        """Why a column has no value, a sentence for people."""
        one = self.measured[place.metric]
        if one.why_not:
            return one.why_not
        return _LACKS.get(one.metric.needs, "No headline here can be measured so.")


_LACKS = {
    "references": "No article here has a headline by people.",
    "articles": "No article here has a text.",
    "numbers": "No article here has a gold number.",
}


TIE: Final = 1e-9
"""Scores that lie closer together are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    key: str  # of the column
    one: str  # the one system
    other: str
    difference: Figure  # value of the one minus that of the other, with the test of no difference
    wins: int | None  # articles on which the one is better; None where neither direction is better
    ties: int | None  # articles on which both are equal
    losses: int | None  # articles on which the other is better
    corrected: float | None = None  # its p-value by Holm (1979), for all duels that were asked for at once
    family: int = 0  # how many duels it is corrected for


def duels(comparison: Comparison, one: str, other: str) -> tuple[Duel, ...]:
    """Two systems in every column; p-values corrected for the number of columns."""
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
    return Duel(key=key, one=one, other=other, difference=found, wins=wins, ties=ties, losses=losses)


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
