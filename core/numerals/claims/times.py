"""Amounts a year, spans of time in other units, years that the article has in another form."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Final

from core.numerals.claims.bounds import is_nearly, step_of
from core.numerals.claims.changes import changes_of, in_points, is_operand
from core.numerals.claims.claim import Claim, Rows
from core.numerals.claims.rates import step_before
from core.numerals.claims.words import TABLES, sign
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

APART: Final = 2  # sentences between two operands at most
BESIDE: Final = 16  # characters on either side of a number in which a word says that it is a difference
TOTAL: Final = sign("total")
_YEARLY: Final = re.compile(r"\b(?:a|per|each) (?:year|month|week|day)\b|\bannual|\byearly", re.IGNORECASE)
_EXACT: Final = {tuple(units.split()): many for units, many in TABLES["exact"].items()}
_MEASURES: Final[Mapping[str, Mapping[str, float]]] = TABLES["measures"]
_JOINT: Final = 16  # characters between the parts of a span that are told together
_AND: Final = re.compile(r"\band\b|\bplus\b|&|\bund\b|\bet\b|\be\b|\bи\b", re.IGNORECASE)
_OTHERS: Final = re.compile(r"\s+(?:other|others|more|weitere|autres|altri|altre|други)", re.IGNORECASE)
_CLAUSE: Final = 60  # characters between two numbers of one clause
_ADDED: Final = frozenset({NumeralKind.COUNT, NumeralKind.MONEY})
_OF: Final = re.compile(r"\s+(?:of|der|aller|seiner|ihrer|de|des|du|di|dei|degli|delle|del)\b", re.IGNORECASE)
_IN: Final = re.compile(r"^[\s-]*(?:in|of|out of)[\s-]*$", re.IGNORECASE)
_REST: Final = sign("rest")
_TIMES: Final = sign("times")


@lru_cache(maxsize=AT_ONCE)
def pairs_of_one_kind(article: ReadArticle) -> tuple[tuple[int, int, Numeral, Numeral], ...]:
    """Pairs of an article's numerals that may be counted against each other, the smaller one first."""
    return tuple(every_pair(article, APART))


def every_pair(article: ReadArticle, most: int | None = None) -> Iterator[tuple[int, int, Numeral, Numeral]]:
    """Pairs that may be counted against each other, at most so many sentences apart; None for any number."""
    rows = [row for row, numeral in enumerate(article.numerals) if is_operand(article, numeral)]
    for left, right in combinations(rows, 2):
        first, second = article.numerals[left], article.numerals[right]
        apart = abs(article.places[left] - article.places[right])
        if (most is not None and apart > most) or first.unit != second.unit or first.kind is not second.kind:
            continue
        if first.value < second.value:
            yield left, right, first, second
        elif second.value < first.value:
            yield right, left, second, first


def is_about(claim: Claim, value: Fraction) -> bool:
    """Whether a value rounds to the headline's number, or makes its hedge true."""
    numeral = claim.numeral
    if is_nearly(numeral, claim.headline):
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


def a_year(claim: Claim) -> Iterator[Rows]:
    """An amount a year, of an amount over some years in one sentence."""
    numeral, article = claim.numeral, claim.article
    if not _YEARLY.search(claim.headline):
        return
    for row, amount in enumerate(article.numerals):
        for at, span in enumerate(article.numerals):
            over = span.kind is NumeralKind.DURATION and span.value > 1 and row != at
            together = over and article.places[row] == article.places[at]
            alike = amount.unit == numeral.unit and amount.kind is numeral.kind
            if together and alike and is_about(claim, amount.value / span.value):
                yield row, at


def in_other_units(claim: Claim) -> Iterator[Rows]:
    """The same span of time or measure in another unit: half a year for six months, 74 square kilometres."""
    numeral = claim.numeral
    units = next((units for units in _MEASURES.values() if numeral.unit in units), {})
    for row, measure in enumerate(claim.article.numerals):
        other = measure.unit != numeral.unit and measure.unit in units
        if other and is_about(claim, measure.value * Fraction(units[measure.unit] / units[numeral.unit])):
            yield (row,)
        for (long, short), factor in _EXACT.items():
            if (numeral.unit, measure.unit) == (long, short) and numeral.value * factor == measure.value:
                yield (row,)
            if (numeral.unit, measure.unit) == (short, long) and numeral.value == measure.value * factor:
                yield (row,)
    for row, (first, second) in enumerate(pairwise(claim.article.numerals)):
        many = _EXACT.get((first.unit, second.unit))
        together = second.start - first.end <= _JOINT and numeral.unit == second.unit
        if together and many and numeral.value == first.value * many + second.value:
            yield row, row + 1


def years_since(claim: Claim) -> Iterator[Rows]:
    """The years from one that the article has to the one of its dateline."""
    numeral, article = claim.numeral, claim.article
    years = [(row, year) for row, year in enumerate(article.numerals) if looks_like_year(year)]
    now = next((year.value for _, year in years if year.start < article.dateline), None)
    for row, year in years if numeral.unit == "year" else ():
        if now is not None and year.start >= article.dateline and now - year.value == numeral.value:
            yield (row,)


def this_year(claim: Claim) -> Iterator[Rows]:
    for row, year in enumerate(claim.article.numerals) if looks_like_year(claim.numeral) else ():
        dated = year.start < claim.article.dateline and looks_like_year(year)
        if dated and year.value == claim.numeral.value:
            yield (row,)


def short_year(claim: Claim) -> Iterator[Rows]:
    """A year by its last two digits: '12."""
    if not claim.headline[: claim.numeral.number_start].endswith(("'", "’")):
        return
    for row, year in enumerate(claim.article.numerals):
        if looks_like_year(year) and year.value % 100 == claim.numeral.value % 100:
            yield (row,)


