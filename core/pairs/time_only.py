"""Days between two headlines and nothing else: the time-only baseline of the HLGD paper."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.pairs.logistic import fit_logistic, logistic
from core.pairs.scorer import Need, PairContext, Part, PreparedScorer, ScoreScale, pair_scorers
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PreparedTimeOnly:
    """Logistic scores of differences in whole days.

    Attributes:
        days: Publication day, whole numbers as float64 [n]; NaN where unknown.
        intercept: Of the logistic curve.
        slope: Of the logistic curve, a day.
    """

    days: npt.NDArray[np.float64]
    intercept: float
    slope: float

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        """Scores of the pairs (left[k], right[k]), float32 [m], 0 to 1; 0 where a date is missing."""
        return self._score(self.days[left] - self.days[right])

    def block(self, rows: slice, columns: slice) -> Float32Array:
        """Scores of two ranges of headlines, float32 [rows, columns], 0 to 1; 0 where a date is missing."""
        return self._score(self.days[rows, None] - self.days[None, columns])

    def _score(self, apart: npt.NDArray[np.float64]) -> Float32Array:
        scores = logistic(self.intercept + self.slope * np.abs(apart)).astype(np.float32)
        return np.nan_to_num(scores, copy=False, nan=0.0)


@pair_scorers.register("time_only.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TimeOnly:
    """Logistic regression on the whole days between two headlines; what they say plays no part.

    P(same event) = 1 / (1 + exp(-(intercept + slope x days))). Where grouping meets a headline without a
    date, its score with any other is 0: there is nothing that would join them.

    Source: HLGD (Laban et al. 2021), section 4, "Time only".
    """

    summary: ClassVar[str] = "How many days lie between two headlines, whatever they say"
    scale: ClassVar[ScoreScale] = ScoreScale(low=0.0, high=1.0, symmetric=True)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DATES})
    # Best F1 on the train parts of UCI, AllSides and ECB+; benchmarks/thresholds.py chooses it again.
    threshold: ClassVar[float] = 0.25

    # Fitted on the train parts of UCI and AllSides with the delays of benchmarks/thresholds.py.
    intercept: float = field(
        default=-0.61, metadata={"help": "log-odds on the same day", "low": -100.0, "high": 100.0}
    )
    slope: float = field(
        default=-1.15,
        metadata={"help": "change of the log-odds with each day between", "low": -100.0, "high": 0.0},
    )

    @property
    def window_days(self) -> float:
        """Infinite: every pair is compared."""
        return math.inf

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Takes the dates."""
        return PreparedTimeOnly(np.floor(context.days), self.intercept, self.slope)

    def fade(self, left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> Float32Array:
        """The score as a share of that of the same day; 1 where a date is missing."""
        apart = np.abs(np.floor(left) - np.floor(right))
        share = logistic(self.intercept + self.slope * apart) / logistic(np.array(self.intercept))
        return np.nan_to_num(share.astype(np.float32), nan=1.0)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The days alone."""
        apart = abs(float(np.floor(context.days[left]) - np.floor(context.days[right])))
        if np.isnan(apart):
            return (Part("a date is missing", score),)
        days = round(apart)
        return (Part("the same day" if not days else f"{days} day{'s' if days > 1 else ''} apart", score),)


def fit(days_apart: npt.ArrayLike, labels: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> TimeOnly:
    """The scorer whose curve fits labelled pairs.

    Where nearer pairs are not likelier to be of the same event the slope is 0, and the score is the share
    of pairs of the same event whatever the dates.

    Args:
        days_apart: Whole days between the headlines of each training pair, at least 0, [m].
        labels: 1 same event, 0 different, [m].
        weights: What each pair counts, [m]; 1 if None.

    Raises:
        InputError: All labels are the same, or a date is missing.
    """
    apart = np.asarray(days_apart, dtype=np.float64)
    if np.isnan(apart).any():
        raise InputError("A pair lacks a date.", hint="Fit the curve on pairs with both dates.")
    slope, intercept = fit_logistic(apart, labels, weights)
    if slope > 0:
        slope, intercept = fit_logistic(np.zeros_like(apart), labels, weights)
    return TimeOnly(intercept=intercept, slope=slope)
