"""Scorers around another one: in both orders, faded with time, or as probabilities."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray, IntArray
from core.errors import InputError
from core.pairs.context import PairContext
from core.pairs.fading import TAU_DAYS, tau_variants, time_factor, time_part
from core.pairs.scorer import Asked, Need, PairScorer, PreparedScorer, ScorePart, ScoreScale, pair_scorers
from core.registry import number
from core.runtime import Runtime
from core.statistics.logistic import fit_logistic, logistic

DEEPEST: Final = 8  # scorers that may stand around each other: more is a mistake, and reading them recurses

BASE: Final = {"help": "the scorer inside: its name, or its signature", "label": "Scorer inside"}
THRESHOLD_SHARE: Final = 0.77
"""What fading leaves of the best threshold inside: a median on the train parts of UCI and AllSides (seven
scorers); benchmarks/thresholds.py chooses it again, and tau."""
EDGE: Final = 1e-6  # share of a scale; scores nearer to its ends count as this near: finite log-odds


class AroundScorer(PairScorer):
    """Base of scorers around another one, `base`: its full signature pins version and parameters."""

    __slots__ = ()

    base: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "base", completed(self.base))

    @property
    def inner(self) -> PairScorer:
        return parsed(self.base)

    @property
    def inside(self) -> tuple[PairScorer, ...]:
        return (self.inner,)

    @property
    def needs(self) -> frozenset[Need]:
        return self.inner.needs

    @property
    def threshold(self) -> float:
        return self.inner.threshold


class Wrapper(AroundScorer):
    """Base of scorers that change each score by itself: what they do not change is the inner scorer's."""

    __slots__ = ()

    @property
    def scale(self) -> ScoreScale:
        return self.inner.scale

    @property
    def window_days(self) -> float:
        return self.inner.window_days

    def fade(self, left: FloatArray, right: FloatArray) -> Float32Array:
        return self.inner.fade(left, right)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        return self.inner.parts(context, left, right, score)

    @abstractmethod
    def from_inside(self, ask: Asked, days_apart: FloatArray) -> Float32Array:
        """See `PairScorer`."""

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        return PreparedWrapper(self, self.inner.prepare(context, runtime), np.floor(context.days))


@lru_cache(maxsize=256)
def parsed(signature: str) -> PairScorer:
    return pair_scorers.parse(signature)


def completed(inside: str) -> str:
    if inside.count("(") > DEEPEST:
        message = f"More than {DEEPEST} scorers stand around each other."
        raise InputError(message, hint="Leave some of them out.")
    return pair_scorers.signature(pair_scorers.parse(inside))  # anew: an address may be set since


@dataclass(frozen=True, slots=True, eq=False)
class PreparedWrapper:
    wrapper: Wrapper
    base: PreparedScorer
    days: FloatArray

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        return self.wrapper.from_inside(
            lambda swapped: self.base.pairs(right, left) if swapped else self.base.pairs(left, right),
            self.days[left] - self.days[right],
        )

    def block(self, rows: slice, columns: slice) -> Float32Array:
        return self.wrapper.from_inside(
            lambda swapped: self.base.block(columns, rows).T if swapped else self.base.block(rows, columns),
            self.days[rows, None] - self.days[None, columns],
        )


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
        base = self.inner.scale
        return ScoreScale(low=base.low, high=base.high, symmetric=True)

    def from_inside(self, ask: Asked, days_apart: FloatArray) -> Float32Array:
        return ask(False) if self.inner.scale.symmetric else (ask(False) + ask(True)) * np.float32(0.5)


