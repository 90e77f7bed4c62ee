"""Tables of what two operands give, and the cells that hit a number or a stretch of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from core.numerals.derivations.operands import (
    BoolArray,
    FloatArray,
    IntArray,
    Operands,
    operands_of,
)
from core.numerals.expressions.tree import Call, Expression
from core.numerals.operators import Operator, PairSearch, searched
from core.numerals.question import AT_ONCE, ReadArticle

CLOSE: Final = 1e-9
"""Relative error that float64 sums of numbers below `LARGEST` stay under."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """All p applications of an operator to two operands.

    Attributes:
        tried: The operators that were tried, t of them; see `core.numerals.operators.searched`.
        scalings: Which of them scale, bool [t].
        operators: Row in `tried`, int64 [p].
        left: First operand's row in `Operands`, int64 [p].
        right: Second operand's row, int64 [p].
        values: What each gives, float64 [p], ascending, all greater than 0.
        scaled: Whether one of the operands has a magnitude beyond its value, bool [p].
    """

    tried: tuple[Operator, ...]
    scalings: BoolArray
    operators: IntArray
    left: IntArray
    right: IntArray
    values: FloatArray
    scaled: BoolArray

    def by(self, operator: Operator, rows: IntArray | slice = slice(None)) -> BoolArray:
        """Which of some rows are of an operator, bool [m]."""
        return np.asarray(self.operators[rows] == self.tried.index(operator))

    def within(self, low: float, high: float) -> IntArray:
        """Rows whose value lies in [low, high], with the slack of float64."""
        slack = CLOSE * max(abs(low), abs(high), 1e-6)
        first, last = np.searchsorted(self.values, [low - slack, high + slack])
        return np.arange(first, last)


@lru_cache(maxsize=AT_ONCE)
def pairs_of(article: ReadArticle) -> Pairs:
    """The tables of an article; what may change places has its operands in the article's order."""
    operands, tried = operands_of(article), searched()
    values = operands.values
    with np.errstate(divide="ignore", invalid="ignore"):
        tables = [np.asarray(one.execute(values[:, None], values), dtype=np.float64) for one in tried]
    masks = [_cells(operands, operator, how) for operator, how in tried.items()]
    found = [
        np.nonzero(mask & np.isfinite(table) & (table > 0)) for mask, table in zip(masks, tables, strict=True)
    ]
    left, right = (np.concatenate([cells[side] for cells in found]) for side in (0, 1))
    results = np.concatenate([table[cells] for table, cells in zip(tables, found, strict=True)])
    operators = np.repeat(np.arange(len(tried)), [len(cells[0]) for cells in found])
    order = np.lexsort((right, left, operators, results))
    left, right = left[order], right[order]
    scaled = (operands.factors[left] != 1) | (operands.factors[right] != 1)
    scalings = np.array([how.scales for how in tried.values()], dtype=np.bool_)
    return Pairs(tuple(tried), scalings, operators[order], left, right, results[order], scaled)


def _cells(operands: Operands, operator: Operator, how: PairSearch) -> BoolArray:
    values, own = operands.values, ~operands.constants
    both = own[:, None] & own[None, :]
    # Of a dateline only the year is calculated with, and that only in sums and differences.
    usable = ~operands.dateline | (operands.years & (not how.scales))
    both &= usable[:, None] & usable[None, :]
    # Nothing is changed by adding 0, or by multiplying with 1 or dividing by it.
    nothing, single = values == 0, values == 1
    changes = ~(nothing[:, None] | nothing[None, :])
    if how.scales:
        changes &= ~single[None, :]
        if operator.any_order:
            changes &= ~single[:, None]
    else:  # millions are not added to plain numbers
        changes &= operands.factors[:, None] == operands.factors[None, :]
    places = np.arange(len(values))
    order = places[:, None] < places if operator.any_order else places[:, None] != places
    wanted = both | _beside(operands, how.second) | _beside(operands, how.first).T
    return np.asarray(order & changes & wanted)


def built(article: ReadArticle, pair: int) -> Expression:
    """The expression of a row of `pairs_of(article)`."""
    pairs, operands = pairs_of(article), operands_of(article)
    sides = (operands.expressions[pairs.left[pair]], operands.expressions[pairs.right[pair]])
    return Call(pairs.tried[pairs.operators[pair]], sides)


def sources(article: ReadArticle, pair: int) -> tuple[int, ...]:
    """Rows of the article's numerals that a row of `pairs_of(article)` uses."""
    pairs, operands = pairs_of(article), operands_of(article)
    rows = (int(operands.rows[pairs.left[pair]]), int(operands.rows[pairs.right[pair]]))
    return tuple(row for row in rows if row >= 0)


def _beside(operands: Operands, constants: frozenset[int]) -> BoolArray:
    own = ~operands.constants
    return np.asarray(own[:, None] & (~own & np.isin(operands.values, list(constants)))[None, :])


def exact_value(article: ReadArticle, pair: int) -> Fraction:
    """What a row of `pairs_of(article)` gives, without the error of float64."""
    pairs, operands = pairs_of(article), operands_of(article)
    left: Fraction = operands.exact[pairs.left[pair]]
    right: Fraction = operands.exact[pairs.right[pair]]
    result: Fraction = pairs.tried[pairs.operators[pair]].execute(left, right)
    return result
