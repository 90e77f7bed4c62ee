"""Whether one scorer is better than another on the same pairs: paired tests and their correction.

As in sacreBLEU (Koehn, 2004; Riezler and Maxwell, 2005): the same seed gives the same p-value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.metrics.pair_intervals import RESAMPLES, Interval, Units, interval, resampled
from core.metrics.pairs import FloatArray, f1


@dataclass(frozen=True, slots=True)
class Difference:
    """F1 of one scorer minus that of another, on the same pairs.

    Attributes:
        value: The difference; None where one of the two is undefined.
        interval: 95 % interval; (None, None) where undefined.
        p: Two-sided p-value of no difference, never 0; None where undefined.
    """

    value: float | None
    interval: Interval
    p: float | None


def paired_bootstrap(
    one: FloatArray, other: FloatArray, value: float | None, *, units: int = 0
) -> Difference:
    """The difference of two scorers, from what each has in the same resamples.

    p is twice the share of resamples on the far side of zero, ties counted, with one added to both
    counts (Davison and Hinkley, 1997, section 4.2). Where none lies there, that says no more than
    "below 2 / resamples", which a correction for hundreds of comparisons would make meaningless; the tail of
    Student's t with the resamples' standard deviation and one degree of freedom less than there are
    units takes its place where it is smaller (Efron and Tibshirani, 1993, section 12.5).

    Args:
        one: The measure of the first in each resample, float64 [resamples]; NaN where undefined.
        other: That of the second in the same resamples.
        value: The difference on the pairs themselves; None where undefined.
        units: How many units were drawn from; 0 where that is not known, and p is counted alone.
    """
    gaps = one - other
    span = interval(gaps)
    if value is None or span == (None, None):
        return Difference(None, (None, None), None)
    defined = gaps[~np.isnan(gaps)]
    far = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    p = min(1.0, 2 * (far + 1) / (len(defined) + 1))
    return Difference(value, span, p if far else min(p, _tail(value, float(defined.std()), units)))


def _tail(value: float, deviation: float, units: int) -> float:
    """Two-sided p-value of Student's t, never 0; 1 where nothing varies or no degree of freedom is left."""
    from scipy.special import stdtr

    if not deviation or units < 2:
        return 1.0
    return max(float(2 * stdtr(units - 1, -abs(value) / deviation)), np.finfo(np.float64).tiny)


def compare(
    labels: npt.ArrayLike,
    one: npt.ArrayLike,
    other: npt.ArrayLike,
    units: Units,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Difference:
    """F1 of one scorer's decisions minus another's, by the paired bootstrap.

    Args:
        labels: 1 for the same event, else 0, [m].
        one: Whether the first calls each pair the same event, [m].
        other: Whether the second does.
        units: What is resampled.
        resamples: How often.
        seed: Of the draws.
    """
    truth = np.asarray(labels).astype(np.bool_)
    first, second = f1(truth, np.asarray(one)), f1(truth, np.asarray(other))
    return paired_bootstrap(
        resampled(truth, one, units, resamples=resamples, seed=seed)["f1"],
        resampled(truth, other, units, resamples=resamples, seed=seed)["f1"],
        None if first is None or second is None else first - second,
        units=units.count,
    )


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values corrected for how many there are, so that any false alarm among them stays rare.

    Source: Holm (1979). What is None counts for nothing and stays None.
    """
    places = [k for k, p in enumerate(p_values) if p is not None]
    given = np.array([p for p in p_values if p is not None], dtype=np.float64)
    order = np.argsort(given, kind="stable")
    steps = np.maximum.accumulate((len(given) - np.arange(len(given))) * given[order])
    corrected: list[float | None] = [None] * len(p_values)
    for place, value in zip(order.tolist(), np.minimum(steps, 1.0).tolist(), strict=True):
        corrected[places[place]] = value
    return corrected
