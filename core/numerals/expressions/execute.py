"""What an expression amounts to, in exact arithmetic."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from core.numerals.expressions.amounts import amount_of
from core.numerals.expressions.bounds import MOST_CALLS_DEEP, MOST_DECIMALS, MOST_DIGITS
from core.numerals.expressions.errors import ExpressionError, shown
from core.numerals.expressions.rounding import cut, round_half
from core.numerals.expressions.spans import count_things
from core.numerals.expressions.tree import ARITY, Expression, Leaf, Operator
from core.numerals.expressions.words import value_of_words

UNITS: Final = {"K": Fraction(1_000), "M": Fraction(10**6), "B": Fraction(10**9), "T": Fraction(10**12)}
"""What `Paraphrase` writes a number in; NumHG has K and M, headlines also have B and T."""

_LARGEST: Final = 10**MOST_DIGITS
_DECIMALS: Final = re.compile(r"[0-9]{1,9}")
_SHARED: Final = frozenset({Operator.MULTIPLY, Operator.DIVIDE})  # operators to which 95% is 0.95


def execute(expression: Expression, *, language: str = "en") -> Fraction:
    """The value of an expression, exact.

    `Copy` takes a number in digits, `Trans` words (`value_of_words`), `Span` things to count
    (`count_things`); `Paraphrase` divides by a unit; `Round` is `round_half`, `SRound` is `cut`. A percentage
    is its number (5 of "5%"), and its hundredth where it is multiplied or divided.

    Args:
        expression: See `parse_expression`.
        language: That its numbers and words are written in: "en", "ru" or "it".

    Raises:
        ExpressionError: It has no value (division by zero, words that are no number, a unit that is not
            known), or is beyond `core.numerals.expressions.bounds`.
    """
    return _value(expression, 0, language)


def _value(expression: Expression, depth: int, language: str) -> Fraction:
    if isinstance(expression, Leaf):
        return _number(expression, language)
    if depth == MOST_CALLS_DEEP:
        raise ExpressionError(f"The expression has more than {MOST_CALLS_DEEP} calls inside each other.")
    operator, arguments = expression.operator, expression.arguments
    if len(arguments) != ARITY[operator]:
        raise ExpressionError(f"{operator} has {len(arguments)} arguments and needs {ARITY[operator]}.")
    if len(arguments) == 1:
        return _of_text(operator, arguments[0], language)
    first = _operand(operator, arguments[0], depth, language)
    if operator in (Operator.ROUND, Operator.SROUND):
        return _rounded(operator, first, arguments[1])
    if operator is Operator.PARAPHRASE:
        return first / _unit(arguments[1])
    return _bounded(_arithmetic(operator, first, _operand(operator, arguments[1], depth, language)))


def _operand(operator: Operator, argument: Expression, depth: int, language: str) -> Fraction:
    if isinstance(argument, Leaf) and operator in _SHARED:
        amount = amount_of(argument.text, language=language)
        if amount is not None:
            return amount.share
    return _value(argument, depth + 1, language)


def _number(leaf: Leaf, language: str) -> Fraction:
    amount = amount_of(leaf.text, language=language)
    if amount is None:
        raise ExpressionError(f"{shown(leaf.text)} is not a number.")
    return amount.value


def _of_text(operator: Operator, argument: Expression, language: str) -> Fraction:
    if not isinstance(argument, Leaf):
        raise ExpressionError(f"{operator} holds {argument.operator} where a text of the article belongs.")
    if operator is Operator.COPY:
        return _number(argument, language)
    if operator is Operator.TRANS:
        return value_of_words(argument.text, language=language)
    return count_things(argument.text)


def _arithmetic(operator: Operator, first: Fraction, second: Fraction) -> Fraction:
    if operator is Operator.ADD:
        return first + second
    if operator is Operator.SUBTRACT:
        return first - second
    if operator is Operator.MULTIPLY:
        return first * second
    if second == 0:
        raise ExpressionError("The expression divides by zero.")
    return first / second


def _rounded(operator: Operator, value: Fraction, argument: Expression) -> Fraction:
    text = argument.text if isinstance(argument, Leaf) else argument.operator
    if not _DECIMALS.fullmatch(text) or int(text) > MOST_DECIMALS:
        raise ExpressionError(
            f"{operator} keeps {shown(text)} digits after the point, which is not a number from 0 to"
            f" {MOST_DECIMALS}."
        )
    return (round_half if operator is Operator.ROUND else cut)(value, int(text))


def _unit(argument: Expression) -> Fraction:
    text = argument.text if isinstance(argument, Leaf) else argument.operator
    unit = UNITS.get(text.upper())
    if unit is None:
        raise ExpressionError(f"Paraphrase has the unit {shown(text)}, which is none of {', '.join(UNITS)}.")
    return unit


def _bounded(value: Fraction) -> Fraction:
    if abs(value.numerator) >= _LARGEST or value.denominator >= _LARGEST:
        raise ExpressionError(f"A result has more than {MOST_DIGITS:,} digits.")
    return value
