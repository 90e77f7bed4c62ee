"""Every way in which a headline's number can come from the article's numerals."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from core.arrays import BoolArray, IntArray
from core.numerals.derivations import slots
from core.numerals.derivations.operands import LARGEST, DerivationCandidate, Proposal, in_words, operands_of
from core.numerals.derivations.singles import Target, single_ways
from core.numerals.expressions.expression import Call, Expression, Leaf
from core.numerals.expressions.leaves import count_things
from core.numerals.operators import ADD, DIVIDE, MULTIPLY, PARAPHRASE, ROUND, SPAN, SUBTRACT, round_half
from core.numerals.question import AT_ONCE, NumeralQuestion, ReadArticle

MOST_SUMMANDS: Final = 24  # counts of an article, from its beginning, of which sums of three are looked at
NEAR: Final = 2  # sentences that the summands of a sum of three lie apart at most
MOST_LISTS: Final = 12  # lists of an article, from its beginning, that are looked at
MOST_THINGS: Final = 12  # longer lists are not counted by those who write headlines
_NAME: Final = r"(?:[A-Z][\w’'-]{1,20} ?){1,4}"
_THING: Final = r"(?:an?|the|his|her|their|one|another)\s(?:[^\W\d][\w’'-]{0,20} ?){1,3}"
_JOINED: Final = r",? ?and "
_LISTS: Final = (
    re.compile(rf"\b{_THING}(?:, {_THING}){{0,8}}{_JOINED}{_THING}"),
    re.compile(rf"\b{_NAME}(?:, {_NAME}){{1,8}}{_JOINED}{_NAME}"),
)
MOST: Final = 200  # candidates of a number; NumHG's numbers have 9 on average


def _chains(article: ReadArticle, target: Target) -> Iterator[Proposal]:
    """Sums of three, differences one off, differences in another span of time, and percentage changes."""
    if not 0 < target.value < LARGEST:
        return
    for operator, wanted in ((SUBTRACT, target.value + 1), (ADD, target.value - 1)):
        for row in _differences(article, float(wanted), float(wanted)):
            expression = Call(operator, (slots.built(article, row), Leaf("1")))
            yield target.proposal(expression, slots.sources(article, row), operator.way, -7.0)
    yield from _spans(article, target)
    if target.place.percent:
        yield from _changes(article, target)
    if target.decimals == 0 and not target.place.letter:
        yield from _sums(article, target)


def _differences(article: ReadArticle, low: float, high: float) -> list[int]:
    pairs, operands = slots.pairs_of(article), operands_of(article)
    rows = pairs.within(low, high)
    left, right = pairs.left[rows], pairs.right[rows]
    own = ~(operands.constants[left] | operands.constants[right])
    alike = operands.kinds[left] == operands.kinds[right]
    years = operands.years[left] & operands.years[right]
    return [int(row) for row in rows[pairs.by(SUBTRACT, rows) & own & (alike | years)]]


def _spans(article: ReadArticle, target: Target) -> Iterator[Proposal]:
    half = Fraction(1, 2 * 10**target.decimals)
    for part in slots.TABLES["parts"].get(target.place.span, ()):
        low, high = (float((target.value + side) * part) for side in (-half, half))
        for row in _differences(article, low, high):
            result = slots.exact_value(article, row) / part
            expression = Call(DIVIDE, (slots.built(article, row), Leaf(str(part))))
            if target.value in (result, round_half(result, target.decimals)):
                yield _perhaps_rounded(target, expression, slots.sources(article, row), result)


def _perhaps_rounded(target: Target, given: Expression, used: tuple[int, ...], result: Fraction) -> Proposal:
    if result == target.value:
        return target.proposal(given, used, "other", -6.0)
    return target.proposal(Call(ROUND, (given, Leaf(str(target.decimals)))), used, "round", -6.0)


def _changes(article: ReadArticle, target: Target) -> Iterator[Proposal]:
    pairs, operands = slots.pairs_of(article), operands_of(article)
    rows = np.array(_differences(article, 0.0, float("inf")), dtype=np.int64)
    half = 0.5 / 10**target.decimals + slots.CLOSE
    for side in (pairs.right, pairs.left):
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = 100 * pairs.values[rows] / operands.values[side[rows]]
        for row in rows[np.abs(shares - float(target.value)) <= half].tolist():
            base = operands.expressions[side[row]]
            share = slots.exact_value(article, row) / operands.exact[side[row]] * 100
            expression = Call(MULTIPLY, (Call(DIVIDE, (slots.built(article, row), base)), Leaf("100")))
            used = (*slots.sources(article, row), int(operands.rows[side[row]]))
            yield _perhaps_rounded(target, expression, used, share)


def _sums(article: ReadArticle, target: Target) -> Iterator[Proposal]:
    operands, whole = operands_of(article), float(target.value)
    counts = operands.counts & ~operands.dateline & (operands.values > 0)
    rows = np.flatnonzero(counts)[:MOST_SUMMANDS]
    values, places = operands.values[rows], operands.sentences[rows]
    before = np.triu(np.ones((len(rows), len(rows)), dtype=np.bool_), 1)
    sums = (values[:, None] + values)[:, :, None] + values
    hits = np.abs(sums - whole) < slots.CLOSE * max(1.0, whole)
    hits &= before[:, :, None] & before & ((places - places[:, None, None]) <= NEAR)
    for cell in np.argwhere(hits).tolist():
        first, second, third = (operands.expressions[rows[place]] for place in cell)
        used = tuple(int(operands.rows[rows[place]]) for place in cell)
        apart = int(places[cell[2]] - places[cell[0]])
        total = Call(ADD, (Call(ADD, (first, second)), third))
        yield target.proposal(total, used, "add", -7.0 - 0.5 * apart)


@lru_cache(maxsize=AT_ONCE)
def lists_of(article: ReadArticle) -> tuple[tuple[str, int, int], ...]:
    """Lists of things with an article or possessive, and lists of at least three names, in order of place.

    Each as it stands in the article, with how many things it names, and the row of its sentence.
    """
    lists = []
    for row, (start, end) in enumerate(article.sentences):
        sentence = article.text[start:end]
        for form in _LISTS if " and " in sentence else ():
            for text in (match.group().strip() for match in form.finditer(sentence)):
                count = count_things(text)
                if count.denominator == 1 and count > 1:
                    lists.append((text, int(count), row))
    return tuple(lists[:MOST_LISTS])


def derivations_of(question: NumeralQuestion) -> tuple[DerivationCandidate, ...]:
    """Ways in which the number at a place can come from the article, likeliest by a cheap prior first."""
    numeral = question.numeral
    if numeral is None:
        raise ValueError("a blank has no number to derive")
    place, value = slots.slot_of(question), numeral.amount
    if place.apostrophe and value >= 1000:
        value %= 100
    target = Target(numeral.number, value, numeral.decimals, in_words(numeral), place)
    article = question.article
    ways = (_singles, _pairs, _chains, _lists)
    ranked = sorted((each for way in ways for each in way(article, target)), key=lambda each: -each[0])
    once: dict[tuple[Expression, tuple[int, ...]], DerivationCandidate] = {}
    for _, candidate in ranked:
        once.setdefault((candidate.expression, candidate.sources), candidate)
    return tuple(once.values())[:MOST]


def _singles(article: ReadArticle, target: Target) -> Iterator[Proposal]:
    for row, numeral in enumerate(article.numerals):
        later = 0.02 * article.places[row]
        for expression, way in single_ways(numeral, target):
            prior = slots.WAY_PRIORS[way] - later - 1.0 * (numeral.start < article.dateline)
            yield target.proposal(expression, (row,), way, prior)


@dataclass(frozen=True, slots=True)
class _Goal:
    low: Fraction
    high: Fraction
    way: str
    plain: bool = False
    prior: float = 0.0
    letter: str = ""
    percent: bool = False
    digits: int | None = None

    def reached(self, inner: Fraction, target: Target) -> bool:
        result = inner * 100 if self.percent else inner
        result = result / target.place.factor if self.letter else result
        return target.value == (result if self.digits is None else round_half(result, self.digits))

    def around(self, inner: Expression) -> Expression:
        if self.percent:
            inner = Call(MULTIPLY, (inner, Leaf("100")))
        if self.letter:
            inner = Call(PARAPHRASE, (inner, Leaf(self.letter)))
        if self.digits is not None:
            inner = Call(ROUND, (inner, Leaf(str(self.digits))))
        return inner


def _goals(target: Target) -> Iterator[_Goal]:
    value, place, digits = target.value, target.place, target.decimals
    half = Fraction(1, 2 * 10**digits)
    low, high = value - half, value + half
    yield _Goal(value, value, "")
    yield _Goal(low, high, "round", prior=-1.5, digits=digits)
    if place.letter:
        factor, letter = place.factor, place.letter
        yield _Goal(value * factor, value * factor, "paraphrase", plain=True, letter=letter)
        ends = (low * factor, high * factor)
        yield _Goal(*ends, "round", plain=True, prior=-0.5, letter=letter, digits=digits)
    if place.percent:
        yield _Goal(value / 100, value / 100, "other", percent=True)
        yield _Goal(low / 100, high / 100, "round", percent=True, digits=digits)


def _pairs(article: ReadArticle, target: Target) -> Iterator[Proposal]:
    if not 0 < target.value < LARGEST:
        return
    pairs = slots.pairs_of(article)
    for goal in _goals(target):
        rows = pairs.within(float(goal.low), float(goal.high))
        if goal.percent:
            rows = rows[pairs.by(DIVIDE, rows)]
        if goal.plain:
            rows = rows[~pairs.scaled[rows]]
        if goal.digits is not None:
            rows = rows[_needs_rounding(article, rows, goal)]
        priors = slots.pair_priors(article, rows) + goal.prior
        best = np.argsort(-priors, kind="stable")[:MOST]
        for row, prior in zip(rows[best].tolist(), priors[best].tolist(), strict=True):
            if goal.reached(slots.exact_value(article, row), target):
                inner, used = slots.built(article, row), slots.sources(article, row)
                way = goal.way or pairs.tried[pairs.operators[row]].way
                yield target.proposal(goal.around(inner), used, way, prior)


def _lists(article: ReadArticle, target: Target) -> Iterator[Proposal]:
    if not 2 <= target.value <= MOST_THINGS or target.place.letter:
        return
    for text, size, row in lists_of(article):
        if size == target.value:
            yield target.proposal(Call(SPAN, (Leaf(text),)), (), "other", slots.LIST_PRIOR - 0.1 * row)


def _needs_rounding(article: ReadArticle, rows: IntArray, goal: _Goal) -> BoolArray:
    pairs, operands = slots.pairs_of(article), operands_of(article)
    low, high = float(goal.low), float(goal.high)
    inexact = np.abs(pairs.values[rows] / ((low + high) / 2) - 1) > slots.CLOSE
    smaller = np.minimum(operands.values[pairs.left[rows]], operands.values[pairs.right[rows]])
    scales = pairs.scalings[pairs.operators[rows]]
    return np.asarray(inexact & (scales | (smaller >= high - low)))
