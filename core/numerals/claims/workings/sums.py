"""Sums of numbers that one clause joins, and one more than so many others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from core.numerals.claims.claim import Claim
from core.numerals.claims.words import Word, words_of
from core.numerals.claims.workings.pairs import TOTAL
from core.numerals.derivations.operands import looks_like_year
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

_AND: Final = re.compile(r"\band\b|\bplus\b|&|\bund\b|\bet\b|\be\b|\bи\b", re.IGNORECASE)
_OTHERS: Final = re.compile(r"\s+(?:other|others|more|weitere|autres|altri|altre|други)", re.IGNORECASE)
_CLAUSE: Final = 60
"""Characters between two numbers of one clause."""
_BEHIND: Final = 3
_HARMED: Final = frozenset({"killed", "injured", "missing"})
_COUNTS: Final = frozenset({NumeralKind.COUNT})
_ADDED: Final = frozenset({NumeralKind.COUNT, NumeralKind.MONEY})


def joined_counts(claim: Claim) -> Iterator[tuple[int, ...]]:
    """The sum of counts that one clause joins: "42 Syrian and seven Iraqi soldiers"."""
    numeral, article = claim.place.numeral, claim.place.article
    if numeral.kind not in _COUNTS:
        return
    for at, one in enumerate(article.numerals):
        rows, total = [at], one.value
        for row in range(at + 1, min(at + 4, len(article.numerals))):
            other, last = article.numerals[row], article.numerals[rows[-1]]
            between = article.text[last.end : other.start]
            joined = _AND.search(between) and len(between) <= _CLAUSE
            if other.kind not in _COUNTS or not joined or not _are_alike(claim, one, other):
                break
            rows.append(row)
            total += other.value
            if len(rows) > 1 and one.kind in _COUNTS and total == numeral.value:
                yield tuple(rows)


def _are_alike(claim: Claim, one: Numeral, other: Numeral) -> bool:
    first, second = _nouns(claim, one), _nouns(claim, other)
    said = frozenset(one for _, word in claim.near for one in word.predicates) & _HARMED
    if not said or TOTAL.search(claim.place.question.headline):
        said = _HARMED
    harmed = all(any(word.predicates & said for word in some) for some in (first, second))
    return harmed or not {word.form for word in first}.isdisjoint(word.form for word in second)


def _nouns(claim: Claim, numeral: Numeral) -> list[Word]:
    article = claim.place.article
    behind = article.text[numeral.end : numeral.end + _CLAUSE]
    return [word for word in words_of(behind, article.language)[:_BEHIND] if word.content]


def added(claim: Claim) -> Iterator[tuple[int, ...]]:
    """The sum of two numbers of one kind that a clause joins: 298 of "283 passengers and 15 crew"."""
    numeral, article = claim.place.numeral, claim.place.article
    if numeral.kind not in _ADDED:
        return
    rows = [
        row
        for row, one in enumerate(article.numerals)
        if one.start >= article.dateline
        and (one.kind, one.unit) == (numeral.kind, numeral.unit)
        and not looks_like_year(one)
        and one.approximation is not Approximation.VAGUE
    ]
    for left, right in combinations(rows, 2):
        first, second = article.numerals[left], article.numerals[right]
        between = article.text[first.end : second.start]
        if first.value + second.value == numeral.value and len(between) <= _CLAUSE and _AND.search(between):
            yield left, right


def others_too(claim: Claim) -> Iterator[tuple[int, ...]]:
    """One more than so many others: 24 states of "23 other states"."""
    numeral, article = claim.place.numeral, claim.place.article
    for row, one in enumerate(article.numerals):
        behind = article.text[one.end : one.end + 12]
        if one.kind in _COUNTS and numeral.value == one.value + 1 and _OTHERS.match(behind):
            yield (row,)
