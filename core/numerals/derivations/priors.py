"""How likely each shape of derivation is before anything is known about the headline's words."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.numerals.derivations.operands import (
    BoolArray,
    FloatArray,
    IntArray,
    Operands,
    looks_like_year,
    operands_of,
)
from core.numerals.derivations.pairs import pairs_of
from core.numerals.derivations.slots import Slot
from core.numerals.operators import PairFacts, searched
from core.numerals.question import ReadArticle
from core.text.numerals.numeral import Numeral, NumeralKind

WAY_PRIORS: Final[dict[str, float]] = {
    "copy": -0.4,
    "trans": -0.5,
    "paraphrase": -0.6,
    "round": -1.2,
    "add": -4.0,
    "subtract": -3.0,
    "other": -4.0,
}
"""Log-probabilities that a candidate of a way is the gold derivation."""

LIST_PRIOR: Final = -7.0
"""Log-odds-like prior of counting a list: NumHG's 9,295 annotations have it once."""

OTHERS: Final = frozenset({"other", "others", "другие", "других", "другим", "altri", "altre"})
"""Words after a number from which one has been taken away: "Zuckerberg, 15 Other Tycoons" of sixteen."""


def pair_priors(article: ReadArticle, rows: IntArray) -> FloatArray:
    """Log-odds-like priors of rows of `pairs_of(article)`, float64 [m]."""
    operands, pairs = operands_of(article), pairs_of(article)
    left, right = pairs.left[rows], pairs.right[rows]
    apart = np.abs(operands.sentences[left] - operands.sentences[right])
    facts = _facts(operands, left, right)
    same = operands.kinds[left] == operands.kinds[right]
    prior = np.full(len(rows), -6.5)
    prior += 1.0 * same - 0.3 * np.minimum(apart, 5) * ~facts.constant
    for operator, how in searched().items():
        prior += pairs.by(operator, rows) * how.bonus(facts)
    prior -= 2.0 * facts.dateline * (facts.years < 2)
    return np.asarray(np.where(_centuries(operands, right, facts), -2.5, prior))


def _facts(operands: Operands, left: IntArray, right: IntArray) -> PairFacts:
    return PairFacts(
        constant=operands.constants[right] | operands.constants[left],
        years=operands.years[left].astype(np.int64) + operands.years[right],
        counts=operands.counts[left] & operands.counts[right],
        dateline=operands.dateline[left] | operands.dateline[right],
    )


def _centuries(operands: Operands, right: IntArray, facts: PairFacts) -> BoolArray:
    return np.asarray(operands.constants[right] & (facts.years == 1) & (operands.values[right] >= 1900))


def blank_way_prior(numeral: Numeral, place: Slot, way: str) -> float:
    """Log-odds-like prior of a way from one numeral into a blank."""
    prior = WAY_PRIORS[way] - 1.5 * (way == "round")
    if way in {"copy", "trans"}:
        prior -= 3.0 * (numeral.factor != place.factor) + 2.0 * (
            place.money and numeral.kind is not NumeralKind.MONEY
        )
        prior -= 2.0 * (place.percent != (numeral.kind is NumeralKind.PERCENT))
        prior -= 1.0 * (looks_like_year(numeral) and bool(place.span or place.age or place.money))
    return prior


def blank_priors(article: ReadArticle, place: Slot) -> FloatArray:
    """Log-odds-like priors of all rows of `pairs_of(article)` for a blank, float64 [p]; -inf where none."""
    operands, pairs = operands_of(article), pairs_of(article)
    left, right, values = pairs.left, pairs.right, pairs.values
    apart = np.abs(operands.sentences[left] - operands.sentences[right])
    facts = _facts(operands, left, right)
    constant, years, dateline = facts.constant, facts.years, facts.dateline
    whole = values == np.floor(values)
    # Sums and differences, differences alone, products: of what is proposed for blanks.
    offered = np.array([how.blanks for how in searched().values()])[pairs.operators]
    fixed = np.array([not one.any_order for one in pairs.tried])[pairs.operators]
    scales = pairs.scalings[pairs.operators]
    summed, subtract = offered & ~scales, offered & ~scales & fixed
    multiply = offered & scales
    prior = np.full(len(left), -np.inf)
    if place.apostrophe:
        return np.where(_centuries(operands, right, facts) & (values < 100), -2.0, prior)
    timed = place.span in {"year", "century"} or place.age or place.ordinal
    since = subtract & (years == 2) & (values <= 1000)
    prior[since] = (-3.0 if timed else -6.0) + 1.5 * dateline[since]
    if place.letter:
        both = operands.factors[left] == operands.factors[right]
        same = both & (operands.factors[left] == float(place.factor)) & ~constant
        plain = ~pairs.scaled & (values >= 500) & (years == 0) & (summed | multiply & ~constant)
        keep = (same & summed) | (plain & (place.letter == "K"))
        prior[keep & ~dateline] = -5.0 - 0.5 * apart[keep & ~dateline]
        return prior
    alike = operands.kinds[left] == operands.kinds[right]
    small = whole | (operands.decimals[left] + operands.decimals[right] > 0)
    both = ~constant & ~dateline & (years == 0) & summed & small
    prior[both] = (
        -5.8 + 0.7 * alike + 0.9 * (facts.counts & summed & ~subtract) - 0.4 * np.minimum(apart, 6)
    )[both]
    one = constant & (operands.values[right] <= 2) & summed & ~dateline & (years == 0) & whole
    others = place.after in OTHERS or place.after == "more"
    prior[one] = (-5.4 - 0.7 * operands.values[right] + 2.0 * (subtract & others) - 0.5 * subtract)[one]
    later = (years == 1) & summed & (values >= 1800) & (values <= 2100) & whole
    if not (timed or place.money or place.percent):
        prior[later] = (-5.5 - 0.3 * apart * ~dateline * ~constant - 1.0 * (constant & subtract))[later]
    return prior
