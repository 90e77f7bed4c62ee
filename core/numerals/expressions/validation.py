"""Whether an annotation is right: its operands in the article, its value the gold number."""

import re
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from core.numerals.expressions import leaves, printing
from core.numerals.expressions.expression import Call, Expression, execute, used_leaves
from core.numerals.operators import COPY, Operator, Takes
from core.text.numerals.read import read_numerals

CONSTANTS: Final = frozenset(
    (0, 1, 7, 10, 12, 24, 30, 31, 52, 60, 100, 365, 1_000, 1_900, 2_000, 10**6, 10**9)
)
"""Numbers that arithmetic may use without the article: units of time, per cent, first years of a century."""
_DIGIT_FIRST: Final = re.compile(r"\.?[0-9]")
_NUMBER: Final = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?")


class Presence(StrEnum):
    WRITTEN = "written"  # in the article, character for character (upper and lower case alike)
    VALUE = "value"  # the article has the number in another form ("140,000" for 140000, "two" for 2)
    CONSTANT = "constant"  # one of `CONSTANTS` in arithmetic, which the article lacks
    # only within a longer number or word ("50" in 50.65, "two" in "network"), as NumHG's own program took for
    # present
    INSIDE = "inside"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Operand:
    """A number, word or span that an expression uses; units and digits to keep are none."""

    text: str  # as in the expression
    operator: Operator  # the operator it stands under
    presence: Presence


_MISSING: Final = {
    Presence.ABSENT: "The article does not have {}.",
    Presence.INSIDE: "The article has {} only inside a longer number or word.",
}


@dataclass(frozen=True, slots=True)
class Validation:
    value: Fraction | None  # what the expression amounts to; None where it has no value
    reproduces: bool  # whether it gives the gold number, wherever its operands come from
    operands: tuple[Operand, ...]  # what it uses, from left to right, and where that is
    problems: tuple[str, ...]  # what is wrong with it, a sentence each; () for one that is accepted


def validate(expression: Expression, article: str, gold: str) -> Validation:
    """Compares an expression with its article and the gold number, by section 3.1 of the NumHG paper.

    A number may stand in the article in another form, and arithmetic may use one of `CONSTANTS`. A `Copy` of
    what is no single number ("50-50") gives its text.
    """
    folded, values = _plain(article), _values_in(article)

    def presence(text: str, operator: Operator) -> Presence:
        apart = (r"(?<![0-9])(?<![0-9][.,])", r"(?![0-9])(?![.,][0-9])")
        before, behind = apart if _DIGIT_FIRST.match(text) else (r"(?<!\w)", r"(?!\w)")
        if re.search(f"{before}{re.escape(_plain(text))}{behind}", folded):
            return Presence.WRITTEN
        value = _number(text, operator.takes[0])
        if value is not None and value in values:
            return Presence.VALUE
        if value in CONSTANTS and operator.combines:
            return Presence.CONSTANT
        return Presence.INSIDE if _plain(text) in folded else Presence.ABSENT

    used = ((text, of) for text, of in used_leaves(expression) if of is not None)
    operands = tuple(Operand(text, operator, presence(text, operator)) for text, operator in used)
    absent = (operand for operand in operands if operand.presence in _MISSING)
    missing = [_MISSING[operand.presence].format(leaves.shown(operand.text)) for operand in absent]
    value, wrong = None, ""
    try:
        value = execute(expression)
    except leaves.ExpressionError as error:
        copies = isinstance(expression, Call) and expression.operator is COPY
        as_given = copies and printing.print_expression(expression) == f"Copy( {gold.strip()} )"
        wrong = "" if as_given else error.message
    else:
        if value != _number(gold, Takes.NUMBER):
            given = printing.print_value(value)
            wrong = f"The expression gives {given}, and the headline has {leaves.shown(gold)}."
    return Validation(value, not wrong, operands, tuple(filter(None, (wrong, *missing))))


def _values_in(article: str) -> frozenset[Fraction]:
    read = read_numerals(article, language="en")
    written = (figure.replace(",", "") for figure in _NUMBER.findall(article))
    digits = (Fraction(number) for number in written if len(number) <= leaves.MOST_DIGITS)
    return frozenset(digits).union(*({numeral.value, numeral.amount} for numeral in read))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _number(text: str, takes: Takes) -> Fraction | None:
    with suppress(leaves.ExpressionError):
        if takes is Takes.WORDS:
            return leaves.value_of_words(text)
        if takes is not Takes.THINGS and (amount := leaves.amount_of(text)) is not None:
            return amount.value
    return None
