"""One way in which a number can come from an article, and many of them as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from core.numerals.derivations.operands import BoolArray, FloatArray, IntArray
from core.numerals.expressions.tree import Expression

MOST_SOURCES: Final = 3
"""Further sources of a candidate are not looked at."""


@dataclass(frozen=True, slots=True)
class DerivationCandidate:
    """An expression over an article's numerals, before anything is said about how likely it is.

    Attributes:
        expression: In NumHG's terms, leaves as they are written in the article.
        sources: Rows of the numerals in `ReadArticle.numerals` that it uses, in order of its leaves; a leaf
            that the article lacks (a constant) has none.
        value: What it amounts to, in the same terms as the bare number at the place: 3 for "$____K" and an
            article's "$3,000".
        answer: How the number is written into a headline: "3", "1.5", "1,300".
        way: One of `core.numerals.attachment.WAYS`.
    """

    expression: Expression
    sources: tuple[int, ...]
    value: Fraction
    answer: str
    way: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate that the search found.

    Attributes:
        candidate: See `DerivationCandidate`.
        prior: Log-odds-like, from the article alone; the likeliest proposals are kept.
    """

    candidate: DerivationCandidate
    prior: float


@dataclass(frozen=True, slots=True, eq=False)
class Used:
    """Sources of m candidates as a table.

    Attributes:
        rows: Rows of numerals, int64 [m, 3]; 0 where there is none.
        there: Whether there is one, bool [m, 3].
        counts: How many, float64 [m].
    """

    rows: IntArray
    there: BoolArray
    counts: FloatArray

    def mean(self, given: FloatArray | IntArray | BoolArray) -> FloatArray:
        """Mean of a numeral's number over the sources, float64 [m]; 0 without a source."""
        total = np.where(self.there, given[self.rows], 0.0).sum(axis=1)
        return np.asarray(total / np.maximum(self.counts, 1))

    def least(self, given: FloatArray) -> FloatArray:
        """Smallest number over the sources, float64 [m]; 0 without a source."""
        least = np.where(self.there, given[self.rows], np.inf).min(axis=1)
        return np.asarray(np.where(self.counts > 0, least, 0.0))

    def spread(self, given: FloatArray | IntArray) -> FloatArray:
        """Largest less smallest number over the sources, float64 [m]; 0 without a source."""
        held = given[self.rows].astype(np.float64)
        low = np.where(self.there, held, np.inf).min(axis=1)
        high = np.where(self.there, held, -np.inf).max(axis=1)
        return np.asarray(np.where(self.counts > 0, high - np.where(self.counts > 0, low, 0), 0.0))


def used_by(candidates: Sequence[DerivationCandidate]) -> Used:
    """The first three sources of each candidate."""
    rows = np.zeros((len(candidates), MOST_SOURCES), dtype=np.int64)
    there = np.zeros(rows.shape, dtype=np.bool_)
    for place, candidate in enumerate(candidates):
        taken = candidate.sources[:MOST_SOURCES]
        rows[place, : len(taken)] = taken
        there[place, : len(taken)] = True
    return Used(rows, there, there.sum(axis=1).astype(np.float64))
