"""What an expression amounts to, in exact arithmetic."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from core.numerals.expressions.errors import (
    MOST_CALLS_DEEP,
    MOST_DECIMALS,
    MOST_DIGITS,
    ExpressionError,
    shown,
)
from core.numerals.expressions.leaves import amount_of, count_things, value_of_words
from core.numerals.expressions.tree import Expression, Leaf
from core.numerals.operators import TEXTS, UNITS, Operator, Takes

_LARGEST: Final = 10**MOST_DIGITS
_DECIMALS: Final = re.compile(r"[0-9]{1,9}")


def execute(expression: Expression, *, language: str = "en") -> Fraction:
    """The value of an expression, exact.

    A leaf is read as its operator takes it: a number in digits, words (`value_of_words`), things to count
    (`count_things`). A percentage is its number (5 of "5%"), and its hundredth where it is multiplied or
    divided.
    """
    return _value(expression, 0, language)


def _value(expression: Expression, depth: int, language: str) -> Fraction:
    if isinstance(expression, Leaf):
        return number_of(expression.text, language=language)
    if depth == MOST_CALLS_DEEP:
        raise ExpressionError(f"The expression has more than {MOST_CALLS_DEEP} calls inside each other.")
    operator, arguments = expression.operator, expression.arguments
    if len(arguments) != operator.arity:
        raise ExpressionError(f"{operator} has {len(arguments)} arguments and needs {operator.arity}.")
    values = [
        _argument(operator, takes, argument, depth, language)
        for takes, argument in zip(operator.takes, arguments, strict=True)
    ]
    try:
        value: Fraction = operator.execute(*values)
    except ZeroDivisionError:
        raise ExpressionError("The expression divides by zero.") from None
    if abs(value.numerator) >= _LARGEST or value.denominator >= _LARGEST:
        raise ExpressionError(f"A result has more than {MOST_DIGITS:,} digits.")
    return value


def _argument(
    operator: Operator, takes: Takes, argument: Expression, depth: int, language: str
) -> Fraction | int:
    if takes is Takes.UNIT:
        return _unit(operator, argument)
    if takes is Takes.DECIMALS:
        return _decimals(operator, argument)
    if not isinstance(argument, Leaf):
        if takes in TEXTS:
            raise ExpressionError(
                f"{operator} holds {argument.operator} where a text of the article belongs."
            )
        return _value(argument, depth + 1, language)
    return number_of(argument.text, takes, language=language)


def number_of(text: str, takes: Takes = Takes.NUMBER, *, language: str = "en") -> Fraction:
    """The number that a leaf is."""
    if takes is Takes.WORDS:
        return value_of_words(text, language=language)
    if takes is Takes.THINGS:
        return count_things(text)
    amount = amount_of(text, language=language)
    if amount is None:
        raise ExpressionError(f"{shown(text)} is not a number.")
    return amount.share if takes is Takes.SHARE else amount.value


def _unit(operator: Operator, argument: Expression) -> int:
    text = _setting(argument)
    if text.upper() not in UNITS:
        raise ExpressionError(f"{operator} has the unit {shown(text)}, which is none of {', '.join(UNITS)}.")
    return UNITS[text.upper()][0]


def _decimals(operator: Operator, argument: Expression) -> int:
    text = _setting(argument)
    if not _DECIMALS.fullmatch(text) or int(text) > MOST_DECIMALS:
        raise ExpressionError(
            f"{operator} keeps {shown(text)} digits after the point, which is not a number from 0 to"
            f" {MOST_DECIMALS}."
        )
    return int(text)


def _setting(argument: Expression) -> str:
    return argument.text if isinstance(argument, Leaf) else argument.operator.name
