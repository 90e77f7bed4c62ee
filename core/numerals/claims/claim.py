"""A claim: a number of a headline with what several gates need of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.numerals.claims.bounds import is_rounded_from
from core.numerals.claims.place import ClaimPlace
from core.numerals.claims.words import Word, words_of
from core.numerals.derivations.operands import looks_like_year
from core.text.numerals.numeral import Numeral, NumeralKind

NEAR: Final = 7
"""Words on either side of a headline's number that say something of it."""
COUNTED: Final = frozenset({NumeralKind.COUNT, NumeralKind.MEASURE, NumeralKind.DURATION, NumeralKind.AGE})
"""Kinds that writers take for each other."""
_POUNDS: Final = frozenset({"GBP", "pound"})


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A place and what several gates need of it.

    Attributes:
        place: The number.
        others: The headline's other numbers.
        equal: Rows of the article's numerals with the same value.
        rounded: Rows of those of which a hedged number is a true rounding.
        source: Row of the numeral that the claim is compared with; None where there is none.
        words: The headline's words.
        near: Those of them near the number, nearest first, with how many words they are away.
    """

    place: ClaimPlace
    others: Sequence[ClaimPlace]
    equal: tuple[int, ...]
    rounded: tuple[int, ...]
    source: int | None
    words: tuple[Word, ...]
    near: tuple[tuple[int, Word], ...]


def read_claim(place: ClaimPlace, others: Sequence[ClaimPlace]) -> Claim:
    """What the gates need."""
    numeral, article, headline = place.numeral, place.article, place.question.headline
    rows = [row for row, one in enumerate(article.numerals) if one.start >= article.dateline]
    equal = tuple(row for row in rows if article.numerals[row].value == numeral.value)
    rounded = tuple(
        row
        for row in rows
        if row not in equal
        and alike(numeral, article.numerals[row])
        and is_rounded_from(numeral, headline, article.numerals[row], article.text)
    )
    words = words_of(headline, article.language)
    near = around(words, place.question.start, NEAR)
    return Claim(place, others, equal, rounded, _source(place, equal, rounded), words, near)


def _source(place: ClaimPlace, equal: Sequence[int], rounded: Sequence[int]) -> int | None:
    shares = place.shares
    if place.derivations and len(place.sources) == 1 and not rounded:
        return place.sources[0]
    rows = (*equal, *rounded) or place.sources
    return max(rows, key=lambda row: float(shares[row]), default=None)


def alike(numeral: Numeral, other: Numeral) -> bool:
    """Whether two numbers may tell of the same thing: kinds that are taken for each other, no other unit."""
    if looks_like_year(numeral) != looks_like_year(other):
        return False
    if are_pounds(numeral, other):
        return True
    if numeral.unit and other.unit and numeral.unit != other.unit:
        return False
    return numeral.kind is other.kind or {numeral.kind, other.kind} <= COUNTED


def are_pounds(numeral: Numeral, other: Numeral) -> bool:
    """Whether one is money and the other a weight that may be meant for it: £90M and "90 million pounds"."""
    return {numeral.unit, other.unit} == _POUNDS


def around(words: Sequence[Word], at: int, reach: int) -> tuple[tuple[int, Word], ...]:
    """The words around a place in a text, nearest first, with their distances in words."""
    place = next((k for k, word in enumerate(words) if word.start >= at), len(words))
    found = [(k - place if k > place else place - k, words[k]) for k in range(len(words)) if k != place]
    return tuple(sorted((one for one in found if one[0] <= reach), key=lambda one: one[0]))
