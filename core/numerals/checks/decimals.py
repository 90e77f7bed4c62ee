"""Values as plain decimals, for programs."""

from __future__ import annotations

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from typing import Final

DIGITS: Final = 12
"""Significant digits of a value whose decimals do not end."""


def plain_decimal(value: Fraction) -> str:
    """A value without an exponent: "1300", "3.5", "0.333333333333".

    Exact where its decimals end, however many there are; else to `DIGITS` significant digits.
    """
    twos, fives, rest = 0, 0, value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    with localcontext() as context:
        context.Emax, context.Emin = MAX_EMAX, MIN_EMIN
        if rest == 1:
            context.prec = MAX_PREC
            places = max(twos, fives)
            # Decimal, because Python itself refuses to print thousands of digits.
            return f"{Decimal(value.numerator * (10**places // value.denominator)).scaleb(-places):f}"
        context.prec = DIGITS
        return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
