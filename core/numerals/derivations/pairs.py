"""Tables of what two operands give, and the cells that hit a number or a stretch of numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import add, mul, sub, truediv
from typing import Final

import numpy as np

from core.numerals.derivations.operands import (
    CONSTANTS,
    BoolArray,
    FloatArray,
    IntArray,
    Operands,
    operands_of,
)
from core.numerals.expressions.tree import Call, Expression, Operator
from core.numerals.question import ReadArticle

PAIRED: Final = (Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY, Operator.DIVIDE)
"""Operators over two operands, in the order of the tables."""

ADDED: Final = frozenset({1, 2})
SUBTRACTED: Final = frozenset({1, 1900, 2000})
MULTIPLIED: Final = frozenset({2, 7, 10, 12, 24, 30, 60, 100, 365, 1000})
DIVIDED_INTO: Final = frozenset({1, 100})

CLOSE: Final = 1e-9
"""Relative error that float64 sums of numbers below `LARGEST` stay under."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """All p applications of an operator to two operands.

    Attributes:
        operators: Row in `PAIRED`, int64 [p].
        left: First operand's row in `Operands`, int64 [p].
        right: Second operand's row, int64 [p].
        values: What each gives, float64 [p], ascending, all greater than 0.
        scaled: Whether one of the operands has a magnitude beyond its value, bool [p].
    """

    operators: IntArray
    left: IntArray
    right: IntArray
    values: FloatArray
    scaled: BoolArray

    def within(self, low: float, high: float) -> IntArray:
        """Rows whose value lies in [low, high], with the slack of float64."""
        slack = CLOSE * max(abs(low), abs(high), 1e-6)
        first, last = np.searchsorted(self.values, [low - slack, high + slack])
        return np.arange(first, last)


@lru_cache(maxsize=8)
def pairs_of(article: ReadArticle) -> Pairs:
    """The tables of an article; sums and products have their operands in the article's order."""
    operands = operands_of(article)
    values = operands.values
    ordered = np.triu(np.ones((len(values), len(values)), dtype=np.bool_), 1)
    different = ~np.eye(len(values), dtype=np.bool_)
    own = ~operands.constants
    both = own[:, None] & own[None, :]
    # Of a dateline only the year is calculated with.
    usable = ~operands.dateline | operands.years
    both &= usable[:, None] & usable[None, :]
    body = ~(operands.dateline[:, None] | operands.dateline[None, :])
    # Nothing is changed by adding 0, or by multiplying with 1 or dividing by it.
    nothing, single = values == 0, values == 1
    changes = ~(nothing[:, None] | nothing[None, :])
    scales = changes & ~single[None, :]
    # Millions are not added to plain numbers.
    summable = changes & (operands.factors[:, None] == operands.factors[None, :])
    with np.errstate(divide="ignore", invalid="ignore"):
        tables = (
            values[:, None] + values,
            values[:, None] - values,
            values[:, None] * values,
            values[:, None] / values,
        )
    masks = (
        ordered & summable & (both | _with(operands, ADDED)),
        different & summable & (both | _with(operands, SUBTRACTED) | _from(operands, {100})),
        ordered & scales & ~single[:, None] & (both & body | _with(operands, MULTIPLIED)),
        different & scales & (both & body | _with(operands, MULTIPLIED) | _from(operands, DIVIDED_INTO)),
    )
    found = [
        np.nonzero(mask & np.isfinite(table) & (table > 0)) for mask, table in zip(masks, tables, strict=True)
    ]
    left, right = (np.concatenate([cells[side] for cells in found]) for side in (0, 1))
    results = np.concatenate([table[cells] for table, cells in zip(tables, found, strict=True)])
    operators = np.repeat(np.arange(len(PAIRED)), [len(cells[0]) for cells in found])
    order = np.lexsort((right, left, operators, results))
    left, right = left[order], right[order]
    scaled = (operands.factors[left] != 1) | (operands.factors[right] != 1)
    return Pairs(operators[order], left, right, results[order], scaled)


def built(article: ReadArticle, pair: int) -> Expression:
    """The expression of a row of `pairs_of(article)`."""
    pairs, operands = pairs_of(article), operands_of(article)
    sides = (operands.expressions[pairs.left[pair]], operands.expressions[pairs.right[pair]])
    return Call(PAIRED[pairs.operators[pair]], sides)


def sources(article: ReadArticle, pair: int) -> tuple[int, ...]:
    """Rows of the article's numerals that a row of `pairs_of(article)` uses."""
    pairs, operands = pairs_of(article), operands_of(article)
    rows = (int(operands.rows[pairs.left[pair]]), int(operands.rows[pairs.right[pair]]))
    return tuple(row for row in rows if row >= 0)


def _with(operands: Operands, constants: frozenset[int]) -> BoolArray:
    """Cells of the article's operands beside one of some constants, bool [k, k]."""
    own = ~operands.constants
    wanted = np.concatenate([np.zeros(own.sum(), bool), [one in constants for one in CONSTANTS]])
    return np.asarray(own[:, None] & wanted[None, :])


def _from(operands: Operands, constants: frozenset[int] | set[int]) -> BoolArray:
    return np.asarray(_with(operands, frozenset(constants)).T)


def exact_value(article: ReadArticle, pair: int) -> Fraction:
    """What a row of `pairs_of(article)` gives, without the error of float64."""
    pairs, operands = pairs_of(article), operands_of(article)
    left: Fraction = operands.exact[pairs.left[pair]]
    right: Fraction = operands.exact[pairs.right[pair]]
    given: tuple[Callable[[Fraction, Fraction], Fraction], ...] = (add, sub, mul, truediv)
    result: Fraction = given[pairs.operators[pair]](left, right)
    return result
