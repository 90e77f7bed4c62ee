"""Why an expression gives another number than its headline has, as far as the two numbers show it."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Final

from core.numerals.expressions.execute import execute
from core.numerals.expressions.leaves import amount_of
from core.numerals.expressions.tree import Call
from core.numerals.operators import ROUND, cut

_POWERS: Final = (-3, -2, -1, 1, 2, 3)


class Fault(StrEnum):
    """Why an annotation does not give its gold number."""

    UNREADABLE = "does not parse"
    NO_VALUE = "has no value"
    HALF_UP = "a tie that was rounded up"
    DROPPED = "digits dropped, but written as Round"
    UNROUNDED = "rounded, but written without Round"
    MAGNITUDE = "a magnitude too many or too few"
    OTHER = "another number"


def fault_of(expression: Call, value: Fraction | None, gold: str) -> Fault:
    """The fault of an expression whose value is not the gold number.

    Args:
        expression: It has the value.
        value: What it amounts to; None where it has no value.
        gold: The number of the headline.
    """
    amount = amount_of(gold)
    if value is None:
        return Fault.NO_VALUE
    if amount is None:
        return Fault.OTHER
    wanted = amount.value
    if expression.operator is ROUND:
        fault = _of_rounding(execute(expression.arguments[0]), wanted, len(gold.partition(".")[2]))
        if fault is not None:
            return fault
    if wanted == 0:
        return Fault.OTHER  # every number is 0 to the last digit of "0" that is none
    if any(value == wanted * Fraction(1_000) ** power for power in _POWERS):
        return Fault.MAGNITUDE
    return Fault.UNROUNDED if wanted in _rounded(value, gold) else Fault.OTHER


def _of_rounding(before: Fraction, wanted: Fraction, decimals: int) -> Fault | None:
    scaled = before * 10**decimals
    if scaled.denominator > 1 and cut(before, decimals) == wanted:
        return Fault.DROPPED
    tie = scaled.denominator == 2  # halves alone have this denominator
    return Fault.HALF_UP if tie and wanted * 10**decimals == scaled + Fraction(1, 2) else None


def _rounded(value: Fraction, gold: str) -> set[Fraction]:
    """A value rounded and cut to the last digit of the gold number that is no zero at its end."""
    whole, _, decimals = gold.replace(",", "").partition(".")
    places = len(decimals) or len(whole.rstrip("0")) - len(whole)
    return {round(value, places), cut(value, places)}
