"""Differences, changes in per cent and totals of two numbers of one thing; all arithmetic together."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from core.numerals.claims.claim import Claim, alike, rate_in_article, step_before
from core.numerals.claims.clauses import (
    amount_of,
    concerning,
    concerns,
    direction_of,
    goes,
    in_one_clause,
    in_points,
    is_operand,
)
from core.numerals.claims.times import (
    BESIDE,
    TOTAL,
    a_year,
    added,
    every_pair,
    in_other_units,
    is_about,
    joined_counts,
    one_in,
    others_too,
    pairs_of_one_kind,
    rest,
    same_noun,
    share_of,
    shares_in_words,
    short_year,
    this_year,
    times,
    years_since,
)
from core.numerals.claims.words import article_words, is_nearly, step_of
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import ReadArticle
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

LEAST: Final = 20  # what is less than this part of another number is neither taken from it nor added to it
CLOSE: Final = Fraction(1, 50)  # how far a change may be from the fraction that is said of it
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
    said = {predicate for _, word in claim.near for predicate in word.predicates}
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
        given = {predicate for row in rows for word in words.sentences[row] for predicate in word.predicates}
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


NEXT: Final = 32
"""Characters between a number and the share that it is: "1,500 jobs, or 12 percent of its staff"."""
"""What is less than this part of another number is not taken from it."""
LARGE: Final = 1_000  # smaller differences come out by chance too often
_MINUTES: Final = {"hour": 60, "day": 24 * 60}
_OR: Final = re.compile(r"[,(–—]|\b(?:or|oder|soit|ou|ovvero|cioè|или|то есть)\b", re.IGNORECASE)


def likely(claim: Claim) -> Iterator[tuple[int, ...]]:
    """Rows of the article's numerals that give a number so."""
    numeral, headline = claim.place.numeral, claim.place.question.headline
    yield from _left(claim)
    if numeral.approximation is not Approximation.EXACT or is_nearly(numeral, headline):
        yield from _hedged(claim)
        return
    yield from (rows for rows, value in _parts(claim) if is_about(claim, value))
    yield from _whole(claim)
    yield from _apart(claim)
    yield from _every(claim)


def _hedged(claim: Claim) -> Iterator[tuple[int, ...]]:
    numeral, article = claim.place.numeral, claim.place.article
    step = step_of(numeral)  # is_about alone allows a tenth

    def fits(value: Fraction) -> bool:
        return abs(value - numeral.value) <= step and is_about(claim, value)

    for small, large, low, high in pairs_of_one_kind(article):
        if (low.kind, low.unit) == (numeral.kind, numeral.unit) and (
            fits(high.value - low.value) or fits(high.value + low.value)
        ):
            yield small, large
    yield from (rows for rows, value in _parts(claim) if fits(value))


def _shares(article: ReadArticle) -> Iterator[tuple[int, Fraction]]:
    for row, one in enumerate(article.numerals):
        value = one.value / 100 if one.kind is NumeralKind.PERCENT else one.value
        if one.kind in (NumeralKind.PERCENT, NumeralKind.FRACTION) and 0 < value < 1:
            yield row, value


def _parts(claim: Claim) -> Iterator[tuple[tuple[int, int], Fraction]]:
    numeral, article = claim.place.numeral, claim.place.article
    for at, share in _shares(article):
        for row, one in enumerate(article.numerals):
            near = abs(article.places[row] - article.places[at]) <= 1
            if near and (one.kind, one.unit) == (numeral.kind, numeral.unit) and is_operand(article, one):
                yield (at, row), one.value * share


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
    # Where the headline says that it is a difference, its ends may stand far apart.
    pairs = every_pair(article) if says_less(claim) else pairs_of_one_kind(article)
    for small, large, low, high in pairs:
        fits = numeral.unit == low.unit or {numeral.unit, low.unit} <= {"", "%"}
        near = low.value * LEAST >= high.value and same_noun(low, high)
        if fits and near and is_about(claim, high.value - low.value):
            yield small, large


def _left(claim: Claim) -> Iterator[tuple[int, ...]]:
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


def worked_out(claim: Claim) -> tuple[int, ...]:
    """Rows of the article's numerals from which a number follows by such arithmetic; () where none does."""
    return next((rows for way, rows in ways_worked(claim).items() if way not in UNSURE), ())


def ways_worked(claim: Claim) -> dict[str, tuple[int, ...]]:
    """By each of `WAYS` that gives the number the rows of the article's numerals that it uses."""
    numeral, article = claim.place.numeral, claim.place.article
    same = any(alike(numeral, article.numerals[row]) for row in claim.equal)
    if same or numeral.approximation is Approximation.VAGUE:
        return {}
    found = {name: next(iter(way(claim)), ()) for name, way in WAYS.items()}
    return {name: rows for name, rows in found.items() if rows}


WAYS: Final[Mapping[str, Callable[[Claim], Iterator[tuple[int, ...]]]]] = {
    "units": in_other_units,
    "share": share_of,
    "change": change,
    "times": times,
    "one_in": one_in,
    "difference": difference,
    "yearly": a_year,
    "joined": joined_counts,
    "rest": rest,
    "others": others_too,
    "since": years_since,
    "short": short_year,
    "added": added,
    "now": this_year,
}
"""Kinds of arithmetic, the surest first."""
UNSURE: Final = frozenset({"others", "since", "added", "now"})
"""Kinds that give as many numbers by chance as they explain: the trees weigh them."""
