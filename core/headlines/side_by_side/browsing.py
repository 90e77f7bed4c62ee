"""Which articles are looked at: by score, length, disagreement or words in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs

FloatArray = npt.NDArray[np.float64]

MEAN: Final = "mean"
SPREAD: Final = "spread"
"""How the values of several systems become one value an article; the name of a system is the third way."""


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """Something that articles are sorted and filtered by.

    Attributes:
        key: Unique name.
        label: For people.
        values: float64 [s, n], or [1, n] where it says nothing about a single system; NaN where undefined.
    """

    key: str
    label: str
    values: FloatArray

    def of(self, which: str, systems: Sequence[str]) -> FloatArray:
        """One value an article, float64 [n].

        Args:
            which: `MEAN`, `SPREAD` (largest less smallest), or a system; another word counts as the mean.
            systems: Names of the rows.
        """
        if which in systems and len(self.values) == len(systems):
            return np.asarray(self.values[list(systems).index(which)])
        known = ~np.isnan(self.values)
        some = known.any(axis=0)
        if which == SPREAD:
            high = np.where(known, self.values, -np.inf).max(axis=0)
            low = np.where(known, self.values, np.inf).min(axis=0)
            return np.where(some, high - np.where(some, low, 0.0), np.nan)
        total = np.where(known, self.values, 0.0).sum(axis=0)
        return np.where(some, total / np.maximum(known.sum(axis=0), 1), np.nan)


def within(values: FloatArray, low: float, high: float) -> npt.NDArray[np.bool_]:
    """Where a value lies between two ends, both included; never where there is none, bool [n]."""
    return np.asarray((values >= low) & (values <= high))


def haystack(articles: Articles, outputs: Sequence[Outputs]) -> tuple[str, ...]:
    """What a search looks through, one text an article: id, headlines and the article, case-folded."""
    lines = zip(*(one.headlines for one in outputs), strict=True) if outputs else [()] * len(articles)
    return tuple(
        "\n".join([id_, *references, *headlines, text]).casefold()
        for id_, references, headlines, text in zip(
            articles.ids, articles.references, lines, articles.texts, strict=True
        )
    )


def found(hay: Sequence[str], search: str) -> npt.NDArray[np.bool_]:
    """Where all words of a search stand, as parts of words, bool [n]; everywhere for an empty search."""
    needles = search.casefold().split()
    return np.fromiter((all(needle in text for needle in needles) for text in hay), np.bool_, len(hay))
