"""The arithmetic that journalists do: changes in per cent, x of y, differences, amounts a year, other units.

A number that follows so from two numbers of one thing is supported whatever trees think of it. Operands have
to be alike and near each other, differences and sums need a word that says so, and a change has to go the
way that the article says: other derivations hit a number by chance too often.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from fractions import Fraction
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Final

from core.numerals.claims.bounds import is_nearly, step_of
from core.numerals.claims.changes import (
    amount_of,
    concerning,
    concerns,
    direction_of,
    goes,
    is_operand,
    says_nothing_new,
)
from core.numerals.claims.claim import Claim
from core.numerals.claims.words import Word, article_words, words_of
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import ReadArticle
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

APART: Final = 2
"""Sentences between two operands at most."""
LEAST: Final = 20
"""What is less than this part of another number is neither taken from it nor added to it."""
_DIFFERENCE: Final = re.compile(
    r"\b(?:more|fewer|less|gap|points?|short|ahead|behind|apart|lead|margin|rise|rose|up|down|fell|older|"
    r"younger|adds?|added|cuts?|lost|gained|extra|raises?|raised|falls?|drops?|dropped|by|"
    r"mehr|weniger|teurer|billiger|Punkte|Vorsprung|plus|minus|de plus|de moins|en plus|en moins|écart|"
    r"in più|in meno|punti|vantaggio|больше|меньше|дороже|дешевле|пункта|пунктов)\b",
    re.IGNORECASE,
)
_TOTAL: Final = re.compile(
    r"\b(?:total|combined|in all|altogether|casualties|victims|victimes|both|together)\b", re.IGNORECASE
)
_NOT: Final = re.compile(
    r"\b(?:not|lacks?|lacking|without|no|un\w{4,}|nicht|kein\w*|ohne|sans|pas|non|senza|не|без)\b",
    re.IGNORECASE,
)
_YEARLY: Final = re.compile(r"\b(?:a|per|each) (?:year|month|week|day)\b|\bannual|\byearly", re.IGNORECASE)
_IN: Final = re.compile(r"^[\s-]*(?:in|of|out of)[\s-]*$", re.IGNORECASE)
_AND: Final = re.compile(r"\band\b|\bplus\b|&|\bund\b|\bet\b|\be\b|\bи\b", re.IGNORECASE)
_OTHERS: Final = re.compile(r"\s+(?:other|others|more|weitere|autres|altri|altre|други)", re.IGNORECASE)
_CLAUSE: Final = 60
"""Characters between two numbers of one clause."""
_BESIDE: Final = 16
"""Characters on either side of a number in which a word says that it is a difference."""
_BEHIND: Final = 3
_HARMED: Final = frozenset({"killed", "injured", "missing"})
_COUNTS: Final = frozenset({NumeralKind.COUNT})
_ADDED: Final = frozenset({NumeralKind.COUNT, NumeralKind.MONEY})
_EXACT: Final = {("year", "month"): 12, ("day", "hour"): 24, ("hour", "minute"): 60, ("week", "day"): 7}


class Settled(IntEnum):
    """What arithmetic leaves no doubt about: nothing, the number, or what is said of it, too."""

    NOTHING = 0
    NUMBER = 1
    WORDS = 2


def worked_out(claim: Claim) -> tuple[int, ...]:
    """Rows of the article's numerals from which a number follows by such arithmetic; () where none does."""
    return next((rows for way, rows in ways_worked(claim).items() if way not in UNSURE), ())


def surely(claim: Claim, worked: Sequence[int]) -> Settled:
    """What arithmetic settles of a claim.

    Args:
        claim: The claim.
        worked: See `worked_out`.
    """
    if not worked:
        return Settled.NOTHING
    goes_so = direction_of(claim) and says_nothing_new(claim) and next(_told(claim), None)
    return Settled.WORDS if goes_so else Settled.NUMBER


def ways_worked(claim: Claim) -> dict[str, tuple[int, ...]]:
    """By each of `WAYS` that gives the number the rows of the article's numerals that it uses."""
    if claim.equal or Approximation.VAGUE is claim.place.numeral.approximation:
        return {}
    found = {name: next(iter(way(claim)), ()) for name, way in WAYS.items()}
    return {name: rows for name, rows in found.items() if rows}


def _pairs(claim: Claim) -> Iterator[tuple[int, int, Numeral, Numeral]]:
    """Pairs of the article's numerals that may be counted against each other, the smaller one first."""
    article = claim.place.article
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


def _same_noun(first: Numeral, second: Numeral) -> bool:
    return not first.counted or not second.counted or first.counted == second.counted


