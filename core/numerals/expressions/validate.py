"""The automatic validation of NumHG: does an expression give the number, from what the article has?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from core.numerals.expressions.amounts import amount_of
from core.numerals.expressions.errors import ExpressionError, shown
from core.numerals.expressions.execute import execute
from core.numerals.expressions.operands import Operand, Place, operands_of
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.printing import print_value
from core.numerals.expressions.tree import Call, Expression, Leaf, Operator

_UNANSWERABLE: Final = re.compile(r"\s*unanswerable\b", re.IGNORECASE)
_MISSING: Final = {
    Place.ABSENT: "The article does not have {}.",
    Place.INSIDE: "The article has {} only inside a longer number or word.",
}
_AROUND_REASON: Final = " \t\n:;(),.–—-"


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
        operands: What it uses, and where that is; the article lacks those with `Place.CONSTANT`, which are
            no problem.
        unanswerable: The reason why nobody can say the number; "" for an expression.
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
        return tuple(operand.text for operand in self.operands if operand.place is Place.CONSTANT)


def validate(expression: Expression, article: str, gold: str) -> Validation:
    """Holds an expression against its article and the gold number.

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
        Problem(Cause.ABSENT, _MISSING[operand.place].format(shown(operand.text)))
        for operand in operands
        if operand.place in _MISSING
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
    if not isinstance(expression, Call) or expression.operator is not Operator.COPY:
        return False
    return expression.arguments == (Leaf(gold.strip()),)


def _gold_value(gold: str) -> Fraction | None:
    try:
        amount = amount_of(gold)
    except ExpressionError:
        return None
    return None if amount is None else amount.value
