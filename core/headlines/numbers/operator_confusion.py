"""People's operators against those of the likeliest derivations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.headlines.numbers.scored import NO_OPERATOR
from core.numerals.expressions.errors import ExpressionError
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.tree import operator_of
from core.numerals.operators import OPERATORS
from core.numerals.provenance import CheckedHeadline, CheckedNumeral

ROWS: Final = tuple(OPERATORS)
COLUMNS: Final = (*ROWS, NO_OPERATOR)


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Both operators of each headline that they can be compared on.

    Attributes:
        gold: Row of the people's operator in `ROWS`, int64 [n]; -1 where nothing is compared.
        found: Column of the derivation's in `COLUMNS`, int64 [n]; -1 where nothing is compared.
        without_number: Annotated headlines that lack the gold number or hold it more than once.
        not_read: Annotations that are no expression.
    """

    gold: npt.NDArray[np.int64]
    found: npt.NDArray[np.int64]
    without_number: int
    not_read: int

    def counts(self) -> tuple[tuple[int, ...], ...]:
        """How many headlines, by row and column."""
        both = np.zeros((len(ROWS), len(COLUMNS)), dtype=np.int64)
        known = self.gold >= 0
        np.add.at(both, (self.gold[known], self.found[known]), 1)
        return tuple(tuple(map(int, line)) for line in both)


def gold_operator(annotation: str) -> str:
    """Outermost operator of an annotation; "" where it is no expression."""
    try:
        operator = operator_of(parse_expression(annotation))
    except ExpressionError:
        return ""
    return operator.name if operator is not None else ""


def operator_found(one: CheckedNumeral) -> str:
    """Outermost operator of the likeliest derivation of a numeral; `NO_OPERATOR` where it has none."""
    if not one.derivations:
        return NO_OPERATOR
    operator = operator_of(one.derivations[0].candidate.expression)
    return operator.name if operator is not None else NO_OPERATOR


def compare_operators(
    checked: Sequence[CheckedHeadline], numbers: Sequence[str], annotations: Sequence[str]
) -> Compared:
    """Lays people's operators beside ours, headline by headline.

    A headline takes part where its annotation is an expression and exactly one of its numerals has the gold
    number as its bare number, sign for sign.
    """
    gold, found = np.full((2, len(checked)), -1, dtype=np.int64)
    without_number = not_read = 0
    for row, (one, number, annotation) in enumerate(zip(checked, numbers, annotations, strict=True)):
        if not number.strip() or not annotation.strip():
            continue
        operator = gold_operator(annotation)
        if not operator:
            not_read += 1
            continue
        same = [each for each in one.numerals if each.numeral.number == number.strip()]
        if len(same) != 1:
            without_number += 1
            continue
        gold[row], found[row] = ROWS.index(operator), COLUMNS.index(operator_found(same[0]))
    return Compared(gold, found, without_number, not_read)
