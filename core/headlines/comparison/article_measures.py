"""What the articles of a comparison are sorted and searched by."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.headlines.comparison.comparison import Comparison

MEAN: Final = "mean"
SPREAD: Final = "spread"
"""How the values of several systems become one value an article; the name of a system is the third way."""
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, eq=False)
class ArticleMeasure:
    key: str  # unique name
    label: str  # for people
    # float64 [s, n], or [1, n] where it says nothing about a single system; NaN where undefined
    values: FloatArray

    def of(self, which: str, systems: Sequence[str]) -> FloatArray:
        """One value an article, float64 [n]."""
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
    """One minus the words that two headlines share (Dice), averaged over pairs of systems, float64 [n]."""
    bags = [[Counter(words(line)) for line in output.headlines] for output in comparison.outputs]
    pairs = list(combinations(bags, 2))
    apart = np.zeros(len(comparison.articles))
    for first, second in pairs:
        for row, (left, right) in enumerate(zip(first, second, strict=True)):
            total = left.total() + right.total()
            apart[row] += 1 - (2 * (left & right).total() / total if total else 1.0)
    return apart / max(1, len(pairs))


def haystack(articles: Articles, outputs: Sequence[Outputs]) -> tuple[str, ...]:
    """What a search looks through, one text an article: id, headlines and the article, case-folded."""
    lines = zip(*(output.headlines for output in outputs), strict=True) if outputs else [()] * len(articles)
    rows = zip(articles.ids, articles.references, lines, articles.texts, strict=True)
    return tuple("\n".join([id_, *given, *own, text]).casefold() for id_, given, own, text in rows)


def hits(hay: Sequence[str], search: str) -> npt.NDArray[np.bool_]:
    """Where all words of a search stand, as parts of words, bool [n]; everywhere for an empty search."""
    needles = search.casefold().split()
    return np.fromiter((all(needle in text for needle in needles) for text in hay), np.bool_, len(hay))
