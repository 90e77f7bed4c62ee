"""Any scorer asked in both orders, so that swapping two headlines never changes the answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.pairs.scorer import PairContext, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.wrapping import BASE, Wrapper
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PreparedSymmetric:
    """Means of another scorer's scores of both orders.

    Attributes:
        base: The scorer inside.
    """

    base: PreparedScorer

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        """Scores of the pairs (left[k], right[k]), float32 [m]."""
        return (self.base.pairs(left, right) + self.base.pairs(right, left)) * np.float32(0.5)

    def block(self, rows: slice, columns: slice) -> Float32Array:
        """Scores of two ranges of headlines, float32 [rows, columns]."""
        return (self.base.block(rows, columns) + self.base.block(columns, rows).T) * np.float32(0.5)


@pair_scorers.register("symmetric.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Symmetric(Wrapper):
    """The mean of another scorer's scores of (a, b) and (b, a).

    A scorer that is symmetric already is asked once.

    Source: HLGD (Laban et al. 2021), eq. 5.
    """

    summary: ClassVar[str] = "Another scorer in both orders, so that swapping headlines changes nothing"

    base: str = field(default="levenshtein.v1", metadata=BASE)

    @property
    def scale(self) -> ScoreScale:
        """That of the scorer inside, symmetric."""
        base = self.inner.scale
        return ScoreScale(low=base.low, high=base.high, symmetric=True)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Prepares the scorer inside."""
        base = self.inner
        prepared = base.prepare(context, runtime)
        return prepared if base.scale.symmetric else PreparedSymmetric(prepared)
