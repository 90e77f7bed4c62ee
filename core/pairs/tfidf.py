"""Cosine of headlines as weighted words, fitted in the timeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.pairs.lexical import word_vectors
from core.pairs.scorer import Need, PairContext, Part, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.timeless import Timeless
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

if TYPE_CHECKING:
    from scipy import sparse


@dataclass(frozen=True, slots=True, eq=False)
class PreparedTfidf:
    """Cosines between sparse rows of unit length.

    Attributes:
        words: Unit TF-IDF rows, float32 CSR [n, words].
    """

    words: sparse.csr_matrix

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        """Cosines of the pairs (left[k], right[k]), float32 [m], 0 to 1."""
        products = self.words[left].multiply(self.words[right])
        return np.clip(np.asarray(products.sum(axis=1), dtype=np.float32).ravel(), 0.0, 1.0)

    def block(self, rows: slice, columns: slice) -> Float32Array:
        """Cosines of two ranges of headlines, float32 [rows, columns], 0 to 1."""
        cosines: Float32Array = (self.words[rows] @ self.words[columns].T).toarray()
        return np.clip(cosines, 0.0, 1.0, out=cosines)


@pair_scorers.register("tfidf.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Tfidf(Timeless):
    """Cosine of TF-IDF vectors, fitted in the timeline; words that are common in it count for less.

    See `core.pairs.lexical.word_vectors`. 0 where either headline has no content word.

    Source: Salton and Buckley (1988), "Term-weighting approaches in automatic text retrieval".
    """

    summary: ClassVar[str] = "Shared words, weighted by how rare they are in the timeline"
    scale: ClassVar[ScoreScale] = ScoreScale(low=0.0, high=1.0, symmetric=True)
    needs: ClassVar[frozenset[Need]] = frozenset()
    # Best F1 on the train parts of UCI, AllSides and ECB+; benchmarks/thresholds.py chooses it again.
    threshold: ClassVar[float] = 0.04

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Fits the words."""
        return PreparedTfidf(word_vectors(context.texts))

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The shared words alone."""
        return (Part("shared words", score),)
