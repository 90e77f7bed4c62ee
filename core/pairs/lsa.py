"""Latent semantic analysis: words that occur together in the timeline stand for each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.pairs.cosine import PreparedCosine
from core.pairs.lexical import word_vectors
from core.pairs.scorer import Need, PairContext, Part, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.tfidf import PreparedTfidf
from core.pairs.timeless import Timeless
from core.runtime import Runtime
from core.similarities import Float32Array

_NOTHING_LEFT = 1e-6
"""Length below which a projected headline is rounding noise and has no direction."""


@pair_scorers.register("lsa.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Lsa(Timeless):
    """Cosine after a truncated singular value decomposition of the timeline's TF-IDF matrix.

    Negative cosines count as 0, and so does a headline of which no kept dimension tells anything. Where
    the timeline has no more headlines or words than dimensions, nothing is cut off, and the cosines are
    those of TF-IDF. Where singular values are equal at the cut, which of them is kept is arbitrary.

    Source: Deerwester et al. (1990), "Indexing by latent semantic analysis".
    """

    summary: ClassVar[str] = "Shared topics: words that occur together in the timeline stand for each other"
    scale: ClassVar[ScoreScale] = ScoreScale(low=0.0, high=1.0, symmetric=True)
    needs: ClassVar[frozenset[Need]] = frozenset()
    # Best F1 on the train parts of UCI, AllSides and ECB+; benchmarks/thresholds.py chooses it again.
    threshold: ClassVar[float] = 0.17

    dimensions: int = field(
        default=100, metadata={"help": "topics that are kept of the timeline", "low": 1, "high": 2_000}
    )

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Fits words and topics."""
        words = word_vectors(context.texts)
        if self.dimensions >= min(words.shape):
            return PreparedTfidf(words)
        from scipy.sparse.linalg import svds

        start = np.random.default_rng(runtime.seed).normal(size=min(words.shape))
        left, values, _ = svds(words.astype(np.float64), k=self.dimensions, v0=start)
        return PreparedCosine(_unit(left * values))

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The shared topics alone."""
        return (Part("shared topics", score),)


def _unit(rows: np.ndarray) -> Float32Array:
    """Rows of length 1; those that are all but 0 become 0."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.where(lengths > _NOTHING_LEFT, rows / np.maximum(lengths, _NOTHING_LEFT), 0).astype(np.float32)
