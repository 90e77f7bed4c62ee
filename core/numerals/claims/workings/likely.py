"""Arithmetic that gives too many numbers by chance to clear one, and enough to keep one from being wrong."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from core.numerals.claims.bounds import is_nearly
from core.numerals.claims.changes import concerning, direction_of, is_operand
from core.numerals.claims.claim import Claim
from core.numerals.claims.rates import rate_in_article
from core.numerals.claims.workings.differences import says_less
from core.numerals.claims.workings.pairs import is_about, pairs_of_one_kind, same_noun
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import ReadArticle
from core.text.numerals.numeral import Approximation, NumeralKind

NEXT: Final = 32
"""Characters between a number and the share that it is: "1,500 jobs, or 12 percent of its staff"."""
LEAST: Final = 20
"""What is less than this part of another number is not taken from it."""
LARGE: Final = 1_000
"""Smaller differences come out by chance too often."""
_MINUTES: Final = {"hour": 60, "day": 24 * 60}
_OR: Final = re.compile(r"[,(–—]|\b(?:or|oder|soit|ou|ovvero|cioè|или|то есть)\b", re.IGNORECASE)


def likely(claim: Claim) -> Iterator[tuple[int, ...]]:
    """Rows of the article's numerals that give a number so."""
    numeral, headline = claim.place.numeral, claim.place.question.headline
    yield from _left(claim)
    if numeral.approximation is not Approximation.EXACT or is_nearly(numeral, headline):
        return
    yield from _part(claim)
    yield from _whole(claim)
    yield from _apart(claim)
    yield from _every(claim)


def _shares(article: ReadArticle) -> Iterator[tuple[int, Fraction]]:
    for row, one in enumerate(article.numerals):
        value = one.value / 100 if one.kind is NumeralKind.PERCENT else one.value
        if one.kind in (NumeralKind.PERCENT, NumeralKind.FRACTION) and 0 < value < 1:
            yield row, value


def _part(claim: Claim) -> Iterator[tuple[int, ...]]:
    numeral, article = claim.place.numeral, claim.place.article
    for at, share in _shares(article):
        for row, one in enumerate(article.numerals):
            near = abs(article.places[row] - article.places[at]) <= 1
            same = (one.kind, one.unit) == (numeral.kind, numeral.unit) and is_operand(article, one)
            if near and same and is_about(claim, one.value * share):
                yield at, row


def _whole(claim: Claim) -> Iterator[tuple[int, ...]]:
    article = claim.place.article
    for at, share in _shares(article):
        for row, one in enumerate(article.numerals[:at]):
            between = article.text[one.end : article.numerals[at].start]
            said = len(between) <= NEXT and _OR.search(between)
            if said and is_operand(article, one) and is_about(claim, one.value / share):
                yield row, at


def _apart(claim: Claim) -> Iterator[tuple[int, ...]]:
    numeral, article = claim.place.numeral, claim.place.article
    # Where the article has both ends of such a change, those decide.
    if concerning(claim) or not (says_less(claim) or direction_of(claim)):
        return
    for small, large, low, high in pairs_of_one_kind(article):
        fits = numeral.unit == low.unit or {numeral.unit, low.unit} <= {"", "%"}
        near = low.value * LEAST >= high.value and same_noun(low, high)
        if fits and near and is_about(claim, high.value - low.value):
            yield small, large


def _left(claim: Claim) -> Iterator[tuple[int, ...]]:
    """The difference of two amounts, wherever they stand, too large to come out by chance often."""
    numeral, article = claim.place.numeral, claim.place.article
    if numeral.value < LARGE or looks_like_year(numeral):
        return
    rows = {
        one.value: row
        for row, one in enumerate(article.numerals)
        if (one.kind, one.unit) == (numeral.kind, numeral.unit) and is_operand(article, one)
    }
    ordered = sorted(rows)
    nearly = is_nearly(numeral, claim.place.question.headline)
    for value in ordered:
        end = value + numeral.value
        if end in rows:
            yield rows[value], rows[end]
        elif nearly:
            # Of all differences that are less, the largest is the nearest.
            below = ordered[bisect_left(ordered, end) - 1]
            if is_about(claim, below - value):
                yield rows[value], rows[below]


def _every(claim: Claim) -> Iterator[tuple[int, ...]]:
    numeral, article = claim.place.numeral, claim.place.article
    for row, one in enumerate(article.numerals):
        rate = rate_in_article(article, row) if is_operand(article, one) else None
        minutes = _MINUTES.get(rate[0], 0) if rate else 0
        if minutes and numeral.unit == "minute" and numeral.value == minutes / one.value:
            yield (row,)
