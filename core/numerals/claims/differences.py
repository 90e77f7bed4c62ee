"""Differences, changes in per cent, sums and products of numbers of one thing; all arithmetic together."""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from core.numerals.claims import changes, directions, pairs, shares, times
from core.numerals.claims.claim import DATED, FIXED, HOW_OFTEN, Claim, Rows, is_unpriced
from core.numerals.claims.rates import step_before, step_in_article
from core.numerals.claims.shares import Worked
from core.numerals.claims.words import BOTH_WAYS, predicates_of, sentence_words, sign
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Approximation, NumeralKind

LEAST: Final = 20  # what is less than this part of another number is not taken from it
LOOSE: Final = 0  # from here arithmetic may be meant, though it is not plain enough to be told
UNSURE: Final = frozenset({"others", "since", "added", "now"})  # as many by chance as they explain
_BESIDE: Final = 16  # characters on either side of a number in which a word says that it is a difference
_BEHIND: Final = 24  # the same behind a number of the article
_LIST: Final = 4  # summands of a list at most
_DIFFERENCE, _REST, _TIMES, _EACH = map(sign, ("difference", "left", "times", "each"))
_OF_ANY_KIND: Final = ("units", "short", "now")  # what even a date, a time or an age may be told by
_OF_WORDS: Final = ("times", "one_in")  # what "one" and "double" may be told by
_PEOPLE: Final = ("people", "person", "mensch", "челов", "люд")
_NEXT_WORD: Final = re.compile(r"\s*[\w-]+")
_AND_ONE: Final = re.compile(
    r"(?:\s[^\W\d]+){1,3},?\s(?:and|und|sowie|et|ed?|и)\s(?:an?|one|eine?|une?|un[ao'’]?|один|одна)\s",
    re.IGNORECASE,
)


class Derived(NamedTuple):
    plain: int  # how plainly it is meant; from `PLAIN` it is told
    way: str  # one of `WAYS`
    rows: Rows  # of the article's numerals that it uses


def change(claim: Claim) -> Iterator[Worked]:
    """A percentage by which one number of a thing is more or less than another."""
    numeral, article = claim.numeral, claim.article
    part = numeral.kind is NumeralKind.FRACTION and step_before(claim) == "by"
    if (numeral.kind is not NumeralKind.PERCENT and not part) or changes.in_points(claim):
        return
    said = predicates_of(word for _, word in claim.near) & BOTH_WAYS
    if len(said) != 1:
        return
    if changes.concerning(claim) and not part:
        yield from stated_change(claim)
        return
    ends = changes.changes_of(article)
    for small, large, low, high in pairs.pairs_of_one_kind(article):
        if low.kind is NumeralKind.PERCENT or not pairs.are_one_thing(article, small, large):
            continue
        given = predicates_of((*sentence_words(article, small), *sentence_words(article, large)))
        share = (high.value - low.value) / (low.value if "rise" in said else high.value)
        exact = part and not claim.hedged and abs(share - numeral.value) < shares.CLOSE
        fits = exact if part and not claim.hedged else pairs.is_about(claim, share if part else share * 100)
        if fits and given & BOTH_WAYS != BOTH_WAYS - said:
            linked = (small, large) in ends or (large, small) in ends
            yield pairs.plainness(claim, (small, large), said=True, linked=linked), (small, large)


def stated_change(claim: Claim) -> Iterator[Worked]:
    """A change of which the article has both ends, and which goes the headline's way."""
    way = changes.direction_of(claim)
    for ends in changes.concerning(claim):
        amount = changes.amount_of(claim, ends)
        if amount is not None and way in ("", changes.goes(amount)) and pairs.is_about(claim, abs(amount)):
            sure = pairs.PLAIN + bool(way) + changes.in_one_clause(claim, ends)
            yield sure, (ends.after, ends.before)


