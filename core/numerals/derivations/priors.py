"""How likely each shape of derivation is before anything is known about the headline's words."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.numerals.derivations.operands import FloatArray, IntArray, operands_of
from core.numerals.derivations.pairs import PAIRED, pairs_of
from core.numerals.expressions.tree import Operator
from core.numerals.question import ReadArticle

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


def pair_priors(article: ReadArticle, rows: IntArray) -> FloatArray:
    """Log-odds-like priors of rows of `pairs_of(article)`, float64 [m]."""
    operands, pairs = operands_of(article), pairs_of(article)
    left, right, operators = pairs.left[rows], pairs.right[rows], pairs.operators[rows]
    apart = np.abs(operands.sentences[left] - operands.sentences[right])
    constant = operands.constants[right] | operands.constants[left]
    years = operands.years[left].astype(np.int64) + operands.years[right]
    counts = operands.counts[left] & operands.counts[right]
    same = operands.kinds[left] == operands.kinds[right]
    dateline = operands.dateline[left] | operands.dateline[right]
    add = operators == PAIRED.index(Operator.ADD)
    subtract = operators == PAIRED.index(Operator.SUBTRACT)
    prior = np.full(len(rows), -6.5)
    prior += 1.0 * same - 0.3 * np.minimum(apart, 5) * ~constant
    prior += add * (1.0 + 1.5 * counts - 3.0 * (years > 0) - 1.0 * constant)
    prior += subtract * np.where(years == 2, 3.0 + 1.5 * dateline, np.where(years == 1, -1.0, 0.3))
    prior -= 2.0 * dateline * (years < 2)
    century = subtract & constant & (years == 1) & (operands.values[right] >= 1900)
    return np.asarray(np.where(century, -2.5, prior))
