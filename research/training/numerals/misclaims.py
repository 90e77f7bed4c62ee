"""Headlines whose claim about a number was made wrong: another word, unit, bound, holder or number.

`research.training.numerals.corruptions` makes the number wrong as a hand slips; what is made here is wrong
as a writer gets a claim wrong. Words, units and bounds come from `misclaims.toml`. Some are right by chance:
a name that was exchanged may have the same number, another number of the article may do as well.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import NumeralQuestion, questions_of
from core.text.numerals.numeral import Approximation, Numeral, NumeralForm, NumeralKind
from research.training.numerals.corruptions import (
    Corruption,
    corrupt,
    in_form,
    like,
    numbers_of,
    other_magnitudes,
)


class Misclaim(StrEnum):
    """How a claim is made wrong.

    `DIGIT`: one digit becomes another. `OFF_BY_ONE`: the last digit is one more or less. `SCALE`: the
    neighbouring magnitude (million for billion). `ROUNDED`: a number of the article, rounded to the wrong
    side. `SAME_KIND`: another number of the article of the same kind and unit. `OTHER`: any other number of
    the article. `EXCHANGE`: two numbers of the headline in each other's place. `UNIT`: another unit or
    currency. `WORD`: killed for hurt, buys for sells. `DIRECTION`: rises for falls, profit for loss. `BOUND`:
    a bound that the article's number contradicts. `HOLDER`: another name of the article.
    """

    DIGIT = "digit"
    OFF_BY_ONE = "off by one"
    SCALE = "million for billion"
    ROUNDED = "rounded to the wrong side"
    SAME_KIND = "same kind"
    OTHER = "any other number"
    EXCHANGE = "two numbers exchanged"
    UNIT = "unit"
    WORD = "claim word"
    DIRECTION = "direction"
    BOUND = "bound"
    HOLDER = "holder"


@dataclass(frozen=True, slots=True)
class Misclaimed:
    """A headline whose claim was made wrong, or said in other words."""

    headline: str
    start: int


def misclaim(question: NumeralQuestion, how: Misclaim, seed: int) -> Misclaimed | None:
    """The headline with a wrong claim about the number at the question's place.

    The draw depends on the headline, the place, the kind and the seed alone.
    """
    numeral = question.numeral
    if numeral is None:
        return None
    draw = random.Random(f"{seed}|{how}|{question.start}|{question.headline}")  # noqa: S311 - not for secrets
    if how is Misclaim.DIGIT or how is Misclaim.OTHER:
        slip = Corruption.DIGIT if how is Misclaim.DIGIT else Corruption.SWAP
        text = corrupt(question, slip, seed)
        return None if text is None else Misclaimed(text, question.start)
    found = [one for one in _MADE[how](question, numeral) if one.headline != question.headline]
    return draw.choice(found) if found else None


def hedged(question: NumeralQuestion, seed: int) -> Misclaimed | None:
    """The headline with its number rounded and a hedge that is true of it: "nearly 20,000" for 19,847."""
    numeral = question.numeral
    if numeral is None or not _is_plain(question, numeral):
        return None
    draw = random.Random(f"{seed}|hedged|{question.start}|{question.headline}")  # noqa: S311 - not for secrets
    same = [other for other in numbers_of(question.article) if other.value == numeral.value]
    if not same or any(one.approximation is not Approximation.EXACT for one in same):
        return None
    found = []
    for low, high in _round_neighbours(numeral.amount):
        near = low if numeral.amount - low < high - numeral.amount else high
        for hedge, value in _hedges(low, high, near):
            reach = Fraction(3, 5) if hedge in {"More Than", "Over"} else Fraction(9, 10)
            if not value or min(value, numeral.amount) / max(value, numeral.amount) < reach:
                continue
            text = in_form(value, question, numeral)
            if text is not None:
                found.append(_with_bound(question, numeral, hedge, text))
    return draw.choice(found) if found else None


def _hedges(low: Fraction, high: Fraction, near: Fraction) -> Iterator[tuple[str, Fraction]]:
    yield "About", near
    yield from (("More Than", low), ("Over", low), ("Nearly", high), ("Almost", high))


def _slips(question: NumeralQuestion, numeral: Numeral) -> Iterator[Misclaimed]:
    step = Fraction(1, 10**numeral.decimals)
    for value in (numeral.amount + step, numeral.amount - step):
        text = in_form(value, question, numeral) if value > 0 else None
        if text is not None and numeral.form is not NumeralForm.WORDS:
            yield _holding(question, text)


def _rounded(question: NumeralQuestion, numeral: Numeral) -> Iterator[Misclaimed]:
    if numeral.kind not in _BOUNDED:
        return
    for other in numbers_of(question.article):
        value = other.value / numeral.factor
        if other.kind is not numeral.kind or other.unit != numeral.unit or looks_like_year(other):
            continue
        step = Fraction(1, 10**numeral.decimals)
        if abs(value - numeral.amount) > step or value.denominator == 1 == numeral.amount.denominator:
            if value != numeral.amount:
                continue
            for low, high in _round_neighbours(value):
                far = high if value - low < high - value else low
                text = in_form(far, question, numeral)
                if text is not None:
                    yield _holding(question, text)
        elif value != numeral.amount:
            wrong = numeral.amount + (step if value > numeral.amount else -step)
            farther = wrong > 0 and abs(wrong - value) > abs(numeral.amount - value)
            text = in_form(wrong, question, numeral) if farther else None
            if text is not None:
                yield _holding(question, text)


def _same_kind(question: NumeralQuestion, numeral: Numeral) -> Iterator[Misclaimed]:
    for other in numbers_of(question.article):
        same = other.kind is numeral.kind and other.unit == numeral.unit
        if not same or looks_like_year(other) != looks_like_year(numeral):
            continue
        if {other.value, other.amount} & {numeral.value, numeral.amount}:
            continue
        text = in_form(other.value / numeral.factor, question, numeral)
        if text is not None:
            yield _holding(question, text)


def _exchanged(question: NumeralQuestion, numeral: Numeral) -> Iterator[Misclaimed]:
    headline = question.headline
    for one in questions_of(headline, question.article):
        other = one.numeral
        if other is None or other.value == numeral.value or one.start == question.start:
            continue
        if other.kind is not numeral.kind or other.unit != numeral.unit:
            continue
        if NumeralForm.WORDS in {numeral.form, other.form} or numeral.kind is NumeralKind.ORDINAL:
            continue
        first, second = sorted(((question.start, question.end), (one.start, one.end)))
        left, right = headline[slice(*first)], headline[slice(*second)]
        text = headline[: first[0]] + right + headline[first[1] : second[0]] + left + headline[second[1] :]
        moved = 0 if question.start == first[0] else len(right) - len(left)
        yield Misclaimed(text, question.start + moved)


def _units(question: NumeralQuestion, numeral: Numeral) -> Iterator[Misclaimed]:
    headline = question.headline
    if numeral.kind is NumeralKind.MONEY and question.start:
        sign = headline[question.start - 1]
        for other in _SIGNS.get(sign, ()):
            text = f"{headline[: question.start - 1]}{other}{headline[question.start :]}"
            yield Misclaimed(text, question.start)
    found = _UNIT.match(headline, question.end)
    if found is not None:
        for other in _UNITS.get(found[2].lower(), ()):
            text = f"{headline[: found.start(2)]}{like(other, found[2])}{headline[found.end() :]}"
            yield Misclaimed(text, question.start)


def _flipped(question: NumeralQuestion, pairs: Mapping[str, Sequence[str]]) -> Iterator[Misclaimed]:
    headline = question.headline
    for word in _WORD.finditer(headline):
        between = headline[min(word.end(), question.end) : max(word.start(), question.start)]
        if question.start <= word.start() < question.end or len(_WORD.findall(between)) > _NEAR:
            continue
        for other in pairs.get(word[0].lower(), ()):
            text = f"{headline[: word.start()]}{like(other, word[0])}{headline[word.end() :]}"
            moved = len(other) - len(word[0]) if word.start() < question.start else 0
            yield Misclaimed(text, question.start + moved)


def _bounds(question: NumeralQuestion, numeral: Numeral) -> Iterator[Misclaimed]:
    if numeral.kind not in _BOUNDED or looks_like_year(numeral):
        return
    turned = list(_turned_bounds(question, numeral))
    yield from turned
    if turned or not _is_plain(question, numeral, digits=1):
        return
    values = [other for other in numbers_of(question.article) if numeral.value == other.value]
    if values and all(other.approximation is Approximation.EXACT for other in values):
        for bound in ("More Than", "Fewer Than", "Under", "Less Than"):
            yield _with_bound(question, numeral, bound, question.headline[question.start : question.end])
    for low, high in _round_neighbours(numeral.amount):  # "more than 20,000" for 19,847
        for value, bound in ((high, "More Than"), (high, "At Least"), (low, "Nearly"), (low, "Under")):
            put = in_form(value, question, numeral)
            if put is not None:
                yield _with_bound(question, numeral, bound, put)


def _turned_bounds(question: NumeralQuestion, numeral: Numeral) -> Iterator[Misclaimed]:
    before = question.headline[: numeral.start].rstrip()
    for side, other in (("below", "above"), ("above", "below")):
        for bound in _BOUNDS[side]:
            if before.lower().endswith(bound.lower()):
                cut = len(before) - len(bound)
                for put in _BOUNDS[other]:
                    text = before[:cut] + like(put, before[cut:]) + question.headline[len(before) :]
                    yield Misclaimed(text, question.start + len(put) - len(bound))


def _holders(question: NumeralQuestion, numeral: Numeral) -> Iterator[Misclaimed]:
    text = question.article.text
    words = set(re.findall(r"[a-z]+", text))
    found = _NAME.findall(text[question.article.dateline :])
    names = dict.fromkeys(one for one in found if words.isdisjoint(one.lower().split()) and len(one) > 3)
    inside = [one for one in names if not any(_share_a_word(one, other) for other in names if other != one)]
    for name in names:
        for place in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", question.headline):
            if place.start() <= question.start < place.end():
                continue
            for other in inside:
                if other == name or _share_a_word(other, name) or other in question.headline:
                    continue
                put = other.split()[-1] if " " not in name else other
                moved = len(put) - len(name) if place.start() < question.start else 0
                changed = question.headline[: place.start()] + put + question.headline[place.end() :]
                yield Misclaimed(changed, question.start + moved)


def _share_a_word(one: str, other: str) -> bool:
    return not set(one.split()).isdisjoint(other.split())


def _holding(question: NumeralQuestion, number: str) -> Misclaimed:
    return Misclaimed(question.holding(number), question.start)


def _is_plain(question: NumeralQuestion, numeral: Numeral, digits: int = 3) -> bool:
    written = question.headline[question.start : question.end]
    return (
        numeral.kind in _BOUNDED
        and not looks_like_year(numeral)
        and numeral.approximation is Approximation.EXACT
        and numeral.form is not NumeralForm.WORDS
        and sum(map(str.isdigit, written)) >= digits
        and question.headline[numeral.end : numeral.end + 1] not in {"-", "–"}
        and not question.headline[: numeral.start].endswith(("-", "–", "'", "’"))
    )


def _with_bound(question: NumeralQuestion, numeral: Numeral, bound: str, number: str) -> Misclaimed:
    headline = question.headline
    put = bound if not headline[: numeral.start] or headline.istitle() or _titled(headline) else bound.lower()
    text = f"{headline[: numeral.start]}{put} {headline[numeral.start : question.start]}{number}"
    return Misclaimed(text + headline[question.end :], question.start + len(put) + 1)


def _titled(headline: str) -> bool:
    words = [word for word in headline.split() if word[0].isalpha() and len(word) > 3]
    return sum(word[0].isupper() for word in words) > len(words) / 2


def _round_neighbours(value: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    for digits in (1, 2):
        step = Fraction(10) ** (len(str(int(value))) - digits)
        if step < 1 or value < 10:
            continue
        low = value // step * step
        if low != value:
            yield Fraction(low), Fraction(low + step)


def _pairs(flips: Sequence[str], aligned: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in flips:
        left, right = (aligned[name].split() for name in line.split())
        for one, other in zip(left, right, strict=True):
            if "-" not in {one, other}:
                found.setdefault(one, []).append(other)
                found.setdefault(other, []).append(one)
    return found


def _exchanges(lines: Sequence[str], sign: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in lines:
        for one, other in pairwise(line.split(sign)):
            found.setdefault(one, []).append(other)
            found.setdefault(other, []).append(one)
    return found


_DATA: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_SIGNS: Final = _exchanges(_DATA["units"]["signs"], " ")
_UNITS: Final = _exchanges([pair for line in _DATA["units"]["words"] for pair in line.split()], "/")
_WORDS: Final = _pairs(_DATA["flips"]["claim"], _DATA["aligned"])
_DIRECTIONS: Final = _pairs(_DATA["flips"]["direction"], _DATA["aligned"])
_BOUNDS: Final = {side: tuple(text.split("|")) for side, text in _DATA["bounds"].items()}
_BOUNDED: Final = frozenset(
    {NumeralKind.COUNT, NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE, NumeralKind.DURATION}
)
_UNIT: Final = re.compile(r"([\s-]*(?:[MKB]\b[\s-]*|million\s+|billion\s+)?)([A-Za-z]+)")
_WORD: Final = re.compile(r"[^\W\d_]+")
_NAME: Final = re.compile(r"(?<![.!?\"”]\s)(?<=[a-z,;] )[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}")

_NEAR: Final = 4
"""Words between a claim word and its number at most."""

_Maker = Callable[[NumeralQuestion, Numeral], Iterator[Misclaimed]]
_MADE: Final[Mapping[Misclaim, _Maker]] = MappingProxyType(
    {
        Misclaim.OFF_BY_ONE: _slips,
        Misclaim.SCALE: lambda question, numeral: (
            Misclaimed(text, question.start) for text in other_magnitudes(question, numeral)
        ),
        Misclaim.ROUNDED: _rounded,
        Misclaim.SAME_KIND: _same_kind,
        Misclaim.EXCHANGE: _exchanged,
        Misclaim.UNIT: _units,
        Misclaim.WORD: lambda question, _: _flipped(question, _WORDS),
        Misclaim.DIRECTION: lambda question, _: _flipped(question, _DIRECTIONS),
        Misclaim.BOUND: _bounds,
        Misclaim.HOLDER: _holders,
    }
)