def difference(claim: Claim) -> Iterator[Worked]:
    """How much more or less one number is than another, or what is left of it."""
    article, less = claim.article, says_less(claim)
    rest = _REST.search(claim.headline) is not None
    if (less or changes.direction_of(claim)) and not rest:
        yield from stated_change(claim)
    said = less or rest or bool(changes.direction_of(claim))
    points = changes.in_points(claim) or changes.are_points(claim)  # between percentages
    for rows, share in shares.shares_in_words(article) if less and points else ():
        for row, rate in enumerate(article.numerals):
            fits = rate.kind is NumeralKind.PERCENT and pairs.is_about(claim, abs(rate.value - share * 100))
            if fits and abs(article.places[row] - article.places[rows[0]]) <= 1:
                yield pairs.plainness(claim, (*rows, row), said=True, linked=True), (*rows, row)
    for small, large, low, high in pairs.pairs_of_one_kind(article):
        rows = (small, large)
        fits, sums_fit = (pairs.is_about(claim, high.value + side * low.value) for side in (-1, 1))
        if not (fits or sums_fit):
            continue
        measured = (
            points
            if each.kind is NumeralKind.PERCENT
            else pairs.unit_of(claim.numeral) == pairs.unit_of(each) or is_unpriced(claim.numeral, each)
            for each in (low, high)
        )
        if not any(measured) or not pairs.may_be_one(article, *rows):
            continue
        stated = next((row for row in rows if tells_difference(article, row)), None)
        linked = pairs.are_linked(article, rows) or stated is not None
        turned = _result_of(article, small) | _result_of(article, large) == directions.RESULTS.keys()
        if low.value * LEAST >= high.value and (sums_fit if turned else fits):  # of a profit and a loss
            yield pairs.plainness(claim, rows, said=said, linked=linked), rows
        # "Fell by 44,000 to 718,000" says what it was before.
        if stated == small and not less and sums_fit:
            yield pairs.plainness(claim, rows, said=False, linked=True), rows


def _result_of(article: ReadArticle, row: int) -> frozenset[str]:
    """Profit or loss, whichever word for one stands nearest to a number in its sentence."""
    words = [word for word in sentence_words(article, row) if word.predicates & directions.RESULTS.keys()]
    at = article.numerals[row].start
    nearest = min(words, key=lambda word: abs(word.start - at), default=None)
    return nearest.predicates & directions.RESULTS.keys() if nearest else frozenset()


def says_less(claim: Claim) -> bool:
    """Whether a word beside a number says that it is a difference."""
    counted = _NEXT_WORD.match(claim.headline, claim.numeral.end)
    start = claim.numeral.start - _BESIDE
    end = (counted.end() if counted else claim.numeral.end) + _BESIDE
    return step_before(claim) == "by" or _DIFFERENCE.search(claim.headline[max(0, start) : end]) is not None


def tells_difference(article: ReadArticle, row: int) -> bool:
    """Whether one of an article's numbers is itself a difference: "by 44,000", "2p less than now"."""
    end = article.numerals[row].end
    behind = re.split(r"[.,;:(–—]|\d", article.text[end : end + _BEHIND])[0]
    return step_in_article(article, row) == "by" or _DIFFERENCE.search(behind) is not None


def added(claim: Claim) -> Iterator[Worked]:
    """A sum of numbers of one kind that stand in one list, or that the headline tells together."""
    numeral, article, total = claim.numeral, claim.article, times.TOTAL.search(claim.headline) is not None
    if numeral.kind in FIXED or looks_like_year(numeral) or (says_less(claim) and not total):
        return
    # Crew and lorries are nothing together that is not said.
    said = any(word.predicates for _, word in claim.near[:3]) or numeral.kind is not NumeralKind.COUNT
    for rows, value in _lists(claim):
        named = any(pairs.is_one(article.numerals[row].counted, numeral.counted or "-") for row in rows)
        if pairs.is_about(claim, value) and (total or said or named or numeral.counted.startswith(_PEOPLE)):
            yield pairs.plainness(claim, rows, said=total, linked=True), rows
    for small, large, low, high in pairs.pairs_of_one_kind(article):
        rows = (small, large)
        fits = (low.kind, low.unit) == (numeral.kind, numeral.unit)
        fits = fits and pairs.is_about(claim, low.value + high.value)
        if fits and pairs.may_be_one(article, *rows) and not pairs.are_joined(article, rows):
            yield pairs.plainness(claim, rows, said=total, linked=False), rows


def _lists(claim: Claim) -> Iterator[tuple[Rows, Fraction]]:
    article, numeral = claim.article, claim.numeral
    same = ((row, article.numerals[row]) for row in _of_its_unit(claim))
    sure = ((row, other) for row, other in same if other.approximation is not Approximation.VAGUE)
    rows = [row for row, other in sure if other.start >= article.dateline and not looks_like_year(other)]
    for at in range(len(rows)):
        for last in range(at + 1, min(at + _LIST, len(rows)) + 1):
            listed = tuple(rows[at:last])
            if not pairs.are_joined(article, listed):
                break
            value = sum((article.numerals[row].value for row in listed), Fraction(0))
            if len(listed) > 1:
                yield listed, value
            end = article.numerals[listed[-1]].end
            if numeral.kind is NumeralKind.COUNT and _AND_ONE.match(article.text, end):
                yield listed, value + 1


