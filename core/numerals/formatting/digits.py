"""Values in digits, with the separators of a language."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from core.errors import InputError

THOUSANDS: Final = {"en": ",", "ru": "\u00a0", "it": "."}
DECIMAL: Final = {"en": ".", "ru": ",", "it": ","}
_MOST_DECIMALS: Final = 12


def digits_of(
    value: Fraction | int, *, language: str = "en", decimals: int | None = None, grouped: bool = True
) -> str:
    """A value in digits: "1,234.5", "1 234,5" with a no-break space, "1.234,5".

    Args:
        value: Not negative.
        language: "en", "ru" or "it".
        decimals: Digits after the decimal sign; a value that has more is rounded half up. None writes as
            many as it needs.
        grouped: Whether to part thousands, in Italian and Russian from five digits on.

    Raises:
        InputError: The value is negative, or needs more than 12 decimals.
    """
    if value < 0:
        raise InputError("A numeral has no sign.", hint="Give a value of 0 or more.")
    exact = Fraction(value)
    places = _needed(exact) if decimals is None else decimals
    scaled = int(exact * 10**places + Fraction(1, 2))
    whole, rest = divmod(scaled, 10**places)
    written = str(whole)
    if grouped and len(written) > (3 if language == "en" else 4):
        written = f"{whole:,}".replace(",", THOUSANDS[language])
    return f"{written}{DECIMAL[language]}{rest:0{places}d}" if places else written


def _needed(value: Fraction) -> int:
    """How many decimals a value needs."""
    for places in range(_MOST_DECIMALS + 1):
        if 10**places % value.denominator == 0:
            return places
    raise InputError(
        f"{value} cannot be written in {_MOST_DECIMALS} decimals.",
        hint="Say to how many decimals to round it.",
    )
