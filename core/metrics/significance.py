"""Whether one scorer is better than another on the same pairs: paired tests and their correction.

As in sacreBLEU (Koehn, 2004; Riezler and Maxwell, 2005): the same seed gives the same p-value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.metrics.pair_intervals import RESAMPLES, Interval, Units, interval, resampled
from core.metrics.pairs import FloatArray


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


def paired_bootstrap(one: FloatArray, other: FloatArray, value: float | None) -> Difference:
    """The difference of two scorers, from what each has in the same resamples.

    p is twice the share of resamples on the far side of zero, ties counted, with one added to both
    counts (Davison and Hinkley, 1997, section 4.2).

    Args:
        one: The measure of the first in each resample, float64 [resamples]; NaN where undefined.
        other: That of the second in the same resamples.
        value: The difference on the pairs themselves; None where undefined.
    """
    gaps = one - other
    span = interval(gaps)
    if value is None or span == (None, None):
        return Difference(None, (None, None), None)
    defined = gaps[~np.isnan(gaps)]
    far = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    return Difference(value, span, min(1.0, 2 * (far + 1) / (len(defined) + 1)))


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
    first, second = _f1(truth, np.asarray(one)), _f1(truth, np.asarray(other))
    return paired_bootstrap(
        resampled(truth, one, units, resamples=resamples, seed=seed)["f1"],
        resampled(truth, other, units, resamples=resamples, seed=seed)["f1"],
        None if first is None or second is None else first - second,
    )


def approximate_randomisation(
    labels: npt.ArrayLike,
    one: npt.ArrayLike,
    other: npt.ArrayLike,
    units: Units,
    *,
    rounds: int = RESAMPLES,
    seed: int = 0,
) -> float | None:
    """Two-sided p-value of the difference in F1, by swapping the decisions of two scorers.

    All pairs whose left headline lies in one unit are swapped together, since they are not
    independent. p is the share of rounds in which the difference is at least as large as measured,
    with one added to both counts.

    Returns:
        From 1 / (rounds + 1) to 1; None where an F1 is undefined.
    """
    truth = np.asarray(labels).astype(np.bool_)
    decided = np.stack([np.asarray(one).astype(np.bool_), np.asarray(other).astype(np.bool_)])
    first, second = _f1(truth, decided[0]), _f1(truth, decided[1])
    if first is None or second is None:
        return None
    # Per unit: true positives and calls of both, so that a round is four sums.
    hits, calls = (
        np.stack([np.bincount(units.left, row, units.count) for row in part.astype(np.float64)])
        for part in (decided & truth, decided)
    )
    swapped = np.random.default_rng(seed).integers(0, 2, size=(rounds, units.count)).astype(np.float64)
    moved_hits, moved_calls = swapped @ (hits[1] - hits[0]), swapped @ (calls[1] - calls[0])
    positives = truth.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        gaps = np.abs(
            2 * (hits[0].sum() + moved_hits) / (calls[0].sum() + moved_calls + positives)
            - 2 * (hits[1].sum() - moved_hits) / (calls[1].sum() - moved_calls + positives)
        )
    extreme = int((gaps >= abs(first - second) - 1e-12).sum())
    return (extreme + 1) / (rounds + 1)


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


def _f1(truth: npt.NDArray[np.bool_], called: npt.NDArray[np.bool_]) -> float | None:
    decided = called.astype(np.bool_)
    whole = int(truth.sum()) + int(decided.sum())
    return 2 * int((truth & decided).sum()) / whole if whole else None
