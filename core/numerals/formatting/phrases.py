"""Numerals with what stands around them: percentages, money, magnitudes, ranges, dates, hours, ages."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from core.errors import InputError
from core.numerals.formatting.digits import digits_of
from core.numerals.formatting.words import russian_form, words_of
from core.text.tokens import word_list

MAGNITUDES: Final = {
    "en": {10**3: "thousand", 10**6: "million", 10**9: "billion", 10**12: "trillion"},
    "ru": {10**3: "тыс.", 10**6: "млн", 10**9: "млрд", 10**12: "трлн"},
    "it": {10**3: "mila", 10**6: "milioni", 10**9: "miliardi", 10**12: "trilioni"},
}
"""How a magnitude is written after digits."""

CURRENCIES: Final = {
    "en": {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹"},
    "ru": {"RUB": "рублей", "USD": "долларов", "EUR": "евро", "CNY": "юаней"},
    "it": {"EUR": "euro", "USD": "dollari", "GBP": "sterline", "RUB": "rubli"},
}
"""Signs before an English sum, words after a Russian or Italian one."""

MONTHS: Final = {
    "en": word_list("January February March April May June July August September October November December"),
    "ru": word_list("января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
    "it": word_list("""gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre
        dicembre"""),
}
_BETWEEN: Final = {"en": ("between", "and"), "ru": ("от", "до"), "it": ("tra", "e")}
_PARTS: Final = {
    "en": {2: ("half", "halves"), 3: ("third", "thirds"), 4: ("quarter", "quarters"), 5: ("fifth", "fifths"),
           8: ("eighth", "eighths"), 10: ("tenth", "tenths")},
    "ru": {3: ("треть", "трети"), 4: ("четверть", "четверти"), 5: ("пятая", "пятых"),
           10: ("десятая", "десятых")},
    "it": {3: ("terzo", "terzi"), 4: ("quarto", "quarti"), 5: ("quinto", "quinti"), 10: ("decimo", "decimi")},
}  # fmt: skip


def scaled_of(amount: Fraction | int, factor: int, *, language: str = "en") -> str:
    """Digits with a magnitude: "3.2 million", "3,2 млн", "3,2 milioni"; a factor of 1 writes digits alone.

    Raises:
        InputError: There is no word for the factor.
    """
    written = digits_of(amount, language=language)
    if factor == 1:
        return written
    name = MAGNITUDES[language].get(factor)
    if name is None:
        raise InputError(
            f"There is no word for {factor:,}.", hint="Give a thousand, million, billion or trillion."
        )
    return f"{written} {name}"


def money_of(amount: Fraction | int, currency: str, *, language: str = "en", factor: int = 1) -> str:
    """A sum of money: "$3.2 million", "3,2 млн долларов", "3,2 milioni di dollari".

    Raises:
        InputError: The language has no word for the currency here.
    """
    name = CURRENCIES[language].get(currency)
    if name is None:
        raise InputError(
            f"The currency {currency!r} is not written.",
            hint=f"Give one of {', '.join(CURRENCIES[language])}.",
        )
    written = scaled_of(amount, factor, language=language)
    if language == "en":
        return f"{name}{written}"
    return f"{written} di {name}" if language == "it" and factor >= 10**6 else f"{written} {name}"


def percent_of(amount: Fraction | int, *, language: str = "en") -> str:
    """A percentage: "12.5%", "12,5%"."""
    return f"{digits_of(amount, language=language)}%"


def fraction_of(top: int, below: int, *, language: str = "en", words: bool = False) -> str:
    """A fraction: "2/3", "two-thirds", "две трети", "due terzi".

    Raises:
        InputError: There is no word for the parts, or they are none.
    """
    if below < 1 or top < 1:
        raise InputError("A fraction needs parts.", hint="Give two numbers from 1 on.")
    if not words:
        return f"{top}/{below}"
    names = _PARTS[language].get(below)
    if names is None:
        raise InputError(f"There is no word for parts of {below}.", hint="Write it in digits.")
    count = words_of(top, language=language)
    if language == "ru":
        count = {"один": "одна", "два": "две"}.get(count, count)
        return f"{count} {names[top > 1]}"
    if language == "it":
        return f"{'un' if top == 1 else count} {names[top > 1]}"
    return f"{count}-{names[top > 1]}"


def range_of(low: Fraction | int, high: Fraction | int, *, language: str = "en") -> str:
    """A range: "between 5 and 7", "от 5 до 7", "tra 5 e 7"."""
    first, second = _BETWEEN[language]
    return f"{first} {digits_of(low, language=language)} {second} {digits_of(high, language=language)}"


def clock_of(hour: int, minute: int) -> str:
    """Hours and minutes: "15:05".

    Raises:
        InputError: There is no such time of day.
    """
    if not (0 <= hour < 24 and 0 <= minute < 60):
        raise InputError(f"{hour}:{minute} is no time of day.", hint="Give hours 0–23 and minutes 0–59.")
    return f"{hour}:{minute:02d}"


def date_of(day: int, month: int, year: int, *, language: str = "en") -> str:
    """A day: "September 25, 2016", "25 сентября 2016 года", "25 settembre 2016"; the month counts from 1."""
    name = MONTHS[language][month - 1]
    if language == "en":
        return f"{name} {day}, {year}"
    return f"{day} {name} {year} года" if language == "ru" else f"{day} {name} {year}"


def age_of(years: int, *, language: str = "en") -> str:
    """An age before a person: "35-year-old", "35-летний", or after one in Italian: "35enne"."""
    return f"{years}" + {"en": "-year-old", "ru": "-летний", "it": "enne"}[language]


def years_of(years: int, *, language: str = "en") -> str:
    """A span of years in digits: "5 years", "5 лет", "5 anni"."""
    if language == "ru":
        return f"{years} {russian_form(years, ('год', 'года', 'лет'))}"
    one, many = {"en": ("year", "years"), "it": ("anno", "anni")}[language]
    return f"{years} {one if years == 1 else many}"
