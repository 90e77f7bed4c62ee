"""Which features (words, pieces of words) each headline has, and how many two headlines share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Float32Array
from core.pairs.features.incidence import incidence, sums
from core.pairs.selection import Selection

if TYPE_CHECKING:
    from scipy import sparse

Ratio = Callable[[Float32Array, Float32Array], Float32Array]
"""Features shared and features of both added, to a score; arrays of one shape."""


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """Scores that depend on how many features two headlines have, and share.

    Attributes:
        has: 1 where a headline has a feature, float32 CSR [n, features].
        counts: Distinct features of each headline, float32 [n].
        ratio: Makes scores of counts.
    """

    has: sparse.csr_matrix
    counts: Float32Array
    ratio: Ratio

    def score(self, at: Selection) -> Float32Array:
        """Scores of a selection of pairs, float32 of its shape."""
        return self.ratio(at.shared(self.has, self.has), np.add(*at.sides(self.counts)))


def overlap(features: Iterable[frozenset[str]], ratio: Ratio) -> Overlap:
    """Counts the features of every headline once.

    Args:
        features: Distinct features of each headline.
        ratio: See `Ratio`.
    """
    has = incidence(list(features))
    return Overlap(has, sums(has), ratio)


def dice(shared: Float32Array, both: Float32Array) -> Float32Array:
    """Twice the features shared over those of both added, 0 to 1; 0 where neither has any (Dice 1945)."""
    return np.asarray(2 * shared / np.maximum(both, 1), dtype=np.float32)


def jaccard(shared: Float32Array, both: Float32Array) -> Float32Array:
    """Features shared over those that either has, 0 to 1; 0 where neither has any (Jaccard 1912)."""
    return np.asarray(shared / np.maximum(both - shared, 1), dtype=np.float32)