@pair_scorers.register("with_time.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class WithTime(Wrapper):
    """Another scorer's score times exp(-days apart / tau), in whole days.

    In grouping, a pair without both dates keeps the scorer's own score.

    Source: HLGD (Laban et al. 2021), eq. 2 and 4.
    """

    summary: ClassVar[str] = "Another scorer, fading with the days between two headlines"

    base: str = field(default="levenshtein.v1", metadata=BASE)
    tau_days: float = field(default=2.8, metadata=TAU_DAYS)

    def __post_init__(self) -> None:
        Wrapper.__post_init__(self)
        if self.inner.scale.low < 0:
            message = f"Scores of {self.base.partition('|')[0]} can be below 0, and fading would raise those."
            raise InputError(message, hint="Put `calibrated` around it first.")

    @property
    def scale(self) -> ScoreScale:
        base = self.inner.scale
        return ScoreScale(low=0.0, high=base.high, symmetric=base.symmetric)

    @property
    def needs(self) -> frozenset[Need]:
        return self.inner.needs | {Need.DATES}

    @property
    def threshold(self) -> float:
        return round(THRESHOLD_SHARE * self.inner.threshold, 6)

    def from_inside(self, ask: Asked, days_apart: FloatArray) -> Float32Array:
        return ask(False) * time_factor(days_apart, self.tau_days)

    def fade(self, left: FloatArray, right: FloatArray) -> Float32Array:
        factor = time_factor(np.floor(left) - np.floor(right), self.tau_days)
        return self.inner.fade(left, right) * factor

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        time = time_part(float(np.floor(context.days[left]) - np.floor(context.days[right])), self.tau_days)
        if not time.value:
            return (time,)
        within = min(score / time.value, self.scale.high)
        return (*self.inner.parts(context, left, right, within), time)

    def variants(self, days_apart: FloatArray, labels: IntArray) -> Sequence[PairScorer]:
        return tau_variants(self)


@pair_scorers.register("calibrated.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Calibrated(Wrapper):
    """Another scorer's scores as probabilities: Platt scaling of their log-odds.

    P = 1 / (1 + exp(-(intercept + slope x log-odds))), with the scorer's scale stretched to 0 to 1 first. No
    order and no decision changes; `fit_curve` finds the two numbers. What dates leave is near the inner
    scorer's.

    Source: Platt (1999), "Probabilistic outputs for support vector machines".
    """

    summary: ClassVar[str] = "Another scorer, with its scores as probabilities"
    part: ClassVar[str] = "probability"

    base: str = field(default="levenshtein.v1", metadata=BASE)
    slope: float = number(1.0, 1e-6, 1e6, "how steeply the log-odds grow")
    intercept: float = number(0.0, -1e6, 1e6, "log-odds of a score in the middle")

    def __post_init__(self) -> None:
        Wrapper.__post_init__(self)
        scale = self.inner.scale
        if not np.isfinite([scale.low, scale.high]).all():
            message = f"Scores of {self.base.partition('|')[0]} have no bounds, so they have no log-odds."
            raise InputError(message, hint="Choose a scorer with a bounded scale.")

    @property
    def scale(self) -> ScoreScale:
        return ScoreScale(low=0.0, high=1.0, symmetric=self.inner.scale.symmetric)

    @property
    def threshold(self) -> float:
        return float(self.probability(np.array([self.inner.threshold], dtype=np.float32))[0])

    def from_inside(self, ask: Asked, days_apart: FloatArray) -> Float32Array:
        return self.probability(ask(False))

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        return PairScorer.parts(self, context, left, right, score)

    def probability(self, scores: Float32Array) -> Float32Array:
        """Probabilities of scores of the scorer inside, float32 of the same shape, 0 to 1."""
        odds = log_odds(scores, self.inner.scale)
        return logistic(self.slope * odds + self.intercept).astype(np.float32)


def log_odds(scores: npt.NDArray[np.floating], scale: ScoreScale) -> FloatArray:
    """Log-odds of scores on a bounded scale, stretched to 0 to 1 and kept `EDGE` away from both."""
    from scipy.special import logit

    share = (np.asarray(scores, dtype=np.float64) - scale.low) / (scale.high - scale.low)
    return np.asarray(logit(np.clip(share, EDGE, 1 - EDGE)))


def fit_curve(base: str, scores: npt.NDArray[np.floating], labels: npt.ArrayLike) -> Calibrated:
    slope, intercept = fit_logistic(log_odds(scores, pair_scorers.parse(base).scale), labels)
    if slope <= 0:
        message = f"Higher scores of {base.partition('|')[0]} do not go with the same event on these pairs."
        raise InputError(message, hint="Choose another scorer, or other pairs.")
    return Calibrated(base=base, slope=slope, intercept=intercept)
