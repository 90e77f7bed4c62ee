"""Headlines with one number made wrong, as a newsroom gets it wrong: four kinds, drawn with a seed."""

import random
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from fractions import Fraction
from typing import Final

from core import files
from core.numerals.question import NumeralQuestion
from core.text.numerals.numeral import Numeral, NumeralKind

_NUMBER: Final = re.compile(r"\d+(?:[.,'\u00a0\u202f ]\d+)*", re.ASCII)
ENDING: Final = re.compile(r"(st|nd|rd|th)(?![a-z])", re.IGNORECASE)
_MAGNITUDE: Final = re.compile(r"(\s*-?)([^\W\d_]+)")
_GIVEN: Final = files.read_tables(__file__)
_LADDERS: Final[list[list[str]]] = [
    *map(str.split, _GIVEN["ladders"]["any"]),
    *(
        [f"{stem}{end}" for stem in ("миллион", "миллиард", "триллион")]
        for end in ("", "а", "ов", "у", "ам", "ами", "ом", "ах", "ы", "е")
    ),
]
BROKEN: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE})
"""Kinds of which a whole number may become a broken one: nobody writes of 0.7 gunmen."""
MOST_DIGITS: Final = 6  # before the decimal sign, unless the number has more: headlines write 3.2 billion
_UNIT: Final = re.compile(r"([\s-]*(?:[MKB]\b[\s-]*|million\s+|billion\s+)?)([A-Za-z]+)")


class Corruption(StrEnum):
    DIGIT = "digit"  # one digit becomes another
    MAGNITUDE = "magnitude"  # up to a thousand times as much or as little, or the next magnitude in its place
    SCALE = "million for billion"  # the next magnitude (K, M, B; million, billion) alone
    UNIT = "unit"  # another unit or currency


def _exchanges(pairs: Iterable[str]) -> dict[str, list[str]]:
    exchanges: dict[str, list[str]] = {}
    for word, other in (pair.split("/") for pair in pairs):
        exchanges.setdefault(word, []).append(other)
        exchanges.setdefault(other, []).append(word)
    return exchanges


_CURRENCIES: Final = _exchanges(_GIVEN["currencies"])
_UNITS: Final = _exchanges(_GIVEN["units"].split())


def corrupt(question: NumeralQuestion, how: Corruption, seed: int) -> str | None:
    """The headline with a wrong number at the question's place, where it still begins at `question.start`."""
    numeral = question.numeral
    if numeral is None:
        return None
    draw = random.Random(f"{seed}|{how}|{question.start}|{question.headline}")  # noqa: S311 - not for secrets
    if how is Corruption.DIGIT:
        return _digit(question, numeral, draw)
    unit = how is Corruption.UNIT
    wrong = [*_other_units(question, numeral)] if unit else _other_magnitudes(question, numeral)
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
    group, decimal = _GIVEN["signs"].get(question.article.language, _GIVEN["signs"]["en"])
    whole = number
    if numeral.decimals:
        whole, decimal = number[: -numeral.decimals - 1], number[-numeral.decimals - 1]
    # Four digits without a sign are a year, or of a house that writes 1300.
    group = next((sign for sign in whole if not sign.isdigit()), "" if len(whole) > 3 else group)
    broken = numeral.decimals or numeral.factor != 1 or numeral.kind in BROKEN
    most = max(2, numeral.decimals) if broken else 0
    longest = max(MOST_DIGITS, sum(map(str.isdigit, number)))
    wrong = []
    for power in (10, Fraction(1, 10), 100, Fraction(1, 100), 1000, Fraction(1, 1000)):
        value = numeral.amount * power
        decimals = next((n for n in range(most + 1) if (value * 10**n).denominator == 1), None)
        if decimals is None or value <= 0 or len(str(int(value))) > longest:
            continue
        text = f"{int(value):,}".replace(",", "" if group == decimal else group)
        if decimals:
            text += f"{decimal}{int(value % 1 * 10**decimals):0{decimals}d}"
        wrong.append(_replaced(question, text))
    return wrong


def _other_magnitudes(question: NumeralQuestion, numeral: Numeral) -> list[str]:
    headline = question.headline
    match = _MAGNITUDE.match(headline, question.end)
    if numeral.factor == 1 or match is None or match.end() > numeral.end:
        return []
    word = match[2]
    own = _GIVEN["ladders"].get(question.article.language, ())
    ladders = [*map(str.split, own), *_LADDERS]
    plain = word if any(word in ladder for ladder in ladders) else word.lower()
    ladder = next((ladder for ladder in ladders if plain in ladder), [plain])
    rung = ladder.index(plain)
    beside = [*ladder[:rung][-1:], *ladder[rung + 1 : rung + 2]]
    return [f"{headline[: match.start(2)]}{like(other, word)}{headline[match.end() :]}" for other in beside]


def _other_units(question: NumeralQuestion, numeral: Numeral) -> Iterator[str]:
    headline = question.headline
    if numeral.kind is NumeralKind.MONEY and question.start:
        for other in _CURRENCIES.get(headline[question.start - 1], ()):
            yield f"{headline[: question.start - 1]}{other}{headline[question.start :]}"
    match = _UNIT.match(headline, question.end)
    if match is not None:
        for other in _UNITS.get(match[2].lower(), ()):
            yield f"{headline[: match.start(2)]}{like(other, match[2])}{headline[match.end() :]}"


def _replaced(question: NumeralQuestion, text: str) -> str:
    after = question.headline[question.end :]
    ending = ENDING.match(after)
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
