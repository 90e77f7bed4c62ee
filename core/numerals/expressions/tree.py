"""Operator expressions as trees, and as NumHG writes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.numerals.operators import SETTINGS, Operator


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
        operator: See `core.numerals.operators`.
        arguments: As many as the operator takes, leaves or calls.
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


def used_leaves(
    expression: Expression, under: Operator | None = None
) -> Iterator[tuple[str, Operator | None]]:
    """Texts of the leaves that come from the article, left to right, each with the operator it stands under.

    Units and digits to keep are none of them. A leaf alone stands under no operator.
    """
    if isinstance(expression, Leaf):
        yield expression.text, under
        return
    for argument, takes in zip(expression.arguments, expression.operator.takes, strict=False):
        if takes not in SETTINGS:
            yield from used_leaves(argument, expression.operator)


def print_expression(expression: Expression) -> str:
    """An expression as NumHG writes it: "Round( Paraphrase( 968 , K ) , 0 )"; a leaf as it is.

    `parse_expression` reads it back where brackets in a `Span` come in pairs and other leaves have none.
    """
    if isinstance(expression, Leaf):
        return expression.text
    return f"{expression.operator}( {' , '.join(map(print_expression, expression.arguments))} )"
