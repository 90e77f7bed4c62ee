"""What an expression uses, and whether the article has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Final

from core.numerals.expressions.amounts import amount_of
from core.numerals.expressions.bounds import MOST_DIGITS
from core.numerals.expressions.errors import ExpressionError
from core.numerals.expressions.tree import ARITHMETIC, Expression, Leaf, Operator
from core.numerals.expressions.words import value_of_words
from core.text.numerals.read import read_numerals

CONSTANTS: Final = {
    Fraction(0): "nothing",
    Fraction(1): "one more or one less",
    Fraction(7): "days in a week",
    Fraction(10): "tens, years in a decade",
    Fraction(12): "a dozen, months in a year",
    Fraction(24): "hours in a day",
    Fraction(30): "days in a month",
    Fraction(31): "days in a month",
    Fraction(52): "weeks in a year",
    Fraction(60): "minutes in an hour",
    Fraction(100): "per cent, years in a century",
    Fraction(365): "days in a year",
    Fraction(1_000): "thousands",
    Fraction(1_900): "first year of a century",
    Fraction(2_000): "first year of a century",
    Fraction(10**6): "millions",
    Fraction(10**9): "billions",
}
"""Numbers that arithmetic may use without the article, and what they stand for."""

_DIGIT_FIRST: Final = re.compile(r"\.?[0-9]")
_NUMBER: Final = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?")


class Place(StrEnum):
    """Where an operand is.

    `WRITTEN`: in the article, character for character (upper and lower case alike). `VALUE`: the article has
    the same number in another form ("140,000" for 140000, "two" for 2). `CONSTANT`: one of `CONSTANTS` in
    arithmetic, which the article lacks. `INSIDE`: only within a longer number or word ("50" in 50.65, "two"
    in "network"), as NumHG's own program took for present. `ABSENT`: none of these.
    """

    WRITTEN = "written"
    VALUE = "value"
    CONSTANT = "constant"
    INSIDE = "inside"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Operand:
    """A number, word or span that an expression uses; units and digits to keep are none.

    Attributes:
        text: As in the expression.
        operator: The operator it stands under.
        place: See `Place`.
    """

    text: str
    operator: Operator
    place: Place


def operands_of(expression: Expression, article: str) -> tuple[Operand, ...]:
    """The operands of an expression from left to right; () for a leaf alone."""
    searched = _Searched(article)
    return tuple(
        Operand(text, operator, searched.place(text, operator)) for text, operator in _used(expression)
    )


def _used(expression: Expression) -> Iterator[tuple[str, Operator]]:
    if isinstance(expression, Leaf):
        return
    operator = expression.operator
    both = operator in ARITHMETIC
    for argument in expression.arguments if both else expression.arguments[:1]:
        if isinstance(argument, Leaf):
            yield argument.text, operator
        else:
            yield from _used(argument)


class _Searched:
    """An article in which operands are looked for."""

    def __init__(self, article: str) -> None:
        self._article = article

    def place(self, text: str, operator: Operator) -> Place:
        if self._has(text):
            return Place.WRITTEN
        value = _value(text, operator)
        if value is not None and value in self._values:
            return Place.VALUE
        if value in CONSTANTS and operator in ARITHMETIC:
            return Place.CONSTANT
        return Place.INSIDE if _plain(text) in self._folded else Place.ABSENT

    def _has(self, text: str) -> bool:
        sought = re.escape(_plain(text))
        if _DIGIT_FIRST.match(text):
            sought = rf"(?<![0-9])(?<![0-9][.,]){sought}(?![0-9])(?![.,][0-9])"
        else:
            sought = rf"(?<!\w){sought}(?!\w)"
        return re.search(sought, self._folded) is not None

    @cached_property
    def _folded(self) -> str:
        return _plain(self._article)

    @cached_property
    def _values(self) -> frozenset[Fraction]:
        """Values of the article's numerals, whole and without their magnitude."""
        read = read_numerals(self._article, language="en")
        written = (found.replace(",", "") for found in _NUMBER.findall(self._article))
        digits = (Fraction(number) for number in written if len(number) <= MOST_DIGITS)
        return frozenset(digits).union(*({numeral.value, numeral.amount} for numeral in read))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _value(text: str, operator: Operator) -> Fraction | None:
    """The number that an operand is; None for a span, and where it is none."""
    if operator is Operator.SPAN:
        return None
    try:
        amount = amount_of(text)
        if amount is not None:
            return amount.value
        return value_of_words(text) if operator is Operator.TRANS else None
    except ExpressionError:
        return None
