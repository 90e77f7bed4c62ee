"""Cosine of two headlines' vectors, time left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.pairs.scorer import (
    Need,
    PairContext,
    Part,
    PreparedScorer,
    ScoreScale,
    pair_scorers,
    require_vectors,
)
from core.pairs.timeless import Timeless
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

_PAIRS_AT_ONCE = 65_536  # bounds the memory of gathered vectors: 2 × 100 MB at 384 dimensions


@dataclass(frozen=True, slots=True, eq=False)
class PreparedCosine:
    """Cosines between rows of one matrix of unit vectors, cut to 0 to 1.

    Attributes:
        vectors: Unit vectors, float32 [n, d].
    """

    vectors: Float32Array

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        """Cosines of the pairs (left[k], right[k]), float32 [m], 0 to 1."""
        scores = np.empty(len(left), dtype=np.float32)
        for start in range(0, len(left), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            scores[part] = np.einsum("md,md->m", self.vectors[left[part]], self.vectors[right[part]])
        return np.clip(scores, 0.0, 1.0, out=scores)

    def block(self, rows: slice, columns: slice) -> Float32Array:
        """Cosines of two ranges of headlines, float32 [rows, columns], 0 to 1."""
        scores: Float32Array = self.vectors[rows] @ self.vectors[columns].T
        return np.clip(scores, 0.0, 1.0, out=scores)


@pair_scorers.register("cosine.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Cosine(Timeless):
    """Cosine of the encoder's vectors, negative values counted as 0; dates play no part."""

    summary: ClassVar[str] = "How close the meanings of two headlines are; dates play no part"
    scale: ClassVar[ScoreScale] = ScoreScale(low=0.0, high=1.0, symmetric=True)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})
    # Best F1 on the train parts of UCI, AllSides and ECB+; benchmarks/thresholds.py chooses it again.
    threshold: ClassVar[float] = 0.36

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Takes the vectors.

        Raises:
            InputError: The context has no vectors.
        """
        require_vectors(context)
        return PreparedCosine(context.vectors)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The meaning alone."""
        return (Part("meaning", score),)
