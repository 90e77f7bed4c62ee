"""Which roundings lead from one number to another."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from core.numerals.expressions.rounding import cut, round_half
from core.numerals.expressions.tree import Operator

MOST_ZEROS: Final = 12
"""Zeros at the end of a whole number that may be due to rounding."""


def rounding_to(exact: Fraction, target: Fraction, decimals: int) -> tuple[Operator, int] | None:
    """How `exact` becomes `target`: the operator and the digits it keeps after the decimal sign.

    Round takes the nearest number (from the middle as `round_half`; up as well, as newsrooms do), SRound
    drops digits. Negative digits ("nearly 40" from 38.6) are tried up to the zeros that `target` ends with.

    Args:
        exact: What is rounded.
        target: What it must become.
        decimals: Digits after the decimal sign with which the target is written.

    Returns:
        None where no rounding leads there, or nothing has to be rounded.
    """
    if target in {exact, 0} or not target / 2 < exact < target * 2:
        return None
    for digits in _kept(target, decimals):
        if round_half(exact, digits) == target:
            return Operator.ROUND, digits
        if cut(exact, digits) == target:
            return Operator.SROUND, digits
        if (target - exact) * 2 == Fraction(10) ** -digits:
            return Operator.ROUND, digits
    return None


def _kept(target: Fraction, decimals: int) -> range:
    if decimals > 0 or target.denominator != 1:
        return range(decimals, decimals - 1, -1)
    zeros = 0
    whole = abs(target.numerator)
    while zeros < MOST_ZEROS and whole % 10 == 0:
        whole //= 10
        zeros += 1
    return range(0, -zeros - 1, -1)
