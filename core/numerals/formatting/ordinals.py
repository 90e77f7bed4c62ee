"""Ordinals: "22nd", "twenty-second", "22-й", "двадцать второй", "22º", "ventiduesimo"."""

from __future__ import annotations

from typing import Final

from core.errors import InputError
from core.numerals.formatting.digits import digits_of
from core.numerals.formatting.words import words_of

MOST: Final = 999
"""The largest ordinal that is written in words."""

_ENGLISH: Final = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_RUSSIAN: Final = {
    "один": "первый", "два": "второй", "три": "третий", "четыре": "четвертый", "шесть": "шестой",
    "семь": "седьмой", "восемь": "восьмой", "сорок": "сороковой", "пятьдесят": "пятидесятый",
    "шестьдесят": "шестидесятый", "семьдесят": "семидесятый", "восемьдесят": "восьмидесятый",
    "девяносто": "девяностый", "сто": "сотый", "двести": "двухсотый", "триста": "трехсотый",
    "четыреста": "четырехсотый", "пятьсот": "пятисотый", "шестьсот": "шестисотый", "семьсот": "семисотый",
    "восемьсот": "восьмисотый", "девятьсот": "девятисотый",
}  # fmt: skip
_ITALIAN: Final = (
    "primo",
    "secondo",
    "terzo",
    "quarto",
    "quinto",
    "sesto",
    "settimo",
    "ottavo",
    "nono",
    "decimo",
)


def ordinal_of(value: int, *, language: str = "en", words: bool = False) -> str:
    """An ordinal in digits or words, in Russian and Italian in the masculine.

    Args:
        value: From 1 on, in words to `MOST`.
        language: "en", "ru" or "it".
        words: Whether to write words.

    Raises:
        InputError: The value is outside of that.
    """
    if value < 1 or (words and value > MOST):
        raise InputError(
            f"{value} is not written as an ordinal.", hint=f"Give a number from 1 to {MOST} for words."
        )
    if words:
        return _WRITERS[language](value)
    written = digits_of(value, language=language)
    if language == "en":
        teen = 10 <= value % 100 < 20
        return written + ("th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th"))
    return f"{written}-й" if language == "ru" else f"{written}º"


def _english(value: int) -> str:
    cardinal = words_of(value)
    place = max(cardinal.rfind(" "), cardinal.rfind("-")) + 1
    last = cardinal[place:]
    ordinal = _ENGLISH.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return cardinal[:place] + ordinal


def _russian(value: int) -> str:
    head, _, last = words_of(value, language="ru").rpartition(" ")
    ordinal = _RUSSIAN.get(last) or f"{last[:-1]}ый"
    return f"{head} {ordinal}" if head else ordinal


def _italian(value: int) -> str:
    if value <= 10:
        return _ITALIAN[value - 1]
    cardinal = words_of(value, language="it").replace("é", "e")
    return f"{cardinal if cardinal.endswith(('tre', 'sei')) else cardinal[:-1]}esimo"


_WRITERS: Final = {"en": _english, "ru": _russian, "it": _italian}