def added(claim: Claim) -> Iterator[Rows]:
    """The sum of two numbers of one kind that a clause joins: 298 of "283 passengers and 15 crew"."""
    numeral, article = claim.numeral, claim.article
    if numeral.kind not in _ADDED:
        return
    rows = [
        row
        for row, other in enumerate(article.numerals)
        if other.start >= article.dateline
        and (other.kind, other.unit) == (numeral.kind, numeral.unit)
        and not looks_like_year(other)
        and other.approximation is not Approximation.VAGUE
    ]
    for left, right in combinations(rows, 2):
        first, second = article.numerals[left], article.numerals[right]
        between = article.text[first.end : second.start]
        if first.value + second.value == numeral.value and len(between) <= _CLAUSE and _AND.search(between):
            yield left, right


def others_too(claim: Claim) -> Iterator[Rows]:
    """One more than so many others: 24 states of "23 other states"."""
    numeral, article = claim.numeral, claim.article
    for row, other in enumerate(article.numerals):
        behind = article.text[other.end : other.end + 12]
        if other.kind is NumeralKind.COUNT and numeral.value == other.value + 1 and _OTHERS.match(behind):
            yield (row,)


def share_of(claim: Claim) -> Iterator[Rows]:
    """A percentage for x of y, or for a fraction that the article has in words."""
    numeral, article = claim.numeral, claim.article
    said = {predicate for _, word in claim.near[: 2 + 2 * claim.hedged] for predicate in word.predicates}
    # "Cuts 12% of jobs" tells a share, "cuts jobs by 12%" a change.
    changes = bool(said & {"rise", "fall"}) and not _OF.match(claim.headline, numeral.end)
    changes = changes or step_before(claim) == "by"
    if numeral.kind is NumeralKind.FRACTION and 0 < numeral.value < 1:
        most = Fraction(1, 25 if claim.hedged else 50)
        for row, other in enumerate(article.numerals):
            if other.kind is NumeralKind.PERCENT and abs(other.value / 100 - numeral.value) <= most:
                yield (row,)
        for small, large, low, high in () if changes else pairs_of_one_kind(article):
            if _is_part(article, small, large) and abs(low.value / high.value - numeral.value) <= most:
                yield small, large
    if numeral.kind is not NumeralKind.PERCENT or in_points(claim):
        return
    yield from (rows for rows, share in shares_in_words(article) if is_about(claim, share * 100))
    if changes:
        return
    for small, large, low, high in pairs_of_one_kind(article):
        part = low.kind is NumeralKind.COUNT and _is_part(article, small, large)
        if part and is_about(claim, low.value / high.value * 100):
            yield small, large


def rest_of(claim: Claim) -> Iterator[Rows]:
    """A percentage for what x of y leave: "87.5% remain" where five of 40 went."""
    article = claim.article
    if claim.numeral.kind is not NumeralKind.PERCENT or in_points(claim) or not _REST.search(claim.headline):
        return
    for small, large, low, high in pairs_of_one_kind(article):
        part = low.kind is NumeralKind.COUNT and _is_part(article, small, large)
        if part and is_about(claim, (1 - low.value / high.value) * 100):
            yield small, large
    for row, other in enumerate(article.numerals):
        if other.kind is NumeralKind.PERCENT and is_about(claim, 100 - other.value):
            yield (row,)


def shares_in_words(article: ReadArticle) -> Iterator[tuple[Rows, Fraction]]:
    """Rows and values of the fractions that the article has in words: "a third", "two families in five"."""
    for row, numeral in enumerate(article.numerals):
        if numeral.kind is NumeralKind.FRACTION and 0 < numeral.value < 1:
            yield (row,), numeral.value
    for row, (part, whole) in enumerate(pairwise(article.numerals)):
        both = part.kind is whole.kind is NumeralKind.FRACTION and 1 <= part.value < whole.value
        if both and whole.start - part.end <= BESIDE:
            yield (row, row + 1), part.value / whole.value


def _is_part(article: ReadArticle, small: int, large: int) -> bool:
    counted = {article.numerals[row].counted for row in (small, large)}
    return article.places[small] == article.places[large] or (len(counted) == 1 and counted != {""})


def one_in(claim: Claim) -> Iterator[Rows]:
    """One of the two numbers of "1 in 4" where the article has 15 of 60, or 25 %."""
    for other in claim.others:
        first, second = sorted((claim.numeral, other.numeral), key=lambda numeral: numeral.start)
        if not _IN.match(claim.headline[first.end : second.start]) or not second.value:
            continue
        share = first.value / second.value
        for small, large, low, high in pairs_of_one_kind(claim.article):
            if low.kind is NumeralKind.COUNT and abs(low.value / high.value - share) < Fraction(1, 50):
                yield small, large
        for row, source in enumerate(claim.article.numerals):
            if source.kind is NumeralKind.PERCENT and abs(source.value / 100 - share) < Fraction(1, 50):
                yield (row,)


def multiplied(claim: Claim) -> Iterator[Rows]:
    """ "Doubled" or "halved" of two numbers of one thing of which one is twice the other."""
    numeral = claim.numeral
    if not _TIMES.match(numeral.text) or not numeral.value:
        return
    article, factor = claim.article, max(numeral.value, 1 / numeral.value)
    most = factor / (10 if claim.hedged else 20)
    ends = [sorted(change, key=lambda row: article.numerals[row].value) for change in changes_of(article)]
    same = [(small, large) for small, large, low, high in pairs_of_one_kind(article) if same_noun(low, high)]
    for small, large in (*ends, *same):
        if abs(article.numerals[large].value / article.numerals[small].value - factor) <= most:
            yield small, large
