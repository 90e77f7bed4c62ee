"""Simulated studies over items and judges: what differences they would find."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.statistics import bootstrap, crossed

STUDIES: Final = 10_000  # simulated studies a design; a share of them is right to about one percentage point
WANTED: Final = 0.8  # share of studies that should find the difference


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedStudies:
    """Studies of two equally good systems: the ends of the interval of each, float64 [studies]."""

    lows: FloatArray
    highs: FloatArray

    @property
    def false_alarms(self) -> float:
        """Share of the studies whose interval leaves out 0 although there is no difference, 0-1."""
        return float(((self.lows > 0) | (self.highs < 0)).mean())

    def power(self, difference: float) -> float:
        """Share of the studies that find a difference: their interval lies above 0."""
        return float((self.lows + difference > 0).mean())

    def detectable(self, wanted: float = WANTED) -> float:
        """The smallest difference that so large a share of the studies finds."""
        ends = np.sort(-self.lows)
        return float(ends[min(len(ends) - 1, int(np.ceil(wanted * len(ends))) - 1)])


def simulated(
    variances: Sequence[float],
    *,
    items: float,
    judges: float,
    answers: float,
    level: float = 0.05,
    studies: int = STUDIES,
    seed: int = 0,
) -> SimulatedStudies:
    """Draws studies with these variances between items, judges and answers, and their intervals."""
    # All vary normally, so a mean is normal and mean squares are chi-squared. A difference moves all ends by
    # as much, so one simulation answers for every size.
    from scipy.special import gammaincinv, ndtri, stdtrit

    drawn, nothing = np.random.default_rng(seed).random((4, studies)), np.zeros(studies)
    item, judge, answer = variances
    of_item, of_judge = answers / items, answers / judges
    means = ndtri(drawn[0]) * np.sqrt(item / items + judge / judges + answer / answers)

    def mean_square(expected: float, freedom: float, ranks: FloatArray) -> FloatArray:
        freedom = max(1.0, freedom)
        return np.asarray(expected * 2 * gammaincinv(freedom / 2, ranks) / freedom)

    def between(each: float, own: float, rest: float, counts: float, ranks: FloatArray) -> FloatArray:
        return np.maximum(0.0, (mean_square(each * own + rest, counts - 1, ranks) - noise) / each)

    if judges == 1:  # items and answers are the same
        noise = mean_square(of_item * item + answer, items - 1, drawn[1])
        parts = nothing, nothing, noise
    elif (freedom := answers - items - judges + 1) >= 1:
        noise = mean_square(answer, freedom, drawn[2])
        of_items = between(of_item, item, answer, items, drawn[1])
        parts = of_items, between(of_judge, judge, answer, judges, drawn[3]), noise
    elif of_item < of_judge:  # hardly an item has two answers, so that they differ for both reasons
        noise = mean_square(item + answer, answers - judges, drawn[2])
        parts = nothing, between(of_judge, judge, item + answer, judges, drawn[3]), noise
    else:  # hardly a judge has given two
        noise = mean_square(judge + answer, answers - items, drawn[2])
        parts = between(of_item, item, judge + answer, items, drawn[1]), nothing, noise
    errors, degrees = crossed.crossed_error(*parts, items=items, judges=judges, answers=answers)
    half = stdtrit(degrees, 1 - level / 2) * errors
    return SimulatedStudies(means - half, means + half)


def repeated(designs: Sequence[bootstrap.Crossed], *, level: float = 0.05, seed: int = 0) -> SimulatedStudies:
    """Studies like these, of their mean variances and sizes."""
    item, judge, answer, items, judges, answers, _ = np.mean(designs, axis=0).tolist()
    sizes = {"items": items, "judges": judges, "answers": answers}
    return simulated((item, judge, answer), **sizes, level=level, seed=seed)
