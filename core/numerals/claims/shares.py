"""Shares: a part of a whole of one thing, a share in other words, what is left, and what a share comes to."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Final

from core.numerals.claims import changes, pairs, rates, words
from core.numerals.claims.claim import PARTS, Claim, Rows
from core.numerals.question import ReadArticle
from core.text.numerals.numeral import NumeralKind

Worked = tuple[int, Rows]  # how plain arithmetic is, and rows of the article's numerals that it uses
_BESIDE: Final = 16  # characters between the two numbers of "two families in five"
_NEXT: Final = 32  # characters between a number and its share: "1,500 jobs, or 12 percent of its staff"
_OF: Final = re.compile(r"\s+(?:of|der|aller|seiner|ihrer|de|des|du|di|dei|degli|delle|del)\b", re.IGNORECASE)
_IN: Final = re.compile(r"^[\s-]*(?:in|of|out of|su|sur|von|aus|из)[\s-]*$", re.IGNORECASE)
_OR: Final = re.compile(r"[,(–—]|\b(?:or|oder|soit|ou|ovvero|cioè|или|то есть)\b", re.IGNORECASE)
_MOST_IN: Final = 100  # of "1 in 100"; of more it is a part of a whole that is counted
_REST: Final = words.sign("rest")
CLOSE: Final = Fraction(1, 50)  # how far a share or a change may be from the fraction that is said of it


def share_of(claim: Claim) -> Iterator[Worked]:
    """A percentage or fraction of x of y, or of a share that the article has in other words."""
    numeral = claim.numeral
    if numeral.kind is NumeralKind.FRACTION and 0 < numeral.value < 1:
        most, loose = min(2 * CLOSE if claim.hedged else CLOSE, numeral.value / 4), claim.hedged
        yield from _given(
            claim,
            lambda share: abs(share - numeral.value) <= most or (loose and pairs.is_about(claim, share)),
        )
    elif numeral.kind is NumeralKind.PERCENT and not changes.in_points(claim):
        yield from _given(claim, lambda share: pairs.is_about(claim, share * 100))
    yield from _comes_to(claim)


def one_in(claim: Claim) -> Iterator[Worked]:
    """One of the two numbers of "1 in 4" where the article has 15 of 60, or 25 %."""
    for share in in_words(claim):
        yield from _given(claim, partial(_is_near, share, min(CLOSE, share / 8)), said=True)


def in_words(claim: Claim) -> Iterator[Fraction]:
    """The share that the headline says with its number and another one: "1 in 4"."""
    for other in claim.others:
        first, second = sorted((claim.numeral, other.numeral), key=lambda numeral: numeral.start)
        small = {first.kind, second.kind} <= PARTS and 1 <= first.value < second.value <= _MOST_IN
        if small and _IN.match(claim.headline[first.end : second.start]):
            yield first.value / second.value


def _is_near(share: Fraction, most: Fraction, value: Fraction) -> bool:
    return abs(value - share) <= most


def _given(claim: Claim, fits: Callable[[Fraction], bool], *, said: bool = False) -> Iterator[Worked]:
    article, rest = claim.article, _REST.search(claim.headline) is not None
    for rows, share in _shares_in(article):
        if fits(share) or fits(1 - share):
            given = fits(share) or rest
            yield pairs.plainness(claim, rows, said=given, linked=given) - (not given), rows
    # "Cuts 12% of jobs" tells a share, "cuts jobs by 12%" a change.
    of_it = _OF.match(claim.headline, claim.numeral.end) is not None
    if (changes.direction_of(claim) and not (of_it or said)) or rates.step_before(claim) == "by":
        return
    for small, large, low, high in pairs.pairs_of_one_kind(article):
        rows, share = (small, large), low.value / high.value
        counts = low.kind is not NumeralKind.PERCENT and pairs.is_part(article, *rows)
        if counts and (fits(share) or (rest and fits(1 - share))):
            linked = pairs.are_linked(article, rows, part=True)
            yield pairs.plainness(claim, rows, said=of_it or said or rest, linked=linked), rows


def shares_in_words(article: ReadArticle) -> Iterator[tuple[Rows, Fraction]]:
    """Rows and values of the fractions that the article has in words: "a third", "two families in five"."""
    for row, numeral in enumerate(article.numerals):
        if numeral.kind is NumeralKind.FRACTION and 0 < numeral.value < 1:
            yield (row,), numeral.value
    for row, (part, whole) in enumerate(pairwise(article.numerals)):
        both = part.kind is whole.kind is NumeralKind.FRACTION and 1 <= part.value < whole.value
        if both and whole.start - part.end <= _BESIDE:
            yield (row, row + 1), part.value / whole.value


def _shares_in(article: ReadArticle) -> Iterator[tuple[Rows, Fraction]]:
    yield from shares_in_words(article)
    percents = (row for row, n in enumerate(article.numerals) if n.kind is NumeralKind.PERCENT)
    yield from (((row,), article.numerals[row].value / 100) for row in percents)


def _comes_to(claim: Claim) -> Iterator[Worked]:
    article, numeral, rest = claim.article, claim.numeral, _REST.search(claim.headline) is not None
    shares = list(_shares_in(article))
    for row, whole in enumerate(article.numerals):
        if pairs.unit_of(whole) != pairs.unit_of(numeral) or not pairs.is_operand(article, whole):
            continue
        for rows, share in shares:
            if abs(article.places[row] - article.places[rows[0]]) > 1 or not 0 < share < 1:
                continue
            linked = pairs.are_linked(article, (rows[-1], row), part=True)
            if pairs.is_about(claim, whole.value * (1 - share if rest else share)):
                said = linked or whole.kind is not NumeralKind.COUNT
                yield pairs.plainness(claim, (*rows, row), said=said, linked=linked), (*rows, row)
            at = article.numerals[rows[0]]
            between = article.text[whole.end : at.start]
            stated = row < rows[0] and len(between) <= _NEXT and _OR.search(between)
            if stated and pairs.is_about(claim, whole.value / share):
                yield pairs.plainness(claim, (row, *rows), said=True, linked=True), (row, *rows)
