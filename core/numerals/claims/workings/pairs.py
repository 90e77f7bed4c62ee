"""Pairs of an article's numbers that may be counted against each other, and whether a result is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Final

from core.numerals.claims.bounds import is_nearly, step_of
from core.numerals.claims.changes import is_operand
from core.numerals.claims.claim import Claim
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Approximation, Numeral

APART: Final = 2
"""Sentences between two operands at most."""
BESIDE: Final = 16
"""Characters on either side of a number in which a word says that it is a difference."""
TOTAL: Final = re.compile(
    r"\b(?:total|combined|in all|altogether|casualties|victims|victimes|both|together)\b", re.IGNORECASE
)
"""Words that say that a number is of all together."""


@lru_cache(maxsize=AT_ONCE)
def pairs_of_one_kind(article: ReadArticle) -> tuple[tuple[int, int, Numeral, Numeral], ...]:
    """Pairs of an article's numerals that may be counted against each other, the smaller one first."""
    return tuple(_paired(article))


def _paired(article: ReadArticle) -> Iterator[tuple[int, int, Numeral, Numeral]]:
    rows = [row for row, one in enumerate(article.numerals) if is_operand(article, one)]
    for left, right in combinations(rows, 2):
        first, second = article.numerals[left], article.numerals[right]
        apart = abs(article.places[left] - article.places[right])
        if apart > APART or first.unit != second.unit or first.kind is not second.kind:
            continue
        if first.value < second.value:
            yield left, right, first, second
        elif second.value < first.value:
            yield right, left, second, first


def is_about(claim: Claim, value: Fraction) -> bool:
    """Whether a value rounds to the headline's number, or makes its hedge true."""
    numeral = claim.place.numeral
    if is_nearly(numeral, claim.place.question.headline):
        return bool(numeral.value * Fraction(9, 10) <= value < numeral.value)
    match numeral.approximation:
        case Approximation.MORE_THAN | Approximation.AT_LEAST:
            return bool(numeral.value <= value <= numeral.value * Fraction(5, 4))
        case Approximation.LESS_THAN | Approximation.AT_MOST:
            return bool(numeral.value * Fraction(4, 5) <= value <= numeral.value)
        case Approximation.ABOUT:
            return bool(abs(value - numeral.value) <= numeral.value / 10)
    step = min(step_of(numeral), numeral.factor / 10**numeral.decimals)
    return bool(abs(value - numeral.value) * 2 <= step)


def same_noun(first: Numeral, second: Numeral) -> bool:
    """Whether two numbers count the same, as far as that is known."""
    return not first.counted or not second.counted or first.counted == second.counted