def _change(claim: Claim) -> Iterator[tuple[int, ...]]:
    """A percentage by which one number of a thing is more or less than another."""
    if claim.place.numeral.kind is not NumeralKind.PERCENT:
        return
    said = {one for _, word in claim.near for one in word.predicates}
    up, down = "rise" in said, "fall" in said
    if up == down:
        return
    if concerning(claim):
        yield from _told(claim)
        return
    words = article_words(claim.place.article)
    for small, large, low, high in _pairs(claim):
        if low.kind is NumeralKind.PERCENT or not _same_noun(low, high):
            continue
        rows = {claim.place.article.places[small], claim.place.article.places[large]}
        given = {one for row in rows for word in words.sentences[row] for one in word.predicates}
        turned = (
            ("fall" in given and "rise" not in given) if up else ("rise" in given and "fall" not in given)
        )
        base = low.value if up else high.value
        if not turned and is_about(claim, (high.value - low.value) / base * 100):
            yield small, large


def _told(claim: Claim) -> Iterator[tuple[int, ...]]:
    """A change of which the article has both ends, and which goes the headline's way."""
    way = direction_of(claim)
    for one in concerning(claim):
        amount = amount_of(claim, one)
        if amount is not None and way in ("", goes(amount)) and is_about(claim, abs(amount)):
            yield one.before, one.after


def _share(claim: Claim) -> Iterator[tuple[int, ...]]:
    """A percentage for x of y, or for a fraction that the article has in words."""
    numeral, article = claim.place.numeral, claim.place.article
    if numeral.kind is not NumeralKind.PERCENT:
        return
    yield from (rows for rows, share in _shares(article) if is_about(claim, share * 100))
    said = {one for _, word in claim.near[:2] for one in word.predicates}
    if said & {"rise", "fall"}:
        return
    for small, large, low, high in _pairs(claim):
        part = low.kind is NumeralKind.COUNT and _is_part(claim, small, large, low, high)
        if part and is_about(claim, low.value / high.value * 100):
            yield small, large


def _shares(article: ReadArticle) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Rows and values of the fractions that the article has in words: "a third", "two families in five"."""
    for row, one in enumerate(article.numerals):
        if one.kind is NumeralKind.FRACTION and 0 < one.value < 1:
            yield (row,), one.value
    for row, (one, of) in enumerate(pairwise(article.numerals)):
        both = one.kind is of.kind is NumeralKind.FRACTION and 1 <= one.value < of.value
        if both and of.start - one.end <= _BESIDE:
            yield (row, row + 1), one.value / of.value


def _is_part(claim: Claim, small: int, large: int, low: Numeral, high: Numeral) -> bool:
    """Whether one number counts some of what the other counts."""
    article = claim.place.article
    if article.places[small] == article.places[large]:
        return True
    return bool(low.counted and high.counted and low.counted == high.counted)


def _one_in(claim: Claim) -> Iterator[tuple[int, ...]]:
    """One of the two numbers of "1 in 4" where the article has 15 of 60, or 25 %."""
    place = claim.place
    for other in claim.others:
        first, second = sorted((place.numeral, other.numeral), key=lambda one: one.start)
        if not _IN.match(place.question.headline[first.end : second.start]) or not second.value:
            continue
        share = first.value / second.value
        for small, large, low, high in _pairs(claim):
            if low.kind is NumeralKind.COUNT and abs(low.value / high.value - share) < Fraction(1, 50):
                yield small, large
        for row, one in enumerate(place.article.numerals):
            if one.kind is NumeralKind.PERCENT and abs(one.value / 100 - share) < Fraction(1, 50):
                yield (row,)


def _difference(claim: Claim) -> Iterator[tuple[int, ...]]:
    """How much more or less, or how many together, where the headline says that it is that."""
    numeral, headline = claim.place.numeral, claim.place.question.headline
    beside = headline[max(0, numeral.start - _BESIDE) : numeral.end + _BESIDE]
    less, total = _DIFFERENCE.search(beside), _TOTAL.search(headline)
    exact = numeral.approximation is Approximation.EXACT and not is_nearly(numeral, headline)
    if not exact or not (less or total or direction_of(claim)):
        return
    if not total and concerning(claim):
        yield from _told(claim)
        return
    # From 25 to 40 % are 15 points, and not 15 %.
    if less and numeral.kind is not NumeralKind.PERCENT:
        yield from _points(claim)
    for small, large, low, high in _counted_together(claim):
        if less and is_about(claim, high.value - low.value):
            yield small, large
        if total and is_about(claim, high.value + low.value):
            yield small, large


def _points(claim: Claim) -> Iterator[tuple[int, ...]]:
    """Points between a share in words and a percentage."""
    article = claim.place.article
    for rows, share in _shares(article):
        for row, one in enumerate(article.numerals):
            near = abs(article.places[row] - article.places[rows[0]]) <= 1
            percent = one.kind is NumeralKind.PERCENT and near
            if percent and is_about(claim, abs(one.value - share * 100)):
                yield (*rows, row)


def _counted_together(claim: Claim) -> Iterator[tuple[int, int, Numeral, Numeral]]:
    """Pairs of numbers of one thing, of which the headline is, too, in a sentence or two."""
    numeral, places = claim.place.numeral, claim.place.article.places
    for small, large, low, high in _pairs(claim):
        fits = numeral.unit == low.unit or {numeral.unit, low.unit} <= {"", "%"}
        if not fits or abs(places[small] - places[large]) > 1 or low.value * LEAST < high.value:
            continue
        if _same_noun(low, high) and concerns(claim, (small, large)):
            yield small, large, low, high


def _a_year(claim: Claim) -> Iterator[tuple[int, ...]]:
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


def _in_other_units(claim: Claim) -> Iterator[tuple[int, ...]]:
    """The same span of time in another unit: half a year for six months."""
    numeral = claim.place.numeral
    for row, one in enumerate(claim.place.article.numerals):
        for (long, short), factor in _EXACT.items():
            if (numeral.unit, one.unit) == (long, short) and numeral.value * factor == one.value:
                yield (row,)
            if (numeral.unit, one.unit) == (short, long) and numeral.value == one.value * factor:
                yield (row,)


def _joined(claim: Claim) -> Iterator[tuple[int, ...]]:
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
    """Whether two numbers count the same thing, or people of whom the headline's word of harm is said."""
    first, second = _nouns(claim, one), _nouns(claim, other)
    said = frozenset(one for _, word in claim.near for one in word.predicates) & _HARMED
    if not said or _TOTAL.search(claim.place.question.headline):
        said = _HARMED
    harmed = all(any(word.predicates & said for word in some) for some in (first, second))
    return harmed or not {word.form for word in first}.isdisjoint(word.form for word in second)


