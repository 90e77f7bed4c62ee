"""How a number that was worked out is written into a headline."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

MOST_DECIMALS: Final = 2
"""NumHG's headlines keep no more digits after the decimal sign."""

_GROUPS: Final = {"en": ",", "ru": " ", "it": "."}
_SIGNS: Final = {"en": ".", "ru": ",", "it": ","}


def written(value: Fraction, language: str = "en", *, grouped: bool = True) -> str:
    """A number as a headline has it: "7", "1.5", "1,300"; "" where it needs more decimals than two.

    Args:
        value: At least 0.
        language: ISO 639-1; "ru" writes 1 300 and 1,5, "it" 1.300 and 1,5, all others as English.
        grouped: Whether thousands are set apart; years are not.
    """
    decimals = next((d for d in range(MOST_DECIMALS + 1) if (value * 10**d).denominator == 1), None)
    if decimals is None:
        return ""
    whole, part = divmod(int(value * 10**decimals), 10**decimals)
    # Russian sets thousands apart from five digits on.
    apart = grouped and whole >= (10_000 if language == "ru" else 1_000)
    text = f"{whole:,}".replace(",", _GROUPS.get(language, ",")) if apart else str(whole)
    return f"{text}{_SIGNS.get(language, '.')}{part:0{decimals}}" if decimals else text
