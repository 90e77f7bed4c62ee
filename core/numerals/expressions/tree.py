"""Operator expressions as trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Operator(StrEnum):
    """The operators of NumHG (its table 2), and SRound as its data has it."""

    COPY = "Copy"
    TRANS = "Trans"
    PARAPHRASE = "Paraphrase"
    ROUND = "Round"
    SROUND = "SRound"
    SUBTRACT = "Subtract"
    ADD = "Add"
    SPAN = "Span"
    DIVIDE = "Divide"
    MULTIPLY = "Multiply"


ARITHMETIC: Final = frozenset({Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY, Operator.DIVIDE})
"""Operators over two numbers."""

TEXTUAL: Final = frozenset({Operator.COPY, Operator.TRANS, Operator.SPAN})
"""Operators over a text of the article, which hold no calls."""

ARITY: Final = {operator: 1 if operator in TEXTUAL else 2 for operator in Operator}
"""How many arguments each operator has."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """What stands in brackets: a number as written, a word, a span of the article, a unit such as K.

    Attributes:
        text: As written, no space at its ends.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """An operator over its arguments.

    Attributes:
        operator: See `Operator`.
        arguments: One or two, leaves or calls.
    """

    operator: Operator
    arguments: tuple[Expression, ...]


Expression = Call | Leaf


def calls_of(expression: Expression) -> Iterator[Call]:
    """All calls, outermost first, left to right."""
    if isinstance(expression, Call):
        yield expression
        for argument in expression.arguments:
            yield from calls_of(argument)


def depth_of(expression: Expression) -> int:
    """Calls inside each other: 0 for a leaf, 1 for `Copy( 2 )`."""
    if isinstance(expression, Leaf):
        return 0
    return 1 + max(map(depth_of, expression.arguments), default=0)


def operator_of(expression: Expression) -> Operator | None:
    """The operator that an expression is filed under in the tables: the outermost one; None for a leaf."""
    return expression.operator if isinstance(expression, Call) else None
