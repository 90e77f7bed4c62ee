"""Headlines with one number made wrong, as a newsroom gets it wrong: four kinds, drawn with a seed.

The rest of the headline stays as it is, but for an English ordinal's ending. Some slips land by chance on
another number of the article, so that a perfect judge stays below an AUC of 1.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from core.numerals.question import NumeralQuestion
from core.text.numerals.numeral import Numeral, NumeralKind


class Corruption(StrEnum):
    """How a number is made wrong.

    `DIGIT`: one digit becomes another. `MAGNITUDE`: ten, a hundred or a thousand times as much or as little,
    or the next magnitude (K, M, B; million, billion) in place of the one that stands there. `SCALE`: the next
    magnitude alone. `UNIT`: another unit or currency.
    """

    DIGIT = "digit"
    MAGNITUDE = "magnitude"
    SCALE = "million for billion"
    UNIT = "unit"


_NUMBER: Final = re.compile(r"\d+(?:[.,'\u00a0\u202f ]\d+)*", re.ASCII)
_ENDING: Final = re.compile(r"(st|nd|rd|th)(?![a-z])", re.IGNORECASE)
_MAGNITUDE: Final = re.compile(r"(\s*-?)([^\W\d_]+)")
_LADDERS: Final = (
    ("K", "M", "B", "T"),
    ("k", "m", "bn", "tn"),
    ("k", "mn", "bn"),
    ("k", "mln", "bln"),
    ("k", "mil", "bil"),
    ("k", "m", "b"),
    ("thousand", "million", "billion", "trillion"),
    ("mila", "milioni", "miliardi"),
    ("mila", "mln", "mld"),
    ("milione", "miliardo"),
    ("тыс", "млн", "млрд", "трлн"),
    *(
        tuple(f"{stem}{end}" for stem in ("миллион", "миллиард", "триллион"))
        for end in ("", "а", "ов", "у", "ам", "ами", "ом", "ах", "ы", "е")
    ),
)
"""Magnitudes taken for their neighbours; the first ladder that has a word in its spelling counts."""
_OWN_LADDERS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = MappingProxyType(
    {
        "de": (
            ("Tsd", "Mio", "Mrd"),
            ("Million", "Milliarde", "Billion"),
            ("Millionen", "Milliarden", "Billionen"),
        ),
        "fr": (
            ("k", "M", "Md"),
            ("mille", "millions", "milliards"),
            ("million", "milliard", "billion"),
        ),
    }
)
"""The same of languages that have words in common with English; they count before the others."""
_SIGNS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"en": (",", "."), "it": (".", ","), "ru": (" ", ","), "de": (".", ","), "fr": ("\u202f", ",")}
)
"""Sign between thousands and decimal sign of a language."""
_BROKEN: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE})
"""Kinds of which a whole number may become a broken one: nobody writes of 0.7 gunmen."""
_MOST_DECIMALS: Final = 2
_MOST_DIGITS: Final = 6
"""Digits before the decimal sign at most, unless the headline's number has more: headlines write 3.2 billion
otherwise than in ten digits."""
_POWERS: Final = (1, 2, 3)
_UNIT: Final = re.compile(r"([\s-]*(?:[MKB]\b[\s-]*|million\s+|billion\s+)?)([A-Za-z]+)")


def _exchanges(pairs: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for pair in pairs.split():
        one, other = pair.split("/")
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found


_CURRENCIES: Final = _exchanges("$/€ $/£ €/£ $/¥")
_UNITS: Final = _exchanges("""
    pound/kilo pounds/kilos lb/kg mile/kilometer miles/kilometers mi/km mph/kph foot/meter feet/meters ft/m
    inch/centimeter inches/centimeters acre/hectare acres/hectares yard/mile yards/miles
    year/month years/months month/week months/weeks week/day weeks/days day/hour days/hours
    hour/minute hours/minutes minute/second minutes/seconds gallon/liter gallons/liters ton/pound tons/pounds
    ounce/gram ounces/grams dollar/euro dollars/euros decade/century decades/centuries
