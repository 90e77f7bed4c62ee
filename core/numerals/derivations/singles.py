"""Ways in which one numeral of the article alone gives a number: as it stands, converted, rounded."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from core.numerals.derivations import operands, slots
from core.numerals.expressions.expression import Call, Expression, Leaf
from core.numerals.operators import COPY, DIVIDE, MULTIPLY, PARAPHRASE, ROUND, TRANS, Operator, Takes, taking
from core.numerals.question import NumeralQuestion, ReadArticle
from core.text.numerals.numeral import Numeral, NumeralKind

Converted = tuple[Expression, Fraction, str]  # it, its bare value at the place, and its way
_PARTS: Final = {  # how many of the second span the first one has; a month has NumHG's 30 days
    **{("week", "day"): 7, ("month", "day"): 30, ("day", "hour"): 24, ("hour", "minute"): 60},
    **{("minute", "second"): 60, ("year", "month"): 12, ("decade", "year"): 10, ("century", "year"): 100},
}
MOST_ZEROS: Final = 12  # zeros at the end of a whole number that may be due to rounding
MOST_DECIMALS: Final = 2  # numHG's headlines keep no more digits after the decimal sign
_GROUPS: Final = {"en": ",", "ru": " ", "it": ".", "de": ".", "fr": "\u202f"}
_SIGNS: Final = {"en": ".", "ru": ",", "it": ",", "de": ",", "fr": ","}
MOST: Final = 120  # candidates of a blank; NumHG's blanks have 37 on average
MOST_PAIRS: Final = 40  # beside the single numerals; NumHG's rows need one in 40 times
LEAST_PAIR_PRIOR: Final = -7.0  # pairs below it are not offered


def conversions(numeral: Numeral, place: slots.Slot) -> Iterator[Converted]:
    """The numeral in the terms of a place, where those are not its own."""
    own, words = numeral.value / place.factor, operands.in_words(numeral)
    letter = slots.LETTERS.get(int(place.factor), "")
    ratio = (Fraction(1) if words else numeral.factor) / place.factor
    if numeral.factor != place.factor:
        if letter and (numeral.factor == 1 or words):
            yield Call(PARAPHRASE, (operands.literal(numeral), Leaf(letter))), own, "paraphrase"
        elif ratio != 1:
            yield _scaled(numeral, ratio), own, "other"
    spans = (numeral.unit, place.span)
    many, few = _PARTS.get(spans), _PARTS.get(spans[::-1])
    if many or few:
        ratio = Fraction(many or 1, few or 1)
        yield _scaled(numeral, ratio), own * ratio, "other"
    if place.span == "dozen" and numeral.kind is NumeralKind.COUNT:
        yield _scaled(numeral, Fraction(1, 12)), own / 12, "other"
    if place.percent and numeral.kind is NumeralKind.FRACTION:
        yield _scaled(numeral, Fraction(100)), own * 100, "other"


def _scaled(numeral: Numeral, ratio: Fraction) -> Expression:
    constant = ratio if ratio > 1 else 1 / ratio
    text = str(constant.numerator) if constant.denominator == 1 else f"{float(constant):g}"
    return Call(MULTIPLY if ratio > 1 else DIVIDE, (operands.literal(numeral), Leaf(text)))


def rounding_to(exact: Fraction, target: Fraction, decimals: int) -> tuple[Operator, int] | None:
    """How `exact` becomes `target`: the operator and the digits it keeps; negative ones for "nearly 40"."""
    if target in {exact, 0} or not target / 2 < exact < target * 2:
        return None
    written_out = str(abs(target.numerator))
    zeros = min(MOST_ZEROS, len(written_out) - len(written_out.rstrip("0")))
    fewest = decimals if decimals > 0 or target.denominator != 1 else -zeros
    for digits in range(max(decimals, fewest), fewest - 1, -1):
        for operator in taking(Takes.NUMBER, Takes.DECIMALS):
            if operator.execute(exact, digits) == target:
                return operator, digits
        if (target - exact) * 2 == Fraction(10) ** -digits:
            return ROUND, digits
    return None


@dataclass(frozen=True, slots=True)
class Target:
    text: str  # as it is written, without currency and magnitude
    value: Fraction  # the bare number
    decimals: int  # digits after its decimal sign
    words: bool  # whether it is written as a word
    place: slots.Slot  # what stands around it

    def proposal(
        self, expression: Expression, sources: tuple[int, ...], way: str, prior: float
    ) -> operands.Proposal:
        return prior, operands.DerivationCandidate(expression, sources, self.value, self.text, way)


def single_ways(numeral: Numeral, target: Target) -> Iterator[tuple[Expression, str]]:
    """Expressions over one numeral that give the target, with the way each belongs to."""
    plain = _as_it_stands(numeral, target)
    if plain is not None:
        yield plain
        return
    if not operands.calculable(numeral):
        return
    converted = [*conversions(numeral, target.place)]
    exact = [(built, way) for built, value, way in converted if value == target.value]
    yield from exact
    if exact or operands.looks_like_year(numeral) or numeral.kind is NumeralKind.ORDINAL:
        return
    leaf, amount = operands.literal(numeral), numeral.value if operands.in_words(numeral) else numeral.amount
    for operator in taking(Takes.NUMBER):
        if operator.execute(amount) == target.value:
            yield Call(operator, (leaf,)), operator.way
    for inner, value, _ in [(leaf, amount, ""), *converted]:
        if rounding := rounding_to(value, target.value, target.decimals):
            yield Call(rounding[0], (inner, Leaf(str(rounding[1])))), "round"
            return


def _as_it_stands(numeral: Numeral, target: Target) -> tuple[Expression, str] | None:
    words = operands.in_words(numeral)
    if not words:
        if numeral.number != target.text and numeral.amount != target.value:
            return None
        operator = TRANS if target.words else COPY
        return Call(operator, (Leaf(numeral.number),)), operator.way
    if target.words and numeral.number.lower() == target.text.lower():
        return Call(COPY, (Leaf(numeral.number),)), "copy"
    if numeral.factor != target.place.factor and numeral.value == target.value * target.place.factor:
        whole = Call(TRANS, (Leaf(operands.phrase(numeral)),))
        return (whole, "trans") if target.place.factor == 1 else None
    spoken = operands.phrase(numeral) if numeral.factor == 1 else numeral.number
    return (Call(TRANS, (Leaf(spoken),)), "trans") if numeral.amount == target.value else None


def written(value: Fraction, language: str = "en", *, grouped: bool = True) -> str:
    """A number as a headline has it: "7", "1.5", "1,300"; "" where it needs more decimals than two."""
    decimals = next((d for d in range(MOST_DECIMALS + 1) if (value * 10**d).denominator == 1), None)
    if decimals is None:
        return ""
    whole, part = divmod(int(value * 10**decimals), 10**decimals)
    # Russian sets thousands apart from five digits on.
    apart = grouped and whole >= (10_000 if language == "ru" else 1_000)
    text = f"{whole:,}".replace(",", _GROUPS.get(language, ",")) if apart else str(whole)
    return f"{text}{_SIGNS.get(language, '.')}{part:0{decimals}}" if decimals else text


def fillings_of(question: NumeralQuestion) -> tuple[operands.DerivationCandidate, ...]:
    """Plausible candidates for a blank, likeliest by a cheap prior first; several may have one answer."""
    place, article = slots.slot_of(question), question.article
    offered = sorted((*_singles(article, place), *_pairs(article, place)), key=lambda each: -each[0])
    return tuple(candidate for _, candidate in offered[:MOST])


def _singles(article: ReadArticle, place: slots.Slot) -> Iterator[operands.Proposal]:
    for row, numeral in enumerate(article.numerals):
        for expression, value, answer, way in _ways(numeral, place, article.language):
            if answer:
                prior = slots.blank_way_prior(numeral, place, way) - 0.02 * article.places[row]
                prior -= 1.0 * (numeral.start < article.dateline)
                yield prior, operands.DerivationCandidate(expression, (row,), value, answer, way)


def _ways(
    numeral: Numeral, place: slots.Slot, language: str
) -> Iterator[tuple[Expression, Fraction, str, str]]:
    words, spoken = operands.in_words(numeral), operands.phrase(numeral)
    if words and numeral.factor != place.factor and place.factor == 1:
        yield Call(TRANS, (Leaf(spoken),)), numeral.value, written(numeral.value, language), "trans"
    if words:
        bare = Call(TRANS, (Leaf(spoken if numeral.factor == 1 else numeral.number),))
        yield bare, numeral.amount, written(numeral.amount, language), "trans"
    else:
        yield Call(COPY, (Leaf(numeral.number),)), numeral.amount, numeral.number, "copy"
    if not operands.calculable(numeral):
        return
    for expression, value, way in conversions(numeral, place):
        if value * 10 >= 1:
            yield expression, value, written(value, language), way
        yield from _rounded(expression, value, language)
    if not words and not operands.looks_like_year(numeral) and numeral.kind is not NumeralKind.ORDINAL:
        yield from _rounded(operands.literal(numeral), numeral.amount, language)


def _rounded(
    inner: Expression, value: Fraction, language: str
) -> Iterator[tuple[Expression, Fraction, str, str]]:
    seen = {value, Fraction(0)}
    for digits in (0, 1):
        for operator in taking(Takes.NUMBER, Takes.DECIMALS):
            rounded = operator.execute(value, digits)
            if rounded not in seen:
                seen.add(rounded)
                yield Call(operator, (inner, Leaf(str(digits)))), rounded, written(rounded, language), "round"


def _pairs(article: ReadArticle, place: slots.Slot) -> Iterator[operands.Proposal]:
    pairs, priors = slots.pairs_of(article), slots.blank_priors(article, place)
    rows = np.flatnonzero(priors > LEAST_PAIR_PRIOR)
    rows = rows[np.argsort(-priors[rows], kind="stable")][:MOST_PAIRS]
    for row in rows.tolist():
        expression, value = slots.built(article, row), slots.exact_value(article, row)
        way = pairs.tried[pairs.operators[row]].way
        if place.letter and value * 2 > place.factor:
            expression, way = Call(PARAPHRASE, (expression, Leaf(place.letter))), "paraphrase"
            value /= place.factor
        answer = written(value, article.language, grouped=not 1000 <= value <= 2100)
        if answer:
            used = slots.sources(article, row)
            yield float(priors[row]), operands.DerivationCandidate(expression, used, value, answer, way)
