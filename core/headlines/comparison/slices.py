"""Systems of a comparison on parts of its articles: by length, numerals, rare words and operation."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import IntArray
from core.data.articles.articles import Articles
from core.headlines.comparison.article_measures import words
from core.headlines.comparison.comparison import Comparison
from core.statistics.bootstrap import FEWEST, Figure, bootstrap_sums, few_units, unit_sums

RESAMPLES: Final = 1000
RARE_SHARE: Final = 0.005
"""A word is rare that stands in at most this share of the articles, or in one article."""
_OPERATION: Final = "How the gold number is found"
_NUMERAL = re.compile(r"\d+(?:[.,/]\d+)*")


@dataclass(frozen=True, slots=True)
class Bin:
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
        *quarters("Length of the article", "words", lengths),
        *_counted(f"Numerals in the {of}", "numeral", numerals),
        *_counted(f"Rare words in the {of}", "rare word", rare),
        *(by_operation if len(by_operation) > 1 else ()),
    )


def quarters(kind: str, unit: str, values: IntArray) -> list[Bin]:
    """Rows by the quarter in which their value lies; none where all have the same."""
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


def _counted(kind: str, unit: str, values: IntArray) -> list[Bin]:
    if np.median(values) > 5:
        return quarters(kind, f"{unit}s", values)
    bins = []
    for count in range(4):
        rows = np.flatnonzero(values == count) if count < 3 else np.flatnonzero(values >= 3)
        label = "3 or more" if count == 3 else ("no", "1", "2")[count]
        if 0 < len(rows) < len(values):
            bins.append(Bin(kind, f"{label} {unit}{'' if count == 1 else 's'}", rows))
    return bins
