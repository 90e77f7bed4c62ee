"""Amounts a year, spans of time in other units, years that the article has in another form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from core.numerals.claims.claim import Claim
from core.numerals.claims.workings.pairs import is_about
from core.numerals.derivations.operands import looks_like_year
from core.text.numerals.numeral import NumeralKind

_YEARLY: Final = re.compile(r"\b(?:a|per|each) (?:year|month|week|day)\b|\bannual|\byearly", re.IGNORECASE)
_EXACT: Final = {
    ("year", "month"): 12,
    ("week", "day"): 7,
    ("day", "hour"): 24,
    ("hour", "minute"): 60,
    ("minute", "second"): 60,
}
_JOINT: Final = 16
"""Characters between the parts of a span that are told together, with the unit of the first."""


def a_year(claim: Claim) -> Iterator[tuple[int, ...]]:
    """An amount a year, of an amount over some years in one sentence."""
    numeral, article = claim.place.numeral, claim.place.article
    if not _YEARLY.search(claim.place.question.headline):
        return
    for row, one in enumerate(article.numerals):
        for at, span in enumerate(article.numerals):
            over = span.kind is NumeralKind.DURATION and span.value > 1 and row != at
            together = over and article.places[row] == article.places[at]
            alike = one.unit == numeral.unit and one.kind is numeral.kind
            if together and alike and is_about(claim, one.value / span.value):
                yield row, at


def in_other_units(claim: Claim) -> Iterator[tuple[int, ...]]:
    """The same span of time in another unit: half a year for six months."""
    numeral = claim.place.numeral
    for row, one in enumerate(claim.place.article.numerals):
        for (long, short), factor in _EXACT.items():
            if (numeral.unit, one.unit) == (long, short) and numeral.value * factor == one.value:
                yield (row,)
            if (numeral.unit, one.unit) == (short, long) and numeral.value == one.value * factor:
                yield (row,)
    yield from _joined(claim)


def _joined(claim: Claim) -> Iterator[tuple[int, ...]]:
    numeral, article = claim.place.numeral, claim.place.article
    for row, (long, short) in enumerate(pairwise(article.numerals)):
        together = short.start - long.end <= _JOINT and numeral.unit == short.unit
        factor = _EXACT.get((long.unit, short.unit))
        if together and factor and numeral.value == long.value * factor + short.value:
            yield row, row + 1


def years_since(claim: Claim) -> Iterator[tuple[int, ...]]:
    """The years from one that the article has to the one of its dateline."""
    numeral, article = claim.place.numeral, claim.place.article
    if numeral.unit != "year":
        return
    years = [(row, one) for row, one in enumerate(article.numerals) if looks_like_year(one)]
    now = next((one.value for _, one in years if one.start < article.dateline), None)
    for row, one in years:
        if now is not None and one.start >= article.dateline and now - one.value == numeral.value:
            yield (row,)


def this_year(claim: Claim) -> Iterator[tuple[int, ...]]:
    """The year of the article's dateline."""
    numeral, article = claim.place.numeral, claim.place.article
    if not looks_like_year(numeral):
        return
    for row, one in enumerate(article.numerals):
        if one.start < article.dateline and looks_like_year(one) and one.value == numeral.value:
            yield (row,)


def short_year(claim: Claim) -> Iterator[tuple[int, ...]]:
    """A year by its last two digits: '12."""
    numeral, headline = claim.place.numeral, claim.place.question.headline
    if not headline[: numeral.number_start].endswith(("'", "’")):
        return
    for row, one in enumerate(claim.place.article.numerals):
        if looks_like_year(one) and one.value % 100 == numeral.value % 100:
            yield (row,)
