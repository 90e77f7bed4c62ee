"""One numeral told in other terms: in another magnitude, in another unit of time, as a percentage."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from core.numerals.derivations.operands import in_words, literal
from core.numerals.derivations.places import LETTERS, Place
from core.numerals.expressions.tree import Call, Expression, Leaf, Operator
from core.text.numerals.numeral import Kind, Numeral

Converted = tuple[Expression, Fraction, str]
"""Expression, the bare value that it gives at the place, and its way."""

UNITS: Final[dict[tuple[str, str], Fraction]] = {
    ("day", "week"): Fraction(1, 7),
    ("day", "month"): Fraction(1, 30),
    ("day", "hour"): Fraction(24),
    ("week", "day"): Fraction(7),
    ("month", "day"): Fraction(30),
    ("month", "year"): Fraction(1, 12),
    ("year", "month"): Fraction(12),
    ("year", "decade"): Fraction(1, 10),
    ("year", "century"): Fraction(1, 100),
    ("decade", "year"): Fraction(10),
    ("century", "year"): Fraction(100),
    ("hour", "day"): Fraction(1, 24),
    ("hour", "minute"): Fraction(60),
    ("minute", "hour"): Fraction(1, 60),
    ("minute", "second"): Fraction(60),
    ("second", "minute"): Fraction(1, 60),
}
"""Constants from unit to unit, as NumHG's annotators calculated with them (a month has 30 days)."""


def conversions(numeral: Numeral, place: Place) -> Iterator[Converted]:
    """The numeral in the terms of a place, where those are not its own."""
    yield from _magnitudes(numeral, place.factor)
    own = numeral.value / place.factor
    ratio = UNITS.get((numeral.unit, place.span))
    if ratio is not None:
        yield _scaled(numeral, ratio), own * ratio, "other"
    if place.span == "dozen" and numeral.kind is Kind.COUNT:
        yield _scaled(numeral, Fraction(1, 12)), own / 12, "other"
    if place.percent and numeral.kind is Kind.FRACTION:
        yield _scaled(numeral, Fraction(100)), own * 100, "other"


def _magnitudes(numeral: Numeral, factor: Fraction) -> Iterator[Converted]:
    if numeral.factor == factor:
        return
    letter = LETTERS.get(int(factor), "")
    bare = literal(numeral)
    if letter and (numeral.factor == 1 or in_words(numeral)):
        yield Call(Operator.PARAPHRASE, (bare, Leaf(letter))), numeral.value / factor, "paraphrase"
        return
    ratio = (Fraction(1) if in_words(numeral) else numeral.factor) / factor
    if ratio != 1:
        yield _scaled(numeral, ratio), numeral.value / factor, "other"


def _scaled(numeral: Numeral, ratio: Fraction) -> Expression:
    if ratio > 1:
        return Call(Operator.MULTIPLY, (literal(numeral), Leaf(_constant(ratio))))
    return Call(Operator.DIVIDE, (literal(numeral), Leaf(_constant(1 / ratio))))


def _constant(ratio: Fraction) -> str:
    return str(ratio.numerator) if ratio.denominator == 1 else f"{float(ratio):g}"
