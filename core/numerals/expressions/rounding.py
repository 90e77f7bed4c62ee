"""The two roundings of NumHG, found out from its rows."""

from __future__ import annotations

import math
from fractions import Fraction


def round_half(value: Fraction, decimals: int) -> Fraction:
    """The nearest number with so many decimals; what lies halfway goes as in Python's `round`.

    Halfway means the decimal number. The nearest binary number of 64 bits decides: below it, above it, or
    exactly there, and then the even digit: 102.5 → 102, 187.5 → 188, 3.55 → 3.5, 4.655 → 4.66. All ties of
    NumHG's rows go so (`docs/numeral_expressions.md`), where rounding half up would miss two in three. A
    number past the range of 64 bits goes to the even digit.
    """
    scale = Fraction(10) ** decimals
    scaled = value * scale
    if scaled.denominator != 2:
        return round(value, decimals)
    try:
        held = Fraction(float(value))
    except OverflowError:
        held = value
    if held == value:
        return round(value, decimals)
    return (math.floor(scaled) if held < value else math.ceil(scaled)) / scale


def cut(value: Fraction, decimals: int) -> Fraction:
    """The number with its further decimals dropped, towards zero: 5.29 → 5.2."""
    scale = Fraction(10) ** decimals
    return math.trunc(value * scale) / scale
