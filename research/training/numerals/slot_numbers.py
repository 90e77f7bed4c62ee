"""Other numbers written into a headline's slot, in the form of the number that stands there."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random
from typing import Final

from core.text.numerals.numeral import Numeral, NumeralKind
from research.training.numerals.marked_text import MarkedText, like

_ENDING: Final = re.compile(r"(st|nd|rd|th)(?![a-z])", re.IGNORECASE)
_BROKEN: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE})
_UNROUNDED: Final = frozenset(
    {
        NumeralKind.YEAR,
        NumeralKind.DATE,
        NumeralKind.TIME,
        NumeralKind.NAME,
        NumeralKind.ORDINAL,
        NumeralKind.AGE,
    }
)
_MOST_DIGITS: Final = 6
_NEAR: Final = Fraction(8, 100)
"""A number rounded by more is another number."""


def written(value: Fraction, numeral: Numeral, *, year: bool = False) -> str | None:
    """A value as the bare number of a numeral's slot; None where it does not fit there."""
    bare = value / numeral.factor
    broken = numeral.decimals or numeral.factor != 1 or numeral.kind in _BROKEN
    decimals = next((n for n in range(3 if broken else 1) if (bare * 10**n).denominator == 1), None)
    if decimals is None or bare <= 0 or bare >= 10**_MOST_DIGITS:
        return None
    text = f"{float(bare):,.{decimals}f}"
    return text.replace(",", "") if year or numeral.kind is NumeralKind.YEAR else text


def in_slot(headline: MarkedText, numeral: Numeral, number: str) -> MarkedText:
    """The headline with another bare number, and the ending of an English ordinal that goes with it."""
    changed = headline.replaced(numeral.number_start, numeral.number_end, number)
    place = numeral.number_start + len(number)
    ending = _ENDING.match(changed.text, place)
    if ending and number[-1].isdigit():
        right = "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
        changed = changed.replaced(*ending.span(), like(right, ending[0]))
    return changed


def rounded(numeral: Numeral, draw: Random, *, up: bool) -> Fraction | None:
    """A rounder number a little above or below; None where there is none, or nobody rounds such numbers."""
    value = numeral.value
    if value < 20 or numeral.kind in _UNROUNDED:
        return None
    size = len(str(int(value)))
    found = []
    for digits in (1, 2):
        step = Fraction(10 ** (size - digits))
        below = value // step * step
        round_one = below + step if up else below
        if round_one != value and abs(round_one - value) <= _NEAR * value:
            found.append(round_one)
    return draw.choice(found) if found else None