def _nouns(claim: Claim, numeral: Numeral) -> list[Word]:
    """The words that what a number counts may be among."""
    article = claim.place.article
    behind = article.text[numeral.end : numeral.end + _CLAUSE]
    return [word for word in words_of(behind, article.language)[:_BEHIND] if word.content]


def _added(claim: Claim) -> Iterator[tuple[int, ...]]:
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


def _others_too(claim: Claim) -> Iterator[tuple[int, ...]]:
    """One more than so many others: 24 states of "23 other states"."""
    numeral, article = claim.place.numeral, claim.place.article
    for row, one in enumerate(article.numerals):
        behind = article.text[one.end : one.end + 12]
        if one.kind in _COUNTS and numeral.value == one.value + 1 and _OTHERS.match(behind):
            yield (row,)


def _rest(claim: Claim) -> Iterator[tuple[int, ...]]:
    """What is left of a hundred per cent, where one text denies what the other says."""
    numeral, article = claim.place.numeral, claim.place.article
    if numeral.kind is not NumeralKind.PERCENT or not _NOT.search(claim.place.question.headline):
        return
    for row, one in enumerate(article.numerals):
        start, end = article.sentences[article.places[row]]
        denied = _NOT.search(article.text[start:end])
        if one.kind is NumeralKind.PERCENT and not denied and one.value + numeral.value == 100:
            yield (row,)


def _years_since(claim: Claim) -> Iterator[tuple[int, ...]]:
    """The years from one that the article has to the one of its dateline."""
    numeral, article = claim.place.numeral, claim.place.article
    if numeral.unit != "year":
        return
    years = [(row, one) for row, one in enumerate(article.numerals) if looks_like_year(one)]
    now = next((one.value for _, one in years if one.start < article.dateline), None)
    for row, one in years:
        if now is not None and one.start >= article.dateline and now - one.value == numeral.value:
            yield (row,)


def _this_year(claim: Claim) -> Iterator[tuple[int, ...]]:
    """The year of the article's dateline."""
    numeral, article = claim.place.numeral, claim.place.article
    if not looks_like_year(numeral):
        return
    for row, one in enumerate(article.numerals):
        if one.start < article.dateline and looks_like_year(one) and one.value == numeral.value:
            yield (row,)


def _short_year(claim: Claim) -> Iterator[tuple[int, ...]]:
    """A year by its last two digits: '12."""
    numeral, headline = claim.place.numeral, claim.place.question.headline
    if not headline[: numeral.number_start].endswith(("'", "’")):
        return
    for row, one in enumerate(claim.place.article.numerals):
        if looks_like_year(one) and one.value % 100 == numeral.value % 100:
            yield (row,)


WAYS: Final[Mapping[str, Callable[[Claim], Iterator[tuple[int, ...]]]]] = MappingProxyType(
    {
        "units": _in_other_units,
        "share": _share,
        "change": _change,
        "one_in": _one_in,
        "difference": _difference,
        "yearly": _a_year,
        "joined": _joined,
        "rest": _rest,
        "others": _others_too,
        "since": _years_since,
        "short": _short_year,
        "added": _added,
        "now": _this_year,
    }
)
"""Kinds of arithmetic, the surest first."""
UNSURE: Final = frozenset({"others", "since", "added", "now"})
"""Kinds that give as many numbers by chance as they explain: the trees weigh them."""
