"""Changes in per cent, differences and totals of two numbers of one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from core.numerals.claims.bounds import is_nearly
from core.numerals.claims.changes import (
    amount_of,
    concerning,
    concerns,
    direction_of,
    goes,
    in_one_clause,
    in_points,
)
from core.numerals.claims.claim import Claim
from core.numerals.claims.rates import step_before
from core.numerals.claims.words import article_words
from core.numerals.claims.workings.pairs import BESIDE, TOTAL, is_about, pairs_of_one_kind, same_noun
from core.numerals.claims.workings.shares import shares_in_words
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

LEAST: Final = 20
"""What is less than this part of another number is neither taken from it nor added to it."""
CLOSE: Final = Fraction(1, 50)
"""How far a change may be from the fraction that is said of it."""
_DIFFERENCE: Final = re.compile(
    r"\b(?:more|fewer|less|gap|points?|short|ahead|behind|apart|lead|margin|rise|rose|up|down|fell|older|"
    r"younger|adds?|added|cuts?|lost|gained|extra|raises?|raised|falls?|drops?|dropped|by|"
    r"mehr|weniger|teurer|billiger|Punkte|Vorsprung|plus|minus|de plus|de moins|en plus|en moins|écart|"
    r"in più|in meno|punti|vantaggio|больше|меньше|дороже|дешевле|пункта|пунктов)\b",
    re.IGNORECASE,
)


def change(claim: Claim) -> Iterator[tuple[int, ...]]:
    """A percentage by which one number of a thing is more or less than another."""
    part = claim.place.numeral.kind is NumeralKind.FRACTION and step_before(claim) == "by"
    if (claim.place.numeral.kind is not NumeralKind.PERCENT and not part) or in_points(claim):
        return
    said = {one for _, word in claim.near for one in word.predicates}
    up, down = "rise" in said, "fall" in said
    if up == down:
        return
    if concerning(claim) and not part:
        yield from told(claim)
        return
    words = article_words(claim.place.article)
    for small, large, low, high in pairs_of_one_kind(claim.place.article):
        if low.kind is NumeralKind.PERCENT or not same_noun(low, high):
            continue
        rows = {claim.place.article.places[small], claim.place.article.places[large]}
        given = {one for row in rows for word in words.sentences[row] for one in word.predicates}
        turned = (
            ("fall" in given and "rise" not in given) if up else ("rise" in given and "fall" not in given)
        )
        base = low.value if up else high.value
        if not turned and _is_change(claim, (high.value - low.value) / base):
            yield small, large


def _is_change(claim: Claim, share: Fraction) -> bool:
    numeral = claim.place.numeral
    if numeral.kind is NumeralKind.PERCENT:
        return is_about(claim, share * 100)
    if numeral.approximation is Approximation.EXACT and not is_nearly(numeral, claim.place.question.headline):
        return abs(share - numeral.value) < CLOSE
    return is_about(claim, share)


def told(claim: Claim) -> Iterator[tuple[int, ...]]:
    """A change of which the article has both ends, and which goes the headline's way."""
    way = direction_of(claim)
    for one in concerning(claim):
        amount = amount_of(claim, one)
        fits = amount is not None and way in ("", goes(amount)) and is_about(claim, abs(amount))
        if fits and in_one_clause(claim, one):
            yield one.before, one.after


def difference(claim: Claim) -> Iterator[tuple[int, ...]]:
    """How much more or less, or how many together, where the headline says that it is that."""
    numeral, headline = claim.place.numeral, claim.place.question.headline
    less, total = says_less(claim), TOTAL.search(headline)
    exact = numeral.approximation is Approximation.EXACT and not is_nearly(numeral, headline)
    if not exact or not (less or total or direction_of(claim)):
        return
    if not total and concerning(claim):
        yield from told(claim)
        return
    # From 25 to 40 % are 15 points, and not 15 %.
    if less and numeral.kind is not NumeralKind.PERCENT:
        yield from _points(claim)
    for small, large, low, high in _counted_together(claim):
        if less and is_about(claim, high.value - low.value):
            yield small, large
        if total and is_about(claim, high.value + low.value):
            yield small, large


def says_less(claim: Claim) -> bool:
    """Whether a word beside a number says that it is a difference."""
    numeral, headline = claim.place.numeral, claim.place.question.headline
    beside = headline[max(0, numeral.start - BESIDE) : numeral.end + BESIDE]
    return _DIFFERENCE.search(beside) is not None


def _points(claim: Claim) -> Iterator[tuple[int, ...]]:
    article = claim.place.article
    for rows, share in shares_in_words(article):
        for row, one in enumerate(article.numerals):
            near = abs(article.places[row] - article.places[rows[0]]) <= 1
            percent = one.kind is NumeralKind.PERCENT and near
            if percent and is_about(claim, abs(one.value - share * 100)):
                yield (*rows, row)


def _counted_together(claim: Claim) -> Iterator[tuple[int, int, Numeral, Numeral]]:
    numeral, places = claim.place.numeral, claim.place.article.places
    for small, large, low, high in pairs_of_one_kind(claim.place.article):
        fits = numeral.unit == low.unit or {numeral.unit, low.unit} <= {"", "%"}
        if not fits or abs(places[small] - places[large]) > 1 or low.value * LEAST < high.value:
            continue
        if same_noun(low, high) and concerns(claim, (small, large)):
            yield small, large, low, high
