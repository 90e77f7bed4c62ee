"""Derivations of three operands, where NumHG's annotators used them: guided, not exhaustive."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import numpy as np

from core.numerals.derivations.candidate import Proposal
from core.numerals.derivations.operands import LARGEST, IntArray, operands_of
from core.numerals.derivations.pairs import CLOSE, built, exact_value, pairs_of, sources
from core.numerals.derivations.singles import Target
from core.numerals.expressions.tree import Call, Leaf
from core.numerals.operators import ADD, DIVIDE, MULTIPLY, ROUND, SUBTRACT, round_half
from core.numerals.question import ReadArticle

MOST_SUMMANDS: Final = 24
"""Counts of an article, from its beginning, of which sums of three are looked at."""

NEAR: Final = 2
"""Sentences that the summands of a sum of three lie apart at most."""

PARTS: Final[dict[str, tuple[int, ...]]] = {
    "week": (7,),
    "month": (30, 12),
    "day": (24,),
    "hour": (60,),
    "decade": (10,),
    "year": (12, 365),
    "century": (100,),
}
"""By what a difference is divided to convert it to a span of time."""


def chains_of(article: ReadArticle, target: Target) -> Iterator[Proposal]:
    """Sums of three, differences one off, differences in another span of time, and percentage changes."""
    if not 0 < target.value < LARGEST:
        return
    yield from _one_off(article, target)
    yield from _spans(article, target)
    if target.place.percent:
        yield from _changes(article, target)
    if target.decimals == 0 and not target.place.letter:
        yield from _sums(article, target)


def _differences(article: ReadArticle, low: float, high: float) -> list[int]:
    pairs, operands = pairs_of(article), operands_of(article)
    rows = pairs.within(low, high)
    own = ~operands.constants[pairs.left[rows]] & ~operands.constants[pairs.right[rows]]
    alike = operands.kinds[pairs.left[rows]] == operands.kinds[pairs.right[rows]]
    years = operands.years[pairs.left[rows]] & operands.years[pairs.right[rows]]
    subtract = pairs.by(SUBTRACT, rows)
    return [int(row) for row in rows[subtract & own & (alike | years)]]


def _one_off(article: ReadArticle, target: Target) -> Iterator[Proposal]:
    for operator, wanted in ((SUBTRACT, target.value + 1), (ADD, target.value - 1)):
        for row in _differences(article, float(wanted), float(wanted)):
            expression = Call(operator, (built(article, row), Leaf("1")))
            yield target.proposal(expression, sources(article, row), operator.way, -7.0)


def _spans(article: ReadArticle, target: Target) -> Iterator[Proposal]:
    half = Fraction(1, 2 * 10**target.decimals)
    for part in PARTS.get(target.place.span, ()):
        low, high = (float((target.value + side) * part) for side in (-half, half))
        for row in _differences(article, low, high):
            result = exact_value(article, row) / part
            expression = Call(DIVIDE, (built(article, row), Leaf(str(part))))
            if result == target.value:
                yield target.proposal(expression, sources(article, row), "other", -6.0)
            elif round_half(result, target.decimals) == target.value:
                rounded = Call(ROUND, (expression, Leaf(str(target.decimals))))
                yield target.proposal(rounded, sources(article, row), "round", -6.0)


def _changes(article: ReadArticle, target: Target) -> Iterator[Proposal]:
    pairs, operands = pairs_of(article), operands_of(article)
    rows = np.array(_differences(article, 0.0, float("inf")), dtype=np.int64)
    half = 0.5 / 10**target.decimals + CLOSE
    for side in (pairs.right, pairs.left):
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = 100 * pairs.values[rows] / operands.values[side[rows]]
        for row in rows[np.abs(shares - float(target.value)) <= half].tolist():
            base = operands.expressions[side[row]]
            share = exact_value(article, row) / operands.exact[side[row]] * 100
            expression = Call(MULTIPLY, (Call(DIVIDE, (built(article, row), base)), Leaf("100")))
            used = (*sources(article, row), int(operands.rows[side[row]]))
            if share == target.value:
                yield target.proposal(expression, used, "other", -6.0)
            else:
                yield target.proposal(
                    Call(ROUND, (expression, Leaf(str(target.decimals)))), used, "round", -6.0
                )


def _sums(article: ReadArticle, target: Target) -> Iterator[Proposal]:
    operands = operands_of(article)
    rows: IntArray = np.flatnonzero(operands.counts & ~operands.dateline & (operands.values > 0))[
        :MOST_SUMMANDS
    ]
    values, places = operands.values[rows], operands.sentences[rows]
    ordered = np.arange(len(rows))
    pairs = values[:, None] + values
    hits = np.abs(pairs[:, :, None] + values - float(target.value)) < CLOSE * max(1.0, float(target.value))
    hits &= (ordered[:, None] < ordered)[:, :, None] & (ordered[:, None] < ordered)[None]
    hits &= (places[None, None, :] - places[:, None, None]) <= NEAR
    for cell in np.argwhere(hits).tolist():
        first, second, third = (int(rows[place]) for place in cell)
        leaves = [operands.expressions[row] for row in (first, second, third)]
        inner = Call(ADD, (leaves[0], leaves[1]))
        used = tuple(int(operands.rows[row]) for row in (first, second, third))
        apart = int(operands.sentences[third] - operands.sentences[first])
        yield target.proposal(Call(ADD, (inner, leaves[2])), used, "add", -7.0 - 0.5 * apart)
