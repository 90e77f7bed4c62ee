"""Whole numbers in words: "two hundred forty-five", "двести сорок пять", "duecentoquarantacinque"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.errors import InputError
from core.text.tokens import word_list

MOST: Final = 10**12 - 1
"""The largest number that is written in words."""

_ENGLISH: Final = word_list(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
)
_ENGLISH_TENS: Final = word_list("twenty thirty forty fifty sixty seventy eighty ninety")
_RUSSIAN: Final = word_list(
    """ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать
    четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать"""
)
_RUSSIAN_TENS: Final = word_list(
    "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто"
)
_RUSSIAN_HUNDREDS: Final = word_list(
    "сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот"
)
_RUSSIAN_SCALES: Final = (
    (10**9, ("миллиард", "миллиарда", "миллиардов")),
    (10**6, ("миллион", "миллиона", "миллионов")),
    (10**3, ("тысяча", "тысячи", "тысяч")),
)
_ITALIAN: Final = word_list(
    """zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici
    sedici diciassette diciotto diciannove"""
)
_ITALIAN_TENS: Final = word_list("venti trenta quaranta cinquanta sessanta settanta ottanta novanta")


def words_of(value: int, *, language: str = "en") -> str:
    """A whole number in words, in Russian in the masculine nominative.

    Args:
        value: 0 to `MOST`.
        language: "en", "ru" or "it".

    Raises:
        InputError: The value is outside of that.
    """
    if not 0 <= value <= MOST:
        raise InputError(f"{value} is not written in words.", hint=f"Give a number from 0 to {MOST:,}.")
    return _WRITERS[language](value)


def russian_form(value: int, forms: tuple[str, str, str]) -> str:
    """The form of a Russian noun that a number asks for: (рубль, рубля, рублей)."""
    if value % 10 == 1 and value % 100 != 11:
        return forms[0]
    return forms[1] if value % 10 in (2, 3, 4) and value % 100 not in (12, 13, 14) else forms[2]


def _english(value: int) -> str:
    if value < 20:
        return _ENGLISH[value]
    if value < 100:
        tens, unit = _ENGLISH_TENS[value // 10 - 2], value % 10
        return f"{tens}-{_ENGLISH[unit]}" if unit else tens
    for size, name in ((10**9, "billion"), (10**6, "million"), (1_000, "thousand"), (100, "hundred")):
        if value >= size:
            rest = value % size
            return f"{_english(value // size)} {name}" + (f" {_english(rest)}" if rest else "")
    return ""


def _russian(value: int) -> str:
    if value == 0:
        return _RUSSIAN[0]
    found: list[str] = []
    for size, forms in _RUSSIAN_SCALES:
        count, value = divmod(value, size)
        if count:
            found += [*_russian_below_thousand(count, feminine=size == 1_000), russian_form(count, forms)]
    return " ".join([*found, *_russian_below_thousand(value, feminine=False)])


def _russian_below_thousand(value: int, *, feminine: bool) -> list[str]:
    found: list[str] = []
    if value >= 100:
        found.append(_RUSSIAN_HUNDREDS[value // 100 - 1])
    value %= 100
    if value >= 20:
        found.append(_RUSSIAN_TENS[value // 10 - 2])
        value %= 10
    if value:
        found.append({1: "одна", 2: "две"}.get(value, _RUSSIAN[value]) if feminine else _RUSSIAN[value])
    return found


def _italian(value: int) -> str:
    if value < 1_000_000:
        return _italian_together(value)
    for size, one, many in ((10**9, "un miliardo", "miliardi"), (10**6, "un milione", "milioni")):
        if value >= size:
            count, rest = divmod(value, size)
            head = one if count == 1 else f"{_italian_together(count)} {many}"
            return f"{head} {_italian(rest)}" if rest else head
    return ""


def _italian_together(value: int) -> str:
    """A number below a million, written as one word."""
    if value < 20:
        return _ITALIAN[value]
    if value < 100:
        tens, unit = _ITALIAN_TENS[value // 10 - 2], value % 10
        if unit == 3:
            return f"{tens}tré"
        return (tens[:-1] if unit in (1, 8) else tens) + (_ITALIAN[unit] if unit else "")
    if value < 1_000:
        head = "cento" if value < 200 else f"{_ITALIAN[value // 100]}cento"
        rest = value % 100
        return (head[:-1] if rest // 10 == 8 or rest == 8 else head) + _below(rest)
    thousands, rest = divmod(value, 1_000)
    head = "mille" if thousands == 1 else f"{_italian_together(thousands).replace('é', 'e')}mila"
    return head + _below(rest)


def _below(rest: int) -> str:
    """The end of a longer word: "tré" has its accent there too."""
    if not rest:
        return ""
    return "tré" if rest == 3 else _italian_together(rest)


_WRITERS: Final[dict[str, Callable[[int], str]]] = {"en": _english, "ru": _russian, "it": _italian}
