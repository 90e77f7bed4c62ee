"""Days between two headlines and nothing else: the time-only baseline of the HLGD paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array
from core.errors import InputError
from core.pairs.logistic import fit_logistic, logistic
from core.pairs.scorer import Formula, Need, PairContext, PairScorer, PreparedScorer, ScorePart, pair_scorers
from core.pairs.selection import Selection
from core.runtime import Runtime

STEEPEST = 100.0
"""Of slope and intercept: they stay finite where all pairs of the same event are nearer than the others."""
FEWEST = 5
"""Training pairs of each label without which the curve is not fitted."""


@pair_scorers.register("time_only.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TimeOnly(PairScorer):
    """Logistic regression on the whole days between two headlines; what they say is ignored.

    P(same event) = 1 / (1 + exp(-(intercept + slope x days))). Where grouping meets a headline without a
    date, its score with any other is 0: there is nothing that would join them.

    Source: HLGD (Laban et al. 2021), section 4, "Time only".
    """

    summary: ClassVar[str] = "How many days lie between two headlines, whatever they say"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DATES})
    threshold: ClassVar[float] = 0.25

    # Fitted on the train parts of UCI and AllSides with the delays of benchmarks/thresholds.py.
    intercept: float = field(
        default=-0.60, metadata={"help": "log-odds on the same day", "low": -STEEPEST, "high": STEEPEST}
    )
    slope: float = field(
        default=-1.15,
        metadata={"help": "change of the log-odds with each day between", "low": -STEEPEST, "high": 0.0},
    )

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        days = np.floor(context.days)

        def score(at: Selection) -> Float32Array:
            apart = np.abs(np.subtract(*at.sides(days)))
            scores = logistic(self.intercept + self.slope * apart).astype(np.float32)
            return np.nan_to_num(scores, copy=False, nan=0.0)

        return Formula(score)

    def fade(self, left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> Float32Array:
        apart = np.abs(np.floor(left) - np.floor(right))
        share = logistic(self.intercept + self.slope * apart) / logistic(np.array(self.intercept))
        return np.nan_to_num(share.astype(np.float32), nan=1.0)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        apart = abs(float(np.floor(context.days[left]) - np.floor(context.days[right])))
        if np.isnan(apart):
            return (ScorePart("a date is missing", score),)
        days = round(apart)
        return (
            ScorePart("the same day" if not days else f"{days} day{'s' if days > 1 else ''} apart", score),
        )

    def variants(
        self, days_apart: npt.NDArray[np.float64], labels: npt.NDArray[np.int64]
    ) -> Sequence[PairScorer]:
        dated = ~np.isnan(days_apart)
        same = int(labels[dated].sum())
        enough = min(same, int(dated.sum()) - same) >= FEWEST
        return (fit(days_apart[dated], labels[dated]) if enough else self,)


def fit(days_apart: npt.ArrayLike, labels: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> TimeOnly:
    """The scorer whose curve fits labelled pairs.

    Where nearer pairs are not likelier to be of the same event the slope is 0, and the score is the share
    of pairs of the same event whatever the dates.
    """
    apart = np.asarray(days_apart, dtype=np.float64)
    if np.isnan(apart).any():
        raise InputError("A pair lacks a date.", hint="Fit the curve on pairs with both dates.")
    # One softened pair years apart would outweigh hundreds of a few days.
    slope, intercept = fit_logistic(
        apart, labels, weights, softened=False, slopes=(-STEEPEST, 0.0), furthest=STEEPEST
    )
    return TimeOnly(intercept=intercept, slope=slope)
