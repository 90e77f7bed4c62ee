"""How far scores are from probabilities."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray
from core.errors import InputError
from core.statistics.bootstrap import Figure

BINS = 10  # bins of equal width, as in Guo et al. (2017)


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    low: float
    high: float
    pairs: int
    mean_score: float | None
    share: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far scores are from probabilities; lower is better, 0 is perfect."""

    error: Figure  # mean over pairs of |mean score of its bin - share of it that is the same event|
    brier: Figure  # mean squared distance between score and label
    bins: tuple[CalibrationBin, ...]  # the reliability curve


def checked(labels: npt.ArrayLike, scores: npt.ArrayLike) -> tuple[BoolArray, FloatArray]:
    """Labels as bool and scores as float64, when they can be measured."""
    truth, values = np.asarray(labels), np.asarray(scores, dtype=np.float64)
    if truth.shape != values.shape or truth.ndim != 1:
        message = f"There are {truth.size:,} labels and {values.size:,} scores."
        raise InputError(message, hint="Give one of each for every pair.")
    if truth.dtype != np.bool_ and not np.isin(truth, (0, 1)).all():
        hint = "1 is the same event, 0 a different one; leave pairs without a label out."
        raise InputError("Some labels are neither 0 nor 1.", hint=hint)
    missing = int(np.isnan(values).sum())
    if missing:
        hint = "Leave the pairs that could not be scored out, or use a scorer that scores them."
        raise InputError(f"{missing:,} of {len(values):,} scores are not a number.", hint=hint)
    return truth.astype(np.bool_), values


def calibration(labels: npt.ArrayLike, scores: npt.ArrayLike, *, bins: int = BINS) -> Calibration:
    """How well scores serve as probabilities of the same event; with one outside 0 to 1 nothing is measured.

    Sources: Brier (1950); expected calibration error, Naeini, Cooper and Hauskrecht (2015).
    """
    truth, values = checked(labels, scores)
    reason = _why_not(values)
    if reason:
        nothing = tuple(CalibrationBin(k / bins, (k + 1) / bins, 0, None, None) for k in range(bins))
        return Calibration(Figure(None, reason), Figure(None, reason), nothing)
    place = np.minimum((values * bins).astype(np.int64), bins - 1)
    count = np.bincount(place, minlength=bins)
    score_sum = np.bincount(place, weights=values, minlength=bins)
    same = np.bincount(place, weights=truth.astype(np.float64), minlength=bins)
    curve = tuple(
        CalibrationBin(
            low=k / bins,
            high=(k + 1) / bins,
            pairs=int(count[k]),
            mean_score=float(score_sum[k] / count[k]) if count[k] else None,
            share=float(same[k] / count[k]) if count[k] else None,
        )
        for k in range(bins)
    )
    return Calibration(
        error=Figure(float(np.abs(score_sum - same).sum() / len(values))),
        brier=Figure(float(np.mean((values - truth) ** 2))),
        bins=curve,
    )


def _why_not(values: FloatArray) -> str:
    if not len(values):
        return "there are no labelled pairs"
    if values.min() < 0 or values.max() > 1:
        return "its scores are not between 0 and 1, so they are no probabilities"
    return ""
