"""The automatic validation of NumHG: does an expression give the number, from what the article has?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Final

from core.numerals.expressions.errors import MOST_DIGITS, ExpressionError, shown
from core.numerals.expressions.execute import execute, number_of
from core.numerals.expressions.leaves import amount_of
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.printing import print_value
from core.numerals.expressions.tree import Call, Expression, Leaf, used_leaves
from core.numerals.operators import COPY, Operator, Takes
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

_UNANSWERABLE: Final = re.compile(r"\s*unanswerable\b", re.IGNORECASE)
_AROUND_REASON: Final = " \t\n:;(),.–—-"


class Presence(StrEnum):
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
        presence: See `Presence`.
    """

    text: str
    operator: Operator
    presence: Presence


_MISSING: Final = {
    Presence.ABSENT: "The article does not have {}.",
    Presence.INSIDE: "The article has {} only inside a longer number or word.",
}


class Cause(StrEnum):
    """Why an annotation is not accepted."""

    UNREADABLE = "does not parse"
    NO_VALUE = "has no value"
    OTHER_RESULT = "gives another number"
    ABSENT = "uses what the article lacks"
    NO_REASON = "is unanswerable without a reason"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an annotation.

    Attributes:
        cause: See `Cause`.
        sentence: What is wrong, for a reader.
    """

    cause: Cause
    sentence: str


@dataclass(frozen=True, slots=True)
class Validation:
    """What the validation of one annotation found.

    Attributes:
        value: What the expression amounts to; None where it has no value.
        problems: What is wrong with it; () for an annotation that is accepted.
        operands: What it uses, and where that is; the article lacks those with `Presence.CONSTANT`, which are
            no problem.
        unanswerable: Why the number cannot be derived; "" for an expression.
    """

    value: Fraction | None
    problems: tuple[Problem, ...]
    operands: tuple[Operand, ...] = ()
    unanswerable: str = ""

    @property
    def reproduces(self) -> bool:
        """Whether the expression gives the gold number, wherever its operands come from."""
        return not self.unanswerable and all(problem.cause is Cause.ABSENT for problem in self.problems)

    @property
    def constants(self) -> tuple[str, ...]:
        """The numbers it uses that the article lacks and arithmetic may use all the same."""
        return tuple(operand.text for operand in self.operands if operand.presence is Presence.CONSTANT)


def validate(expression: Expression, article: str, gold: str) -> Validation:
    """Compares an expression with its article and the gold number.

    The rules are those of section 3.1 of the NumHG paper: the result is the gold number, and all numbers
    and spans that are used stand in the article. A number may stand there in another form ("140,000" for
    140000), and arithmetic may use a constant (`CONSTANTS`), as the paper's `Round(v0, c)` does. A `Copy` of
    what is no single number ("50-50") gives its text.

    Args:
        expression: See `parse_expression`.
        article: The whole article.
        gold: The number as the headline has it: "1,300", "02", "9/11".
    """
    operands = operands_of(expression, article)
    problems = [
        Problem(Cause.ABSENT, _MISSING[operand.presence].format(shown(operand.text)))
        for operand in operands
        if operand.presence in _MISSING
    ]
    value: Fraction | None = None
    try:
        value = execute(expression)
    except ExpressionError as error:
        if not _copies(expression, gold):
            problems.insert(0, Problem(Cause.NO_VALUE, error.message))
    else:
        if value != _gold_value(gold):
            sentence = f"The expression gives {print_value(value)}, and the headline has {shown(gold)}."
            problems.insert(0, Problem(Cause.OTHER_RESULT, sentence))
    return Validation(value, tuple(problems), operands)


def validate_annotation(annotation: str, article: str, gold: str) -> Validation:
    """The same for an annotation as a text: an expression, or "unanswerable" with the reason.

    The paper has annotators give a reason where the number cannot be had from the article ("Unanswerable:
    the article gives no age"); the rows that were published hold none of these.
    """
    declined = _UNANSWERABLE.match(annotation)
    if declined is not None:
        reason = annotation[declined.end() :].strip(_AROUND_REASON)
        missing = Problem(
            Cause.NO_REASON, "The annotation says that there is no answer, and does not say why."
        )
        return Validation(None, () if reason else (missing,), unanswerable=reason)
    try:
        expression = parse_expression(annotation)
    except ExpressionError as error:
        return Validation(None, (Problem(Cause.UNREADABLE, error.message),))
    return validate(expression, article, gold)


def _copies(expression: Expression, gold: str) -> bool:
    """Whether it is a `Copy` of the very text that the headline has."""
    if not isinstance(expression, Call) or expression.operator is not COPY:
        return False
    return expression.arguments == (Leaf(gold.strip()),)


def _gold_value(gold: str) -> Fraction | None:
    try:
        amount = amount_of(gold)
    except ExpressionError:
        return None
    return None if amount is None else amount.value


def operands_of(expression: Expression, article: str) -> tuple[Operand, ...]:
    """The operands of an expression from left to right; () for a leaf alone."""
    searched = _Searched(article)
    return tuple(
        Operand(text, operator, searched.presence(text, operator))
        for text, operator in used_leaves(expression)
        if operator is not None
    )


class _Searched:
    """An article in which operands are looked for."""

    def __init__(self, article: str) -> None:
        self._article = article

    def presence(self, text: str, operator: Operator) -> Presence:
        if self._has(text):
            return Presence.WRITTEN
        value = _value(text, operator)
        if value is not None and value in self._values:
            return Presence.VALUE
        if value in CONSTANTS and operator.combines:
            return Presence.CONSTANT
        return Presence.INSIDE if _plain(text) in self._folded else Presence.ABSENT

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
    takes = operator.takes[0]
    try:
        return (
            None
            if takes is Takes.THINGS
            else number_of(text, Takes.WORDS if takes is Takes.WORDS else Takes.NUMBER)
        )
    except ExpressionError:
        return None