""")
"""Units that are taken for each other, before the number and after it."""


def corrupt(question: NumeralQuestion, how: Corruption, seed: int) -> str | None:
    """The headline with a wrong number at the question's place, where it still begins at `question.start`.

    The draw depends on the headline, the place, the kind of corruption and the seed alone.
    """
    numeral = question.numeral
    if numeral is None:
        return None
    draw = random.Random(f"{seed}|{how}|{question.start}|{question.headline}")  # noqa: S311 - not for secrets
    if how is Corruption.DIGIT:
        return _digit(question, numeral, draw)
    if how is Corruption.UNIT:
        wrong = list(_other_units(question, numeral))
    else:
        wrong = _other_magnitudes(question, numeral)
    if how is Corruption.MAGNITUDE:
        wrong += _powers(question, numeral)
    return draw.choice(wrong) if wrong else None


def _digit(question: NumeralQuestion, numeral: Numeral, draw: random.Random) -> str | None:
    number = question.headline[question.start : question.end]
    places = [place for place, sign in enumerate(number) if sign in "0123456789"]
    if not places or (not numeral.amount and "/" in number):  # 0/5 is as much as 0/6
        return None
    place = draw.choice(places)
    others = [sign for sign in "0123456789" if sign != number[place] and (place != places[0] or sign != "0")]
    return _replaced(question, number[:place] + draw.choice(others) + number[place + 1 :])


def _powers(question: NumeralQuestion, numeral: Numeral) -> list[str]:
    number = question.headline[question.start : question.end]
    if not _NUMBER.fullmatch(number) or not numeral.amount:
        return []
    powers = [Fraction(10) ** (sign * power) for power in _POWERS for sign in (1, -1)]
    signs = _signs(number, numeral, question.article.language)
    scaled = (_written(numeral.amount * power, numeral, signs, number) for power in powers)
    return [_replaced(question, text) for text in scaled if text is not None]


def _other_magnitudes(question: NumeralQuestion, numeral: Numeral) -> list[str]:
    """The headline with the neighbours of the magnitude after the number; [] where none stands there."""
    headline = question.headline
    found = _MAGNITUDE.match(headline, question.end)
    if numeral.factor == 1 or found is None or found.end() > numeral.end:
        return []
    word = found[2]
    ladders = (*_OWN_LADDERS.get(question.article.language, ()), *_LADDERS)
    plain = word if any(word in ladder for ladder in ladders) else word.lower()
    ladder = next((ladder for ladder in ladders if plain in ladder), None)
    if ladder is None:
        return []
    rung = ladder.index(plain)
    beside = [ladder[at] for at in (rung - 1, rung + 1) if 0 <= at < len(ladder)]
    return [f"{headline[: found.start(2)]}{like(other, word)}{headline[found.end() :]}" for other in beside]


def _other_units(question: NumeralQuestion, numeral: Numeral) -> Iterator[str]:
    headline = question.headline
    if numeral.kind is NumeralKind.MONEY and question.start:
        for other in _CURRENCIES.get(headline[question.start - 1], ()):
            yield f"{headline[: question.start - 1]}{other}{headline[question.start :]}"
    found = _UNIT.match(headline, question.end)
    if found is not None:
        for other in _UNITS.get(found[2].lower(), ()):
            yield f"{headline[: found.start(2)]}{like(other, found[2])}{headline[found.end() :]}"


def _signs(number: str, numeral: Numeral, language: str) -> tuple[str, str]:
    group, decimal = _SIGNS.get(language, _SIGNS["en"])
    whole = number
    if numeral.decimals:
        decimal = number[-numeral.decimals - 1]
        whole = number[: -numeral.decimals - 1]
    signs = [sign for sign in whole if not sign.isdigit()]
    if signs:
        group = signs[0]
    elif len(whole) > 3:  # a year, or a house that writes 1300
        group = ""
    return "" if group == decimal else group, decimal


def _written(value: Fraction, numeral: Numeral, signs: tuple[str, str], number: str) -> str | None:
    broken = numeral.decimals or numeral.factor != 1 or numeral.kind in _BROKEN
    most = max(_MOST_DECIMALS, numeral.decimals) if broken else 0
    decimals = next((n for n in range(most + 1) if (value * 10**n).denominator == 1), None)
    if decimals is None or value <= 0:
        return None
    digits = f"{int(value * 10**decimals):0{decimals + 1}d}"
    whole, rest = (digits[:-decimals], digits[-decimals:]) if decimals else (digits, "")
    if len(whole) > max(_MOST_DIGITS, sum(map(str.isdigit, number))):
        return None
    group, decimal = signs
    return f"{int(whole):,}".replace(",", group) + (decimal + rest if rest else "")


def _replaced(question: NumeralQuestion, text: str) -> str:
    after = question.headline[question.end :]
    ending = _ENDING.match(after)
    if ending and text[-1].isdigit():
        after = like(ordinal_ending(text), ending[0]) + after[ending.end() :]
    return f"{question.headline[: question.start]}{text}{after}"


def ordinal_ending(number: str) -> str:
    """What stands behind an English ordinal: "st" for 21."""
    return "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1:], "th")


def like(word: str, model: str) -> str:
    """A word with the capitals of another: all, the first, or its own."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word.capitalize() if len(model) > 1 and model[0].isupper() else word