def _of_its_unit(claim: Claim) -> list[int]:
    unit = pairs.unit_of(claim.numeral)
    return [row for row, other in enumerate(claim.article.numerals) if pairs.unit_of(other) == unit]


def multiplied(claim: Claim) -> Iterator[Worked]:
    """How often one number has another, or what so many times a number, or so much for each, comes to."""
    article, numeral = claim.article, claim.numeral
    often = numeral.counted in HOW_OFTEN and numeral.kind is NumeralKind.COUNT
    if (often or _TIMES.match(numeral.text)) and numeral.value:
        ratio = max(numeral.value, 1 / numeral.value)
        most = ratio / (10 if claim.hedged else 20)
        ends = changes.changes_of(article)
        for small, large, low, high in pairs.pairs_of_one_kind(article):
            rows = (small, large)
            if pairs.are_one_thing(article, *rows) and abs(high.value / low.value - ratio) <= most:
                linked = rows in ends or rows[::-1] in ends or pairs.are_linked(article, rows)
                yield pairs.plainness(claim, rows, said=True, linked=linked), rows
        return
    alike = [row for row in _of_its_unit(claim) if pairs.is_operand(article, article.numerals[row])]
    each = [_EACH.search(article.text, *sentence) for sentence in article.sentences]
    shared = _EACH.search(claim.headline) is not None
    for at, factor in enumerate(article.numerals):
        often = factor.counted in HOW_OFTEN or _TIMES.match(factor.text) is not None
        counts = factor.kind is NumeralKind.COUNT and pairs.is_operand(article, factor)
        for row in alike if factor.value and (often or counts) else ():
            other, place = article.numerals[row], article.places[row]
            if row == at or abs(place - article.places[at]) > 1:
                continue
            if (often or each[place]) and pairs.is_about(claim, other.value * factor.value):
                yield pairs.plainness(claim, (at, row), said=True, linked=often), (at, row)
            elif (often or shared) and pairs.is_about(claim, other.value / factor.value):
                yield pairs.plainness(claim, (row, at), said=shared, linked=often), (row, at)


WAYS: Final[Mapping[str, Callable[[Claim], Iterator[Worked]]]] = {  # kinds of arithmetic, the surest first
    **{"units": times.in_other_units, "share": shares.share_of, "change": change, "times": multiplied},
    **{"one_in": shares.one_in, "difference": difference, "yearly": times.a_year},
    **{"others": times.others_too, "since": times.years_since, "short": times.short_year},
    **{"added": added, "now": times.this_year},
}


@lru_cache(maxsize=AT_ONCE)
def derived(claim: Claim) -> tuple[Derived, ...]:
    """The arithmetic that gives a headline's number and may be meant, the plainest first."""
    if claim.numeral.approximation is Approximation.VAGUE:
        return ()
    fixed = claim.numeral.kind in {*DATED, NumeralKind.NAME}
    word = claim.numeral.value >= 1 and pairs.is_word(claim.numeral, claim.language)
    names = _OF_ANY_KIND if fixed else _OF_WORDS if word else WAYS
    worked = (Derived(plain, name, rows) for name in names for plain, rows in WAYS[name](claim))
    return tuple(sorted((each for each in worked if each.plain >= LOOSE), key=lambda each: -each.plain))


def told(claim: Claim) -> Derived | None:
    """The arithmetic that is plain enough to be told; None also where as plain a way uses other numbers."""
    best, in_words = max((each.plain for each in derived(claim)), default=0), any(shares.in_words(claim))

    def is_told(each: Derived) -> bool:
        listed = each.way == "added" and pairs.are_joined(claim.article, each.rows)
        plain = each.plain == best > pairs.PLAIN - listed and (each.way == "one_in" or not in_words)
        return plain and (listed or pairs.may_be_meant(claim, each.rows))

    plain = list(filter(is_told, derived(claim)))
    plain.sort(key=lambda each: len({claim.article.places[row] for row in each.rows}))
    values = {frozenset(claim.article.numerals[row].value for row in each.rows) for each in plain}
    return plain[0] if len(values) == 1 or (plain and best >= pairs.PLAIN + 2) else None


@lru_cache(maxsize=AT_ONCE)
def ways_worked(claim: Claim) -> dict[str, Rows]:
    """By each of `WAYS` that gives the number the rows of the article's numerals that it uses."""
    if claim.alike_rows:
        return {}
    by_way = {each.way: each.rows for each in reversed(derived(claim))}
    return {way: by_way[way] for way in WAYS if way in by_way}


def worked_out(claim: Claim) -> Rows:
    """Rows of the article's numerals from which a number follows by such arithmetic; () where none does."""
    return next((rows for way, rows in ways_worked(claim).items() if way not in UNSURE), ())
