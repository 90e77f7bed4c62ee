"""In which order articles are shown: by a score, by how much systems differ, by length."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

import numpy as np

from core.headlines.comparison.comparison import Comparison, FloatArray, IntArray

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """The words of a text, folded to lower case."""
    return _WORD.findall(text.casefold())


def article_words(comparison: Comparison) -> IntArray:
    """How many words each article has, int64 [n]."""
    return np.array([len(_WORD.findall(text)) for text in comparison.articles.texts], dtype=np.int64)


def headline_words(comparison: Comparison) -> IntArray:
    """How many words each headline has, int64 [s, n]."""
    return np.array(
        [[len(_WORD.findall(line)) for line in one.headlines] for one in comparison.outputs], dtype=np.int64
    )


def disagreement(comparison: Comparison) -> FloatArray:
    """How different the systems' headlines of each article are, float64 [n], from 0 to 1.

    One minus the share of words that two headlines have in common (Dice, words counted as often as they
    stand there), averaged over all pairs of systems; 0 for a single system.
    """
    bags = [[Counter(words(line)) for line in one.headlines] for one in comparison.outputs]
    pairs = list(combinations(bags, 2))
    apart = np.zeros(len(comparison.articles))
    for one, other in pairs:
        apart += [1 - _shared(left, right) for left, right in zip(one, other, strict=True)]
    return apart / max(1, len(pairs))


def spread(comparison: Comparison, key: str) -> FloatArray:
    """How far the systems' scores of each article lie apart in a column, float64 [n].

    NaN where fewer than two systems have a score.

    Raises:
        UnknownNameError: No column is called so.
    """
    scores = comparison.scores(key)
    known = ~np.isnan(scores)
    high = np.where(known, scores, -np.inf).max(axis=0)
    low = np.where(known, scores, np.inf).min(axis=0)
    enough = known.sum(axis=0) > 1
    return np.where(enough, np.where(enough, high, 0.0) - np.where(enough, low, 0.0), np.nan)


def order(values: FloatArray | IntArray, *, descending: bool = True) -> IntArray:
    """Rows from the largest value (or the smallest), undefined ones last, int64 [n]."""
    given = np.asarray(values, dtype=np.float64)
    return np.argsort(-given if descending else given, kind="stable").astype(np.int64)


def _shared(left: Counter[str], right: Counter[str]) -> float:
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 1.0
