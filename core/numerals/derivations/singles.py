"""Ways in which one numeral of the article alone gives a number that is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from core.numerals.derivations.conversions import conversions
from core.numerals.derivations.operands import calculable, in_words, literal, looks_like_year, phrase
from core.numerals.derivations.places import Place
from core.numerals.derivations.rounding import rounding_to
from core.numerals.expressions.tree import Call, Expression, Leaf, Operator
from core.text.numerals.numeral import Kind, Numeral


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
    if not calculable(numeral):
        return
    converted = [*conversions(numeral, target.place)]
    exact = [(built, way) for built, value, way in converted if value == target.value]
    yield from exact
    if exact or looks_like_year(numeral) or numeral.kind is Kind.ORDINAL:
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
    if not words:
        if numeral.number != target.text and numeral.amount != target.value:
            return None
        operator = Operator.TRANS if target.words else Operator.COPY
        return Call(operator, (Leaf(numeral.number),)), operator.value.lower()
    if target.words and numeral.number.lower() == target.text.lower():
        return Call(Operator.COPY, (Leaf(numeral.number),)), "copy"
    if numeral.factor != target.place.factor and numeral.value == target.value * target.place.factor:
        whole = Call(Operator.TRANS, (Leaf(phrase(numeral)),))
        return (whole, "trans") if target.place.factor == 1 else None
    if numeral.amount == target.value:
        return literal(numeral) if numeral.factor == 1 else Call(
            Operator.TRANS, (Leaf(numeral.number),)
        ), "trans"
    return None
