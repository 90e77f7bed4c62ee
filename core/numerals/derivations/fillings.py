"""Numbers that may stand in a blank of a headline, each with the way in which the article gives it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import numpy as np

from core.numerals.derivations.candidate import DerivationCandidate, Proposal
from core.numerals.derivations.operands import calculable, in_words, literal, looks_like_year, phrase
from core.numerals.derivations.pairs import built, exact_value, pairs_of, sources
from core.numerals.derivations.priors import blank_priors, blank_way_prior
from core.numerals.derivations.singles import conversions
from core.numerals.derivations.slots import Slot, slot_of
from core.numerals.expressions.tree import Call, Expression, Leaf
from core.numerals.operators import COPY, PARAPHRASE, TRANS, Takes, taking
from core.numerals.question import NumeralQuestion, ReadArticle
from core.text.numerals.numeral import Numeral, NumeralKind

MOST_DECIMALS: Final = 2
"""NumHG's headlines keep no more digits after the decimal sign."""

_GROUPS: Final = {"en": ",", "ru": " ", "it": ".", "de": ".", "fr": "\u202f"}
_SIGNS: Final = {"en": ".", "ru": ",", "it": ",", "de": ",", "fr": ","}

MOST: Final = 120
"""Candidates of a blank; NumHG's blanks have 37 on average."""

MOST_PAIRS: Final = 40
"""Pairs of operands that are offered beside the single numerals; NumHG's rows need one in 40 times."""

LEAST_PAIR_PRIOR: Final = -7.0
"""Pairs below it are not offered."""


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


def fillings_of(question: NumeralQuestion) -> tuple[DerivationCandidate, ...]:
    """Plausible candidates for what stands in a blank, likeliest by a cheap prior first.

    Each numeral of the article is offered as it stands, as a word's number, in the blank's magnitude and
    unit, and rounded; pairs are offered where the words around the blank and the numerals' kinds make it
    plausible. Several candidates may have one answer.
    """
    place, article = slot_of(question), question.article
    offered = [*_singles(article, place), *_pairs(article, place)]
    offered.sort(key=lambda one: -one.prior)
    return tuple(one.candidate for one in offered[:MOST])


def _singles(article: ReadArticle, place: Slot) -> Iterator[Proposal]:
    for row, numeral in enumerate(article.numerals):
        for expression, value, answer, way in _ways(numeral, place, article.language):
            if answer:
                prior = blank_way_prior(numeral, place, way) - 0.02 * article.places[row]
                prior -= 1.0 * (numeral.start < article.dateline)
                yield Proposal(DerivationCandidate(expression, (row,), value, answer, way), prior)


def _ways(numeral: Numeral, place: Slot, language: str) -> Iterator[tuple[Expression, Fraction, str, str]]:
    words = in_words(numeral)
    if words and numeral.factor != place.factor and place.factor == 1:
        whole = Call(TRANS, (Leaf(phrase(numeral)),))
        yield whole, numeral.value, written(numeral.value, language), "trans"
    if words:
        bare = Call(TRANS, (Leaf(phrase(numeral) if numeral.factor == 1 else numeral.number),))
        yield bare, numeral.amount, written(numeral.amount, language), "trans"
    else:
        yield Call(COPY, (Leaf(numeral.number),)), numeral.amount, numeral.number, "copy"
    if not calculable(numeral):
        return
    for expression, value, way in conversions(numeral, place):
        if value * 10 >= 1:
            yield expression, value, written(value, language), way
        yield from _rounded(expression, value, language)
    if not words and not looks_like_year(numeral) and numeral.kind is not NumeralKind.ORDINAL:
        yield from _rounded(literal(numeral), numeral.amount, language)


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


def _pairs(article: ReadArticle, place: Slot) -> Iterator[Proposal]:
    pairs = pairs_of(article)
    priors = blank_priors(article, place)
    rows = np.flatnonzero(priors > LEAST_PAIR_PRIOR)
    rows = rows[np.argsort(-priors[rows], kind="stable")][:MOST_PAIRS]
    for row in rows.tolist():
        expression, value = built(article, row), exact_value(article, row)
        way = pairs.tried[pairs.operators[row]].way
        if place.letter and value * 2 > place.factor:
            expression, value, way = (
                Call(PARAPHRASE, (expression, Leaf(place.letter))),
                value / place.factor,
                "paraphrase",
            )
        answer = written(value, article.language, grouped=not 1000 <= value <= 2100)
        if answer:
            yield Proposal(
                DerivationCandidate(expression, sources(article, row), value, answer, way), float(priors[row])
            )
