"""How close the meanings of two headlines are, against what is usual in their timeline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.pairs.features.selection import Selection
from core.similarities import Float32Array

SAMPLED = 500
"""Headlines, evenly spaced, on which the usual cosine of a timeline is measured."""

PRIOR_PAIRS = 20
"""A timeline of few headlines is taken for a usual one, as if so many more pairs had been seen …"""

PRIOR_MEAN, PRIOR_SPREAD = 0.2, 0.15
"""… with this mean and standard deviation of the cosine (MiniLM on topical timelines)."""


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """Cosines of the encoder's vectors.

    A headline of a timeline on one topic is like all the others; only the distance from that says
    something, and it means the same for encoders whose cosines lie elsewhere.

    Attributes:
        vectors: Unit vectors, float32 [n, d].
        mean: Mean cosine of the timeline's pairs.
        spread: Their standard deviation, above 0.
    """

    vectors: Float32Array
    mean: float
    spread: float

    @staticmethod
    def of(vectors: Float32Array) -> Meaning:
        """Measures the usual cosine."""
        n = len(vectors)
        rows = np.unique(np.linspace(0, max(n - 1, 0), min(n, SAMPLED)).round().astype(np.int64))
        sample = vectors[rows]
        cosines = (sample @ sample.T)[np.triu_indices(len(sample), 1)].astype(np.float64)
        seen = len(cosines) + PRIOR_PAIRS
        mean = (cosines.sum() + PRIOR_PAIRS * PRIOR_MEAN) / seen
        variance = (((cosines - mean) ** 2).sum() + PRIOR_PAIRS * PRIOR_SPREAD**2) / seen
        return Meaning(vectors, float(mean), float(np.sqrt(variance)))

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """See `Family`: by how many standard deviations the cosine is above the mean."""
        cosine = at.inner(self.vectors)
        cosine -= np.float32(self.mean)
        cosine /= np.float32(self.spread)
        yield "meaning", cosine
