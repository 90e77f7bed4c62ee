"""Differences, changes in per cent and totals of two numbers of one thing; all arithmetic together."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from core.numerals.claims import changes, times
from core.numerals.claims.bounds import is_nearly, step_of
from core.numerals.claims.claim import Claim, Rows
from core.numerals.claims.rates import rate_in_article, step_before
from core.numerals.claims.times import is_about, pairs_of_one_kind, same_noun
from core.numerals.claims.words import article_words, sign
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import AT_ONCE
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

LEAST: Final = 20  # what is less than this part of another number is neither taken from it nor added to it
CLOSE: Final = Fraction(1, 50)  # how far a change may be from the fraction that is said of it
_DIFFERENCE: Final = sign("difference")
_NEXT_WORD: Final = re.compile(r"\s*[\w-]+")
NEXT: Final = (
    32  # characters between a number and the share that it is: "1,500 jobs, or 12 percent of its staff"
)
LARGE: Final = 1_000  # smaller differences come out by chance too often
_MINUTES: Final = {"hour": 60, "day": 24 * 60}
_OR: Final = re.compile(r"[,(–—]|\b(?:or|oder|soit|ou|ovvero|cioè|или|то есть)\b", re.IGNORECASE)
UNSURE: Final = frozenset({"others", "since", "added", "now"})  # as many by chance as they explain


def change(claim: Claim) -> Iterator[Rows]:
    """A percentage by which one number of a thing is more or less than another."""
    numeral, article = claim.numeral, claim.article
    part = numeral.kind is NumeralKind.FRACTION and step_before(claim) == "by"
    if (numeral.kind is not NumeralKind.PERCENT and not part) or changes.in_points(claim):
        return
    said = {predicate for _, word in claim.near for predicate in word.predicates} & {"rise", "fall"}
    if len(said) != 1:
        return
    if changes.concerning(claim) and not part:
        yield from stated_change(claim)
        return
    sentences = article_words(article).sentences
    for small, large, low, high in pairs_of_one_kind(article):
        if low.kind is NumeralKind.PERCENT or not same_noun(low, high):
            continue
        places = {article.places[small], article.places[large]}
        given = {predicate for at in places for word in sentences[at] for predicate in word.predicates}
        share = (high.value - low.value) / (low.value if "rise" in said else high.value)
        if part and not claim.hedged:
            fits = abs(share - numeral.value) < CLOSE
        else:
            fits = is_about(claim, share if part else share * 100)
        if fits and given & {"rise", "fall"} != {"rise", "fall"} - said:
            yield small, large


def stated_change(claim: Claim) -> Iterator[Rows]:
    """A change of which the article has both ends, and which goes the headline's way."""
    way = changes.direction_of(claim)
    for ends in changes.concerning(claim):
        amount = changes.amount_of(claim, ends)
        fits = amount is not None and way in ("", changes.goes(amount)) and is_about(claim, abs(amount))
        if fits and changes.in_one_clause(claim, ends):
            yield ends


def difference(claim: Claim) -> Iterator[Rows]:
    """How much more or less, or how many together, where the headline says that it is that."""
    article, less, total = claim.article, says_less(claim), times.TOTAL.search(claim.headline)
    if claim.hedged or not (less or total or changes.direction_of(claim)):
        return
    if not total and changes.concerning(claim):
        yield from stated_change(claim)
        return
    # From 25 to 40 % are 15 points, and not 15 %.
    points = less and claim.numeral.kind is not NumeralKind.PERCENT
    for rows, share in times.shares_in_words(article) if points else ():
        for row, rate in enumerate(article.numerals):
            near = abs(article.places[row] - article.places[rows[0]]) <= 1
            if rate.kind is NumeralKind.PERCENT and near and is_about(claim, abs(rate.value - share * 100)):
                yield (*rows, row)
    for small, large, low, high in pairs_of_one_kind(article):
        near = abs(article.places[small] - article.places[large]) <= 1
        between = less and is_about(claim, high.value - low.value)
        fits = between or (total is not None and is_about(claim, high.value + low.value))
        if near and fits and _may_differ(claim, low, high) and changes.concerns(claim, (small, large)):
            yield small, large


def says_less(claim: Claim) -> bool:
    """Whether a word beside a number says that it is a difference."""
    counted = _NEXT_WORD.match(claim.headline, claim.numeral.end)
    start = claim.numeral.start - times.BESIDE
    end = (counted.end() if counted else claim.numeral.end) + times.BESIDE
    return step_before(claim) == "by" or _DIFFERENCE.search(claim.headline[max(0, start) : end]) is not None


def _may_differ(claim: Claim, low: Numeral, high: Numeral) -> bool:
    fits = claim.numeral.unit == low.unit or {claim.numeral.unit, low.unit} <= {"", "%"}
    return fits and low.value * LEAST >= high.value and same_noun(low, high)


