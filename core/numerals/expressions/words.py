"""Words as numbers: what `Trans` turns into digits."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from core.numerals.expressions.amounts import amount_of
from core.numerals.expressions.errors import ExpressionError, shown
from core.text.numerals.numeral import Numeral
from core.text.numerals.read import read_numerals
from core.text.numerals.roman import ROMAN, roman_value

_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_DATE: Final = re.compile(
    rf"(?P<month>{'|'.join(_MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
    r"(?:\s+(?P<day>[1-9][0-9]?)(?:st|nd|rd|th)?)?",
    re.IGNORECASE,
)
_FORMS: Final = {"half-century": "half a century", "half century": "half a century"}
_ALONE: Final = {
    "top": 1,
    "decade": 10,
    "decades": 10,
    "century": 100,
    "millennium": 1_000,
    "thirds": 3,
    "fourths": 4,
    "quarters": 4,
    "fifths": 5,
    "sixths": 6,
    "sevenths": 7,
    "eighths": 8,
    "ninths": 9,
    "tenths": 10,
}
_ONE: Final = re.compile(r"(?:a|an|one|the)\s+(?:year|month|week|day|hour|minute|second)", re.IGNORECASE)
_INDEFINITE: Final = re.compile(r"(?:a|an|another|the)\b", re.IGNORECASE)
_DAYS: Final = 7  # in a week: NumHG's "eight weeks" are divided by 30 for months


def value_of_words(text: str, *, language: str = "en") -> Fraction:
    """The number that words say, as `Trans` has it.

    Numbers of all kinds that `read_numerals` reads ("seven", "two dozen", "half a million", "third",
    "one-quarter", "trio"), and Roman ones; spans of time in years ("two decades" 20) or, of weeks, in days
    ("eight weeks" 56), and "a year" 1; the place of a month in the year ("September" 9), with its day as
    month/day ("Sept. 11" 9/11); "top" 1.

    Args:
        text: The words.
        language: "en", "ru" or "it"; months, "top" and the like are read in English.

    Raises:
        ExpressionError: They say no number, or several.
    """
    return _value_of_words(" ".join(text.split()), language)


@lru_cache(maxsize=4096)
def _value_of_words(text: str, language: str) -> Fraction:
    amount = amount_of(text, language=language)
    if amount is not None:
        return amount.value
    alone = _value_alone(text)
    if alone is not None:
        return alone
    numerals = read_numerals(_FORMS.get(text.lower(), text), language=language)
    if len(numerals) == 1:
        return _in_days(numerals[0])
    if numerals:
        raise ExpressionError(f"{shown(text)} says more than one number.")
    if _ONE.fullmatch(text):
        return Fraction(1)
    raise ExpressionError(f"{shown(text)} says no number.")


def _value_alone(text: str) -> Fraction | None:
    """What a text says that is a numeral only where nothing stands beside it."""
    if text.lower() in _ALONE:
        return Fraction(_ALONE[text.lower()])
    date = _DATE.fullmatch(text)
    if date is not None:
        return Fraction(_place_in_year(date["month"].lower()), int(date["day"] or 1))
    return Fraction(roman_value(text)) if text and ROMAN.fullmatch(text) else None


def leading_count(thing: str) -> Fraction:
    """The number that a thing begins with ("two men" 2); 1 where it begins with none."""
    if _INDEFINITE.match(thing):
        return Fraction(1)
    return next((n.value for n in read_numerals(thing, language="en")[:1] if n.start == 0), Fraction(1))


def _place_in_year(month: str) -> int:
    return next(place for place, name in enumerate(_MONTHS, 1) if name.startswith(month[:3]))


def _in_days(numeral: Numeral) -> Fraction:
    return numeral.value * _DAYS if numeral.unit == "week" else numeral.value
