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


def order(values: FloatArray | IntArray, *, descending: bool = True) -> IntArray:
    """Rows from the largest value (or the smallest), undefined ones last, int64 [n]."""
    given = np.asarray(values, dtype=np.float64)
    return np.argsort(-given if descending else given, kind="stable").astype(np.int64)


def _shared(left: Counter[str], right: Counter[str]) -> float:
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 1.0
