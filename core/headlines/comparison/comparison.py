"""What several systems wrote for the same articles, with every metric of every headline, and slices of it."""

import re
from collections import Counter
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
from core.headlines.metrics import Column, HeadlineMetric
from core.statistics.bootstrap import (
    FEWEST,
    Figure,
    bootstrap_sums,
    few_units,
    holm,
    paired_bootstrap,
    unit_sums,
)

_LACKS = {
    "references": "No article here has a headline by people.",
    "articles": "No article here has a text.",
    "numbers": "No article here has a gold number.",
}
TIE: Final = 1e-9
"""Scores that lie closer together are equal."""
_WORD = re.compile(r"\w+")
RESAMPLES: Final = 1000
RARE_SHARE: Final = 0.005
"""A word is rare that stands in at most this share of the articles, or in one article."""
_OPERATION: Final = "How the gold number is found"
_NUMERAL = re.compile(r"\d+(?:[.,/]\d+)*")


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
        return tuple(output.system for output in self.outputs)

    @property
    def signature(self) -> str:
        """All that the figures depend on, in one line; systems by fingerprint, in the order of the table."""
        measured = [
            f"{measured.signature} ({measured.library})" for measured in self.measured if not measured.why_not
        ]
        parts = [
            f"headline-lab {__version__}",
            f"articles:{self.articles.fingerprint}",
            f"systems:{','.join(output.fingerprint for output in self.outputs)}",
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
        for column in self.places:
            if column.key == key:
                return column
        raise UnknownNameError(
            f"No column is called {key!r}.",
            hint=f"The columns are: {', '.join(place.key for place in self.places)}.",
        )

    def scores(self, key: str) -> FloatArray:
        """Value of each headline in a column, float64 [s, n]; NaN where undefined."""
        place = self.place(key)
        return np.asarray(self.measured[place.metric].scores[:, :, place.at])

    def why_undefined(self, place: ComparisonColumn) -> str:
        """Why a column has no value, a sentence for people."""
        measured = self.measured[place.metric]
        if measured.why_not:
            return measured.why_not
        return _LACKS.get(measured.metric.needs, "No headline here can be measured so.")


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
    return paired_bootstrap(
        drawn[:, first],
        drawn[:, second],
        None if np.isnan(gap) else gap,
        count=int(comparison.units.max()) + 1,
        units=comparison.resampled_units,
    )


def _duel(comparison: Comparison, key: str, system: str, other: str) -> Duel:
    place, first, second = comparison.place(key), comparison.system(system), comparison.system(other)
    scores, higher = comparison.scores(key), place.column.higher_is_better
    apart = scores[first] - scores[second]
    ahead = (apart if higher else -apart)[~np.isnan(apart)]
    counts: tuple[int | None, int | None, int | None] = (None, None, None)
    if higher is not None and len(ahead):
        counts = int((ahead > TIE).sum()), int((np.abs(ahead) <= TIE).sum()), int((ahead < -TIE).sum())
    return Duel(key, system, other, difference(comparison, place, first, second), *counts)


def words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def article_words(comparison: Comparison) -> IntArray:
    """How many words each article has, int64 [n]."""
    return np.array([len(_WORD.findall(text)) for text in comparison.articles.texts], dtype=np.int64)


def headline_words(comparison: Comparison) -> IntArray:
    """How many words each headline has, int64 [s, n]."""
    counts = [[len(_WORD.findall(line)) for line in output.headlines] for output in comparison.outputs]
    return np.array(counts, dtype=np.int64)


def disagreement(comparison: Comparison) -> FloatArray:
    """How different the systems' headlines of each article are, float64 [n], from 0 to 1.

    One minus the share of words that two headlines have in common (Dice, words counted as often as they
    stand there), averaged over all pairs of systems; 0 for a single system.
    """
    bags = [[Counter(words(line)) for line in output.headlines] for output in comparison.outputs]
    pairs = list(combinations(bags, 2))
    apart = np.zeros(len(comparison.articles))
    for first, second in pairs:
        for row, (left, right) in enumerate(zip(first, second, strict=True)):
            total = left.total() + right.total()
            apart[row] += 1 - (2 * (left & right).total() / total if total else 1.0)
    return apart / max(1, len(pairs))


def order(values: FloatArray | IntArray, *, descending: bool = True) -> IntArray:
    """Rows from the largest value (or the smallest), undefined ones last, int64 [n]."""
    given = np.asarray(values, dtype=np.float64)
    return np.argsort(-given if descending else given, kind="stable").astype(np.int64)


@dataclass(frozen=True, slots=True)
class Bin:
    """Some of the articles."""

    kind: str
    label: str
    rows: IntArray


@dataclass(frozen=True, slots=True)
class Slice:
    """All systems on some of the articles, in one column."""

    kind: str  # what the articles were told apart by
    label: str  # what these have
    articles: int  # how many
    figures: tuple[Figure, ...]  # of each system
    warning: str = ""  # why there are no intervals or why not to rely on them, a sentence; "" otherwise


def bins_of(articles: Articles) -> tuple[Bin, ...]:
    """The articles told apart in each way that divides them; slow enough to be kept (0.3 s for 2,000)."""
    given: Sequence[str] = [reference[0] if reference else "" for reference in articles.references]
    of = "headlines that people gave" if any(given) else "articles"
    named = given if any(given) else articles.texts
    cut = [words(text) for text in articles.texts]
    lengths = np.array(list(map(len, cut)), dtype=np.int64)
    numerals = np.array([len(_NUMERAL.findall(text)) for text in named], dtype=np.int64)
    frequency = Counter(word for text in cut for word in set(text))
    most = max(1, int(RARE_SHARE * len(cut)))
    different = [[word for word in set(words(text)) if not word.isdecimal()] for text in named]
    rare = np.array([sum(frequency[word] <= most for word in text) for text in different], dtype=np.int64)
    operations = sorted(set(articles.operations) - {""})
    rows_of = [np.flatnonzero(np.array(articles.operations) == name) for name in operations]
    by_operation = [Bin(_OPERATION, name, rows) for name, rows in zip(operations, rows_of, strict=True)]
    return (
        *_quarters("Length of the article", "words", lengths),
        *_counted(f"Numerals in the {of}", "numeral", numerals),
        *_counted(f"Rare words in the {of}", "rare word", rare),
        *(by_operation if len(by_operation) > 1 else ()),
    )


def slices(comparison: Comparison, key: str, bins: Sequence[Bin] = ()) -> tuple[Slice, ...]:
    """Every system in one column, on each bin of the articles."""
    place = comparison.place(key)
    measured = comparison.measured[place.metric]
    result = []
    for part in bins or bins_of(comparison.articles):
        statistics = measured.statistics[:, part.rows]
        values = measured.values[:, place.at] * np.nan
        drawn = np.full((1, len(values)), np.nan)
        units = np.unique(comparison.units[part.rows], return_inverse=True)[1].astype(np.int64)
        count, unit = int(units.max()) + 1, comparison.resampled_units
        if not measured.why_not:
            values = measured.metric.values(statistics.sum(axis=1))[:, place.at]
        if not measured.why_not and count >= FEWEST:
            beside = np.ascontiguousarray(statistics.transpose(1, 0, 2)).reshape(len(part.rows), -1)
            sums = bootstrap_sums(unit_sums(beside, units), resamples=RESAMPLES, seed=comparison.seed)
            drawn = measured.metric.values(sums.reshape(RESAMPLES, len(values), -1))[:, :, place.at]
        known = [None if np.isnan(value) else value for value in values.tolist()]
        figures = (
            Figure.resampled(value, drawn[:, row], units=count, unit=unit) for row, value in enumerate(known)
        )
        result.append(
            Slice(part.kind, part.label, len(part.rows), tuple(figures), warning=few_units(count, unit))
        )
    return tuple(result)


def _quarters(kind: str, unit: str, values: IntArray) -> list[Bin]:
    ends = np.unique(np.quantile(values, [0.25, 0.5, 0.75], method="inverted_cdf"))
    cuts = [end for end in ends.tolist() if values.min() <= end < values.max()]
    place = np.searchsorted(cuts, values, side="left")
    bins = []
    for number in range(len(cuts) + 1):
        rows = np.flatnonzero(place == number)
        if cuts and len(rows):
            low, high = int(values[rows].min()), int(values[rows].max())
            bins.append(Bin(kind, f"{low:,} {unit}" if low == high else f"{low:,}–{high:,} {unit}", rows))
    return bins


def _counted(kind: str, unit: str, values: IntArray) -> list[Bin]:
    if np.median(values) > 5:
        return _quarters(kind, f"{unit}s", values)
    bins = []
    for count in range(4):
        rows = np.flatnonzero(values == count) if count < 3 else np.flatnonzero(values >= 3)
        label = "3 or more" if count == 3 else ("no", "1", "2")[count]
        if 0 < len(rows) < len(values):
            bins.append(Bin(kind, f"{label} {unit}{'' if count == 1 else 's'}", rows))
    return bins
