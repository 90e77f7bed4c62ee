"""Any scorer, fading with the days between two headlines: the paper's "+ Time" of zero-shot scorers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.pairs.fading import TAU_DAYS, time_factor, time_part
from core.pairs.scorer import Need, PairContext, Part, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.wrapping import BASE, Wrapper
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

THRESHOLD_SHARE = 0.77
"""What fading leaves of the best threshold of the scorer inside: the median over seven scorers without time,
on the train parts of UCI and AllSides; benchmarks/thresholds.py chooses it again, and tau."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedWithTime:
    """Another scorer's scores times time factors.

    Attributes:
        base: The scorer inside.
        days: Publication day, whole numbers as float64 [n]; NaN where unknown.
        tau_days: See `time_factor`.
    """

    base: PreparedScorer
    days: npt.NDArray[np.float64]
    tau_days: float

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        """Scores of the pairs (left[k], right[k]), float32 [m]."""
        return self.base.pairs(left, right) * time_factor(self.days[left] - self.days[right], self.tau_days)

    def block(self, rows: slice, columns: slice) -> Float32Array:
        """Scores of two ranges of headlines, float32 [rows, columns]."""
        apart = self.days[rows, None] - self.days[None, columns]
        return self.base.block(rows, columns) * time_factor(apart, self.tau_days)


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
            raise InputError(
                f"Scores of {self.base.partition('|')[0]} can be below 0, and fading would raise those.",
                hint="Put `calibrated` around it first.",
            )

    @property
    def scale(self) -> ScoreScale:
        """From 0 to the greatest score of the scorer inside."""
        base = self.inner.scale
        return ScoreScale(low=0.0, high=base.high, symmetric=base.symmetric)

    @property
    def needs(self) -> frozenset[Need]:
        """Dates, and what the scorer inside needs."""
        return self.inner.needs | {Need.DATES}

    @property
    def threshold(self) -> float:
        """That of the scorer inside, scaled by `THRESHOLD_SHARE`."""
        return round(THRESHOLD_SHARE * self.inner.threshold, 6)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Prepares the scorer inside."""
        base = self.inner.prepare(context, runtime)
        return PreparedWithTime(base, np.floor(context.days), self.tau_days)

    def fade(self, left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> Float32Array:
        """The time factor, and what the dates leave inside."""
        factor = time_factor(np.floor(left) - np.floor(right), self.tau_days)
        return self.inner.fade(left, right) * factor

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The parts of the scorer inside, and time; time alone where it leaves nothing of them."""
        time = time_part(float(np.floor(context.days[left]) - np.floor(context.days[right])), self.tau_days)
        if not time.value:
            return (time,)
        within = min(score / time.value, self.scale.high)
        return (*self.inner.parts(context, left, right, within), time)
