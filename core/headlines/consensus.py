"""How alike a headline is to the other candidates of its article: what most of them say is likely right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from core.text.tokens import tokenize


def likenesses(headlines: Sequence[str]) -> list[float]:
    """For each headline its mean likeness to the others, 0–1; 0 for one alone.

    The likeness of two is the mean of the F1 of their words and of their pairs of neighbouring words, in
    lower case; a headline of one word has no pair, and its F1 is 0.

    Source: minimum Bayes risk decoding, Kumar and Byrne 2004, "Minimum Bayes-Risk Decoding for Statistical
    Machine Translation": the candidate with the highest expected likeness to what the model writes.

    Args:
        headlines: Candidates of one article, n; one that was written more than once stands there as often.
    """
    counted = [_counted(text) for text in headlines]
    size = len(headlines)
    sums = [0.0] * size
    for one in range(size):
        for other in range(one + 1, size):
            alike = _alike(counted[one], counted[other])
            sums[one] += alike
            sums[other] += alike
    return [total / (size - 1) if size > 1 else 0.0 for total in sums]


Grams = tuple[Counter[object], Counter[object]]
"""How often each word and each pair of words comes."""


def _counted(text: str) -> Grams:
    words = [token.text.casefold() for token in tokenize(text)]
    return Counter(words), Counter(pairwise(words))


def _alike(one: Grams, other: Grams) -> float:
    return (_f1(one[0], other[0]) + _f1(one[1], other[1])) / 2


def _f1(one: Counter[object], other: Counter[object]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0
