"""Ways in which one numeral of the article alone gives a number that is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from core.numerals.derivations.operands import LARGEST, in_words, literal, looks_like_year, phrase
from core.numerals.derivations.places import LETTERS, Place
from core.numerals.derivations.rounding import rounding_to
from core.numerals.expressions.tree import Call, Expression, Leaf, Operator
from core.numerals.numeral import Numeral


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
    place: Place


def single_ways(numeral: Numeral, target: Target) -> Iterator[tuple[Expression, str]]:
    """Expressions over one numeral that give the target, with the way each belongs to."""
    plain = _as_it_stands(numeral, target)
    if plain is not None:
        yield plain
        return
    if abs(numeral.amount) >= LARGEST or abs(numeral.factor) > LARGEST:
        return
    converted = [*_conversions(numeral, target.place.factor)]
    exact = [(built, way) for built, value, way in converted if value == target.value]
    yield from exact
    if exact or looks_like_year(numeral):
        return
    bare = (literal(numeral), numeral.value if in_words(numeral) else numeral.amount, "round")
    for built, value, _ in [bare, *converted]:
        found = rounding_to(value, target.value, target.decimals)
        if found is not None:
            yield Call(found[0], (built, Leaf(str(found[1])))), "round"
            return


def _as_it_stands(numeral: Numeral, target: Target) -> tuple[Expression, str] | None:
    """Copy or Trans of the bare number, whatever magnitude it has; None where it is another number."""
    words = in_words(numeral)
    if not words and not target.words:
        same = numeral.number == target.text or numeral.amount == target.value
        return (Call(Operator.COPY, (Leaf(numeral.number),)), "copy") if same else None
    if words and target.words and numeral.number.lower() == target.text.lower():
        return Call(Operator.COPY, (Leaf(numeral.number),)), "copy"
    if (
        words
        and numeral.value == target.value * target.place.factor
        and numeral.factor != target.place.factor
    ):
        whole = Call(Operator.TRANS, (Leaf(phrase(numeral)),))
        return (whole, "trans") if target.place.factor == 1 else None
    if numeral.amount == target.value:
        return Call(Operator.TRANS, (Leaf(numeral.number),)), "trans"
    return None


def _conversions(numeral: Numeral, factor: Fraction) -> Iterator[tuple[Expression, Fraction, str]]:
    """The numeral in terms of the magnitude at the place: expression, bare value, way."""
    if numeral.factor == factor:
        return
    letter = LETTERS.get(int(factor), "")
    bare = literal(numeral)
    if letter and (numeral.factor == 1 or in_words(numeral)):
        yield Call(Operator.PARAPHRASE, (bare, Leaf(letter))), numeral.value / factor, "paraphrase"
        return
    ratio = (Fraction(1) if in_words(numeral) else numeral.factor) / factor
    if ratio > 1:
        yield Call(Operator.MULTIPLY, (bare, Leaf(_written(ratio)))), numeral.value / factor, "other"
    elif ratio < 1:
        yield Call(Operator.DIVIDE, (bare, Leaf(_written(1 / ratio)))), numeral.value / factor, "other"


def _written(ratio: Fraction) -> str:
    return str(ratio.numerator) if ratio.denominator == 1 else f"{float(ratio):g}"
