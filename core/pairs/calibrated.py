"""Any scorer, with its scores as probabilities."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.pairs.logistic import fit_logistic, logistic
from core.pairs.scorer import PairContext, Part, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.wrapping import BASE, Wrapper
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

EDGE = 1e-6
"""Scores nearer to the ends of their scale than this share of it count as this near: log-odds stay finite."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedCalibrated:
    """Another scorer's scores, passed through a curve.

    Attributes:
        base: The scorer inside.
        recipe: Holds the curve.
    """

    base: PreparedScorer
    recipe: Calibrated

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        """Probabilities of the pairs (left[k], right[k]), float32 [m]."""
        return self.recipe.probability(self.base.pairs(left, right))

    def block(self, rows: slice, columns: slice) -> Float32Array:
        """Probabilities of two ranges of headlines, float32 [rows, columns]."""
        return self.recipe.probability(self.base.block(rows, columns))


@pair_scorers.register("calibrated.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Calibrated(Wrapper):
    """Another scorer's scores as probabilities: Platt scaling of their log-odds.

    P = 1 / (1 + exp(-(intercept + slope x log-odds))), with the scorer's scale stretched to 0 to 1 first.
    The order of scores and, with the threshold that comes with it, every decision stay the same. The
    defaults change nothing; `fit` finds the two numbers on labelled pairs. What dates leave of scores is
    taken over from inside; after the curve it is near, not exact.

    Source: Platt (1999), "Probabilistic outputs for support vector machines".
    """

    summary: ClassVar[str] = "Another scorer, with its scores as probabilities"

    base: str = field(default="levenshtein.v1", metadata=BASE)
    slope: float = field(
        default=1.0, metadata={"help": "how steeply the log-odds grow", "low": 1e-6, "high": 1e6}
    )
    intercept: float = field(
        default=0.0, metadata={"help": "log-odds of a score in the middle", "low": -1e6, "high": 1e6}
    )

    def __post_init__(self) -> None:
        Wrapper.__post_init__(self)
        scale = self.inner.scale
        if not np.isfinite([scale.low, scale.high]).all():
            raise InputError(
                f"Scores of {self.base.partition('|')[0]} have no bounds, so they have no log-odds.",
                hint="Choose a scorer with a bounded scale.",
            )

    @property
    def scale(self) -> ScoreScale:
        """Probabilities."""
        return ScoreScale(low=0.0, high=1.0, symmetric=self.inner.scale.symmetric)

    @property
    def threshold(self) -> float:
        """That of the scorer inside, on the new scale."""
        return float(self.probability(np.array([self.inner.threshold], dtype=np.float32))[0])

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Prepares the scorer inside."""
        return PreparedCalibrated(self.inner.prepare(context, runtime), self)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The probability alone: the curve bends the parts of the scorer inside."""
        return (Part("probability", score),)

    def probability(self, scores: npt.NDArray[np.float32]) -> Float32Array:
        """Probabilities of scores of the scorer inside, float32 of the same shape, 0 to 1."""
        odds = log_odds(scores, self.inner.scale)
        return logistic(self.slope * odds + self.intercept).astype(np.float32)


def log_odds(scores: npt.NDArray[np.floating], scale: ScoreScale) -> npt.NDArray[np.float64]:
    """Log-odds of scores on a bounded scale, stretched to 0 to 1 and kept `EDGE` away from both."""
    from scipy.special import logit

    share = (np.asarray(scores, dtype=np.float64) - scale.low) / (scale.high - scale.low)
    return np.asarray(logit(np.clip(share, EDGE, 1 - EDGE)))


def fit(base: str, scores: npt.NDArray[np.floating], labels: npt.ArrayLike) -> Calibrated:
    """The scorer whose scores are probabilities on labelled pairs.

    Args:
        base: Name or signature of the scorer that gave the scores.
        scores: Of training pairs, [m].
        labels: 1 same event, 0 different, [m].

    Raises:
        InputError: All labels are the same, a score is not a number, or higher scores do not go with the
            same event.
        UnknownNameError: No such scorer.
    """
    slope, intercept = fit_logistic(log_odds(scores, pair_scorers.parse(base).scale), labels)
    if slope <= 0:
        raise InputError(
            f"Higher scores of {base.partition('|')[0]} do not go with the same event on these pairs.",
            hint="Choose another scorer, or other pairs.",
        )
    return Calibrated(base=base, slope=slope, intercept=intercept)
