"""The tree of an expression, and its value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.numerals.expressions import leaves
from core.numerals.expressions.leaves import ExpressionError, shown
from core.numerals.operators import SETTINGS, TEXTS, UNITS, Operator, Takes

_LARGEST: Final = 10**leaves.MOST_DIGITS
_DECIMALS: Final = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Leaf:
    """What stands in brackets: a number as written, a word, a span of the article, a unit such as K."""

    text: str  # as written, no space at its ends


@dataclass(frozen=True, slots=True)
class Call:
    operator: Operator  # see `core.numerals.operators`
    arguments: tuple[Expression, ...]  # as many as the operator takes, leaves or calls


Expression = Call | Leaf


def calls_of(expression: Expression) -> Iterator[Call]:
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
    return expression.operator if isinstance(expression, Call) else None


def used_leaves(
    expression: Expression, under: Operator | None = None
) -> Iterator[tuple[str, Operator | None]]:
    """Texts of the leaves that come from the article, left to right, each with the operator above it."""
    if isinstance(expression, Leaf):
        yield expression.text, under
        return
    for argument, takes in zip(expression.arguments, expression.operator.takes, strict=False):
        if takes not in SETTINGS:
            yield from used_leaves(argument, expression.operator)


def execute(expression: Expression, *, language: str = "en", depth: int = 0) -> Fraction:
    """The value of an expression, exact; of a percentage its number, and its hundredth beside × and ÷."""
    if isinstance(expression, Leaf):
        return _value_of_leaf(expression.text, Takes.NUMBER, language)
    if depth == leaves.MOST_CALLS_DEEP:
        raise ExpressionError(leaves.TOO_DEEP)
    operator, arguments = expression.operator, expression.arguments
    if len(arguments) != operator.arity:
        raise ExpressionError(f"{operator} has {len(arguments)} arguments and needs {operator.arity}.")
    both = zip(operator.takes, arguments, strict=True)
    values = [_argument(operator, takes, argument, depth, language) for takes, argument in both]
    try:
        value: Fraction = operator.execute(*values)
    except ZeroDivisionError:
        raise ExpressionError("The expression divides by zero.") from None
    if abs(value.numerator) >= _LARGEST or value.denominator >= _LARGEST:
        raise ExpressionError(f"A result has more than {leaves.MOST_DIGITS:,} digits.")
    return value


def _argument(
    operator: Operator, takes: Takes, argument: Expression, depth: int, language: str
) -> Fraction | int:
    if takes in SETTINGS:
        text = argument.text if isinstance(argument, Leaf) else argument.operator.name
        if takes is Takes.UNIT and text.upper() in UNITS:
            return UNITS[text.upper()][0]
        if takes is Takes.UNIT:
            units = ", ".join(UNITS)
            raise ExpressionError(f"{operator} has the unit {shown(text)}, which is none of {units}.")
        if _DECIMALS.fullmatch(text) and int(text) <= leaves.MOST_DECIMALS:
            return int(text)
        most = leaves.MOST_DECIMALS
        kept = f"{shown(text)} digits after the point, which is not a number from 0 to {most}"
        raise ExpressionError(f"{operator} keeps {kept}.")
    if not isinstance(argument, Leaf):
        if takes in TEXTS:
            held = argument.operator
            raise ExpressionError(f"{operator} holds {held} where a text of the article belongs.")
        return execute(argument, language=language, depth=depth + 1)
    return _value_of_leaf(argument.text, takes, language)


def _value_of_leaf(text: str, takes: Takes, language: str) -> Fraction:
    if takes is Takes.WORDS:
        return leaves.value_of_words(text, language=language)
    if takes is Takes.THINGS:
        return leaves.count_things(text)
    amount = leaves.amount_of(text, language=language)
    if amount is None:
        raise ExpressionError(f"{shown(text)} is not a number.")
    return amount.share if takes is Takes.SHARE else amount.value
