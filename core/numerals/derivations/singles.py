"""Ways in which one numeral of the article alone gives a number: as it stands, converted, rounded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.numerals.derivations.candidate import DerivationCandidate, Proposal
from core.numerals.derivations.operands import calculable, in_words, literal, looks_like_year, phrase
from core.numerals.derivations.slots import LETTERS, Slot
from core.numerals.expressions.tree import Call, Expression, Leaf
from core.numerals.operators import COPY, DIVIDE, MULTIPLY, PARAPHRASE, ROUND, TRANS, Operator, Takes, taking
from core.text.numerals.numeral import Numeral, NumeralKind

Converted = tuple[Expression, Fraction, str]
"""Expression, the bare value that it gives at the place, and its way."""

SPAN_RATIOS: Final[dict[tuple[str, str], Fraction]] = {
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

MOST_ZEROS: Final = 12
"""Zeros at the end of a whole number that may be due to rounding."""


def conversions(numeral: Numeral, place: Slot) -> Iterator[Converted]:
    """The numeral in the terms of a place, where those are not its own."""
    yield from _magnitudes(numeral, place.factor)
    own = numeral.value / place.factor
    ratio = SPAN_RATIOS.get((numeral.unit, place.span))
    if ratio is not None:
        yield _scaled(numeral, ratio), own * ratio, "other"
    if place.span == "dozen" and numeral.kind is NumeralKind.COUNT:
        yield _scaled(numeral, Fraction(1, 12)), own / 12, "other"
    if place.percent and numeral.kind is NumeralKind.FRACTION:
        yield _scaled(numeral, Fraction(100)), own * 100, "other"


def _magnitudes(numeral: Numeral, factor: Fraction) -> Iterator[Converted]:
    if numeral.factor == factor:
        return
    letter = LETTERS.get(int(factor), "")
    bare = literal(numeral)
    if letter and (numeral.factor == 1 or in_words(numeral)):
        yield Call(PARAPHRASE, (bare, Leaf(letter))), numeral.value / factor, "paraphrase"
        return
    ratio = (Fraction(1) if in_words(numeral) else numeral.factor) / factor
    if ratio != 1:
        yield _scaled(numeral, ratio), numeral.value / factor, "other"


def _scaled(numeral: Numeral, ratio: Fraction) -> Expression:
    if ratio > 1:
        return Call(MULTIPLY, (literal(numeral), Leaf(_constant(ratio))))
    return Call(DIVIDE, (literal(numeral), Leaf(_constant(1 / ratio))))


def _constant(ratio: Fraction) -> str:
    return str(ratio.numerator) if ratio.denominator == 1 else f"{float(ratio):g}"


def rounding_to(exact: Fraction, target: Fraction, decimals: int) -> tuple[Operator, int] | None:
    """How `exact` becomes `target`: the operator and the digits it keeps after the decimal sign.

    All operators that keep digits are tried, Round also up from the middle, as newsrooms do. Negative digits
    ("nearly 40" from 38.6) are tried up to the zeros that `target` ends with.
    """
    if target in {exact, 0} or not target / 2 < exact < target * 2:
        return None
    for digits in _kept(target, decimals):
        for operator in taking(Takes.NUMBER, Takes.DECIMALS):
            if operator.execute(exact, digits) == target:
                return operator, digits
        if (target - exact) * 2 == Fraction(10) ** -digits:
            return ROUND, digits
    return None


def _kept(target: Fraction, decimals: int) -> range:
    if decimals > 0 or target.denominator != 1:
        return range(decimals, decimals - 1, -1)
    zeros = 0
    whole = abs(target.numerator)
    while zeros < MOST_ZEROS and whole % 10 == 0:
        whole //= 10
        zeros += 1
    return range(0, -zeros - 1, -1)


@dataclass(frozen=True, slots=True)
class Target:
    """A number that is to be derived.

    Attributes:
        text: As it is written, without currency and magnitude.
        value: The bare number.
        decimals: Digits after its decimal sign.
        words: Whether it is written as a word.
        place: What stands around it.
    """

    text: str
    value: Fraction
    decimals: int
    words: bool
    place: Slot

    def proposal(self, expression: Expression, sources: tuple[int, ...], way: str, prior: float) -> Proposal:
        """A candidate for this number; see `DerivationCandidate` and `Proposal`."""
        return Proposal(DerivationCandidate(expression, sources, self.value, self.text, way), prior)


def single_ways(numeral: Numeral, target: Target) -> Iterator[tuple[Expression, str]]:
    """Expressions over one numeral that give the target, with the way each belongs to."""
    plain = _as_it_stands(numeral, target)
    if plain is not None:
        yield plain
        return
    if not calculable(numeral):
        return
    converted = [*conversions(numeral, target.place)]
    exact = [(built, way) for built, value, way in converted if value == target.value]
    yield from exact
    if exact or looks_like_year(numeral) or numeral.kind is NumeralKind.ORDINAL:
        return
    bare = (literal(numeral), numeral.value if in_words(numeral) else numeral.amount, "round")
    for operator in taking(Takes.NUMBER):
        if operator.execute(bare[1]) == target.value:
            yield Call(operator, (bare[0],)), operator.way
    for built, value, _ in [bare, *converted]:
        found = rounding_to(value, target.value, target.decimals)
        if found is not None:
            yield Call(found[0], (built, Leaf(str(found[1])))), "round"
            return


def _as_it_stands(numeral: Numeral, target: Target) -> tuple[Expression, str] | None:
    words = in_words(numeral)
    if not words:
        if numeral.number != target.text and numeral.amount != target.value:
            return None
        operator = TRANS if target.words else COPY
        return Call(operator, (Leaf(numeral.number),)), operator.way
    if target.words and numeral.number.lower() == target.text.lower():
        return Call(COPY, (Leaf(numeral.number),)), "copy"
    if numeral.factor != target.place.factor and numeral.value == target.value * target.place.factor:
        whole = Call(TRANS, (Leaf(phrase(numeral)),))
        return (whole, "trans") if target.place.factor == 1 else None
    if numeral.amount == target.value:
        return literal(numeral) if numeral.factor == 1 else Call(TRANS, (Leaf(numeral.number),)), "trans"
    return None
