"""Shares: x of y, fractions in words, "1 in 4", what is left of a hundred per cent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Final

from core.numerals.claims.changes import in_points
from core.numerals.claims.claim import Claim
from core.numerals.claims.workings.pairs import BESIDE, is_about, pairs_of_one_kind
from core.numerals.question import ReadArticle
from core.text.numerals.numeral import Numeral, NumeralKind

_NOT: Final = re.compile(
    r"\b(?:not|lacks?|lacking|without|no|un\w{4,}|nicht|kein\w*|ohne|sans|pas|non|senza|не|без)\b",
    re.IGNORECASE,
)
_OF: Final = re.compile(r"\s+(?:of|der|aller|seiner|ihrer|de|des|du|di|dei|degli|delle|del)\b", re.IGNORECASE)
_IN: Final = re.compile(r"^[\s-]*(?:in|of|out of)[\s-]*$", re.IGNORECASE)


def share_of(claim: Claim) -> Iterator[tuple[int, ...]]:
    """A percentage for x of y, or for a fraction that the article has in words."""
    numeral, article = claim.place.numeral, claim.place.article
    if numeral.kind is not NumeralKind.PERCENT or in_points(claim):
        return
    yield from (rows for rows, share in shares_in_words(article) if is_about(claim, share * 100))
    said = {one for _, word in claim.near[:2] for one in word.predicates}
    # "Cuts 12% of jobs" tells a share, "cuts jobs by 12%" a change.
    if said & {"rise", "fall"} and not _OF.match(claim.place.question.headline, numeral.end):
        return
    for small, large, low, high in pairs_of_one_kind(claim.place.article):
        part = low.kind is NumeralKind.COUNT and _is_part(claim, small, large, low, high)
        if part and is_about(claim, low.value / high.value * 100):
            yield small, large


def shares_in_words(article: ReadArticle) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Rows and values of the fractions that the article has in words: "a third", "two families in five"."""
    for row, one in enumerate(article.numerals):
        if one.kind is NumeralKind.FRACTION and 0 < one.value < 1:
            yield (row,), one.value
    for row, (one, of) in enumerate(pairwise(article.numerals)):
        both = one.kind is of.kind is NumeralKind.FRACTION and 1 <= one.value < of.value
        if both and of.start - one.end <= BESIDE:
            yield (row, row + 1), one.value / of.value


def _is_part(claim: Claim, small: int, large: int, low: Numeral, high: Numeral) -> bool:
    article = claim.place.article
    if article.places[small] == article.places[large]:
        return True
    return bool(low.counted and high.counted and low.counted == high.counted)


def one_in(claim: Claim) -> Iterator[tuple[int, ...]]:
    """One of the two numbers of "1 in 4" where the article has 15 of 60, or 25 %."""
    place = claim.place
    for other in claim.others:
        first, second = sorted((place.numeral, other.numeral), key=lambda one: one.start)
        if not _IN.match(place.question.headline[first.end : second.start]) or not second.value:
            continue
        share = first.value / second.value
        for small, large, low, high in pairs_of_one_kind(claim.place.article):
            if low.kind is NumeralKind.COUNT and abs(low.value / high.value - share) < Fraction(1, 50):
                yield small, large
        for row, one in enumerate(place.article.numerals):
            if one.kind is NumeralKind.PERCENT and abs(one.value / 100 - share) < Fraction(1, 50):
                yield (row,)


def rest(claim: Claim) -> Iterator[tuple[int, ...]]:
    """What is left of a hundred per cent, where one text denies what the other says."""
    numeral, article = claim.place.numeral, claim.place.article
    if numeral.kind is not NumeralKind.PERCENT or not _NOT.search(claim.place.question.headline):
        return
    for row, one in enumerate(article.numerals):
        start, end = article.sentences[article.places[row]]
        denied = _NOT.search(article.text[start:end])
        if one.kind is NumeralKind.PERCENT and not denied and one.value + numeral.value == 100:
            yield (row,)