def likely(claim: Claim) -> Iterator[Rows]:
    """Rows of the article's numerals that give a number so."""
    yield from _left(claim)
    yield from times.rest_of(claim)
    if not claim.hedged:
        yield from _shared(claim, lambda value: is_about(claim, value))
        yield from _whole(claim)
        yield from _apart(claim)
        yield from _every(claim)
        return
    numeral, step = claim.numeral, step_of(claim.numeral)

    def fits(value: Fraction) -> bool:  # is_about alone allows a tenth
        return abs(value - numeral.value) <= step and is_about(claim, value)

    for small, large, low, high in pairs_of_one_kind(claim.article):
        same = (low.kind, low.unit) == (numeral.kind, numeral.unit)
        if same and (fits(high.value - low.value) or fits(high.value + low.value)):
            yield small, large
    yield from _shared(claim, fits)


def _shares(claim: Claim) -> Iterator[tuple[int, Fraction]]:
    for row, numeral in enumerate(claim.article.numerals):
        value = numeral.value / 100 if numeral.kind is NumeralKind.PERCENT else numeral.value
        if numeral.kind in (NumeralKind.PERCENT, NumeralKind.FRACTION) and 0 < value < 1:
            yield row, value


def _shared(claim: Claim, fits: Callable[[Fraction], bool]) -> Iterator[Rows]:
    for at, share in _shares(claim):
        for row, numeral in _of_one_kind(claim):
            near = abs(claim.article.places[row] - claim.article.places[at]) <= 1
            if near and fits(numeral.value * share):
                yield at, row


def _of_one_kind(claim: Claim) -> Iterator[tuple[int, Numeral]]:
    for row, numeral in enumerate(claim.article.numerals):
        same = (numeral.kind, numeral.unit) == (claim.numeral.kind, claim.numeral.unit)
        if same and changes.is_operand(claim.article, numeral):
            yield row, numeral


def _whole(claim: Claim) -> Iterator[Rows]:
    article = claim.article
    for at, share in _shares(claim):
        for row, numeral in enumerate(article.numerals[:at]):
            between = article.text[numeral.end : article.numerals[at].start]
            said = len(between) <= NEXT and _OR.search(between)
            if said and changes.is_operand(article, numeral) and is_about(claim, numeral.value / share):
                yield row, at


def _apart(claim: Claim) -> Iterator[Rows]:
    # Where the article has both ends of such a change, those decide.
    if changes.concerning(claim) or not (says_less(claim) or changes.direction_of(claim)):
        return
    # Where the headline says that it is a difference, its ends may stand far apart.
    pairs = times.every_pair(claim.article) if says_less(claim) else pairs_of_one_kind(claim.article)
    for small, large, low, high in pairs:
        if _may_differ(claim, low, high) and is_about(claim, high.value - low.value):
            yield small, large


def _left(claim: Claim) -> Iterator[Rows]:
    numeral = claim.numeral
    if numeral.value < LARGE or looks_like_year(numeral):
        return
    rows = {other.value: row for row, other in _of_one_kind(claim)}
    ordered, nearly = sorted(rows), is_nearly(numeral, claim.headline)
    for value in ordered:
        end = value + numeral.value
        if end in rows:
            yield rows[value], rows[end]
        elif nearly:
            # Of all differences that are less, the largest is the nearest.
            below = ordered[bisect_left(ordered, end) - 1]
            if is_about(claim, below - value):
                yield rows[value], rows[below]


def _every(claim: Claim) -> Iterator[Rows]:
    numeral, article = claim.numeral, claim.article
    for row, other in enumerate(article.numerals):
        rate = rate_in_article(article, row) if changes.is_operand(article, other) else None
        minutes = _MINUTES.get(rate[0], 0) if rate else 0
        if minutes and numeral.unit == "minute" and numeral.value == minutes / other.value:
            yield (row,)


def worked_out(claim: Claim) -> Rows:
    """Rows of the article's numerals from which a number follows by such arithmetic; () where none does."""
    return next((rows for way, rows in ways_worked(claim).items() if way not in UNSURE), ())


@lru_cache(maxsize=AT_ONCE)
def ways_worked(claim: Claim) -> dict[str, Rows]:
    """By each of `WAYS` that gives the number the rows of the article's numerals that it uses."""
    if claim.alike_rows or claim.numeral.approximation is Approximation.VAGUE:
        return {}
    return {name: rows for name, way in WAYS.items() if (rows := next(iter(way(claim)), ()))}


WAYS: Final[Mapping[str, Callable[[Claim], Iterator[Rows]]]] = {  # kinds of arithmetic, the surest first
    "units": times.in_other_units,
    "share": times.share_of,
    "change": change,
    "times": times.multiplied,
    "one_in": times.one_in,
    "difference": difference,
    "yearly": times.a_year,
    "others": times.others_too,
    "since": times.years_since,
    "short": times.short_year,
    "added": times.added,
    "now": times.this_year,
}
