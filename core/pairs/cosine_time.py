"""Cosine of two headlines' vectors that fades with the days between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.pairs.cosine import PreparedCosine
from core.pairs.fading import TAU_DAYS, WINDOW_DAYS, time_factor, time_part
from core.pairs.scorer import (
    Need,
    PairContext,
    Part,
    PreparedScorer,
    ScoreScale,
    pair_scorers,
    require_vectors,
)
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PreparedCosineTime:
    """Cosines times time factors.

    Attributes:
        cosine: The part without time.
        days: Publication time in days, float64 [n]; NaN where unknown.
        tau_days: See `time_factor`.
    """

    cosine: PreparedCosine
    days: npt.NDArray[np.float64]
    tau_days: float

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        """Scores of the pairs (left[k], right[k]), float32 [m], 0 to 1."""
        scores = self.cosine.pairs(left, right)
        scores *= time_factor(self.days[left] - self.days[right], self.tau_days)
        return scores

    def block(self, rows: slice, columns: slice) -> Float32Array:
        """Scores of two ranges of headlines, float32 [rows, columns], 0 to 1."""
        scores = self.cosine.block(rows, columns)
        scores *= time_factor(self.days[rows, None] - self.days[None, columns], self.tau_days)
        return scores


@pair_scorers.register("cosine_time.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CosineTime:
    """Cosine of the encoder's vectors times exp(-|days apart| / tau_days).

    Where either date is missing the time factor is exactly 1 and the window does not apply.
    """

    summary: ClassVar[str] = "How close two headlines are in meaning and in time"
    scale: ClassVar[ScoreScale] = ScoreScale(low=0.0, high=1.0, symmetric=True)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})
    # Best F1 on the train parts of UCI, AllSides and ECB+; benchmarks/thresholds.py chooses it again.
    threshold: ClassVar[float] = 0.32

    tau_days: float = field(default=8.0, metadata=TAU_DAYS)
    window_days: float = field(default=14.0, metadata=WINDOW_DAYS)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Takes the vectors and the dates.

        Raises:
            InputError: The context has no vectors.
        """
        require_vectors(context)
        return PreparedCosineTime(PreparedCosine(context.vectors), context.days, self.tau_days)

    def fade(self, left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> Float32Array:
        """The time factor."""
        return time_factor(left - right, self.tau_days)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The meaning, and what the dates leave of it."""
        meaning = float(np.clip(context.vectors[left] @ context.vectors[right], 0.0, 1.0))
        return (Part("meaning", meaning), time_part(context.days[left] - context.days[right], self.tau_days))
