"""Means over judges and items, with intervals that hold for others of both."""

from typing import Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.statistics.bootstrap import Crossed, Figure, interval_over

FEW_JUDGES: Final = 3
"""Judges below which an interval carries a warning: one shows no variance of judges, and two hardly any."""
BRACKETS: Final = "Brackets: 95 % intervals that hold for other items and other judges."
"""What a table says of them."""


def variances(points: FloatArray) -> tuple[float, float, float]:
    """Variance between items, between judges and between answers, of points [judges, items], NaN for none."""
    judges, items = np.nonzero(~np.isnan(points))
    item, judge, answer = _variances(points[judges, items][:, None], items, judges)
    return float(item[0]), float(judge[0]), float(answer[0])


def _variances(points: FloatArray, items: IntArray, judges: IntArray) -> tuple[FloatArray, ...]:
    """The three of each column, from one row for each judge's answer to an item.

    Two answers of different judges to different items differ for all three reasons, two to one item not for
    the item, two by one judge not for the judge; the mean halves of their squares give the three without
    bias. One that comes out below 0 is 0, and what no pair tells apart is all between answers.
    """
    item, item_pairs = _halves(points, items)
    judge, judge_pairs = _halves(points, judges)
    every, pairs = _halves(points, np.zeros_like(items))
    apart = pairs - item_pairs - judge_pairs
    neither = (every - item - judge) / apart if apart else every / max(1, pairs)
    same_item = item / item_pairs if item_pairs and apart else neither
    same_judge = judge / judge_pairs if judge_pairs and apart else neither
    parts = neither - same_item, neither - same_judge, same_item + same_judge - neither
    return tuple(np.maximum(0.0, part) for part in parts)


def _halves(points: FloatArray, groups: IntArray) -> tuple[FloatArray, int]:
    _, group, counts = np.unique(groups, return_inverse=True, return_counts=True)
    sums = np.zeros((len(counts), points.shape[1]))
    np.add.at(sums, group, points)
    squares = (counts[group, None] * points**2).sum(axis=0) - (sums**2).sum(axis=0)
    return np.maximum(0.0, squares) / 2, int((counts * (counts - 1) // 2).sum())


def crossed_error(
    item: FloatArray | float,
    judge: FloatArray | float,
    answer: FloatArray | float,
    *,
    items: float,
    judges: float,
    answers: float,
) -> tuple[FloatArray, FloatArray]:
    """Standard error of a mean and Student's degrees of freedom, for each of several variances.

    The degrees lie between those of items and of judges, by the judges' share of the variance. Satterthwaite
    weighs them by squares of shares, which makes up to 10 % false alarms with three judges; this weight is
    calibrated to 5 ± 1 % (`python -m benchmarks false_alarms`).
    """
    of_judges = np.asarray(judge, dtype=np.float64) / judges
    whole = np.asarray(item, dtype=np.float64) / items + of_judges + np.asarray(answer) / answers
    share = np.divide(of_judges, whole, out=np.zeros_like(whole), where=whole > 0) ** 2
    turn = (judges**2 / 30) ** 2
    weight = share * (1 + turn) / (share + turn)
    return np.sqrt(whole), 1 / ((1 - weight) / max(1.0, items - 1) + weight / max(1.0, judges - 1))


def crossed_estimates(
    values: FloatArray,
    influence: FloatArray,
    items: IntArray,
    judges: IntArray,
    *,
    unit: str,
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> list[Figure]:
    """Estimates with intervals that hold for other items and other judges, from the pull of each answer.

    An estimate is taken for the mean of the pulls of each judge's answers to an item. `values` are float64
    [k]; `influence` is how far each moves with each answer, to first order, float64 [answers, k]; `items` and
    `judges` are the numbers of both for each answer, int64 [answers], a judge below 0 where it is not known.
    If none is, intervals hold for other items only.

    Source: Searle, Casella and McCulloch (1992), Variance Components, for the variances.
    """
    from scipy.special import stdtrit

    both, answer = np.unique(np.stack([items, judges]), axis=1, return_inverse=True)
    points = np.zeros((both.shape[1], len(values)))
    np.add.at(points, answer.reshape(-1), influence * len(points))
    counts = [np.unique(numbers, return_counts=True)[1] for numbers in both]
    item_count, judge_count = map(len, counts)
    alike = [len(points) ** 2 / float((count**2).sum()) for count in counts]  # as many with equal weights
    parts = _variances(points, *both)
    errors, freedom = crossed_error(*parts, items=alike[0], judges=alike[1], answers=len(points))
    width = stdtrit(freedom, 0.975) * errors
    known = bool((judges >= 0).any())
    sizes = (np.full_like(freedom, size) for size in (*alike, len(points)))
    designs = np.stack([*parts, *sizes, freedom], axis=1).tolist()
    figures = []
    for value, half, design in zip(values.tolist(), width.tolist(), designs, strict=True):
        span = max(bounds[0], value - half), min(bounds[1], value + half)
        (low, high), warning = interval_over(span, item_count, unit)
        warning = warning or (_few_judges(judge_count) if known else "")
        crossed = Crossed(*design)
        figures.append(Figure(value, "", low, high, warning, count=len(items), unit=unit, crossed=crossed))
    return figures


def _few_judges(judges: int) -> str:
    if judges >= FEW_JUDGES:
        return ""
    return f"Too few judges for a reliable interval ({judges}; it takes at least {FEW_JUDGES})."


def crossed_mean(
    points: FloatArray, *, unit: str, lowest: float, highest: float = 1.0, reason: str = ""
) -> Figure:
    """The mean of all answers with its interval over items and judges; see `crossed_estimates`."""
    judges, items = np.nonzero(~np.isnan(points))
    if not len(items):
        return Figure(None, reason)
    given, mean = points[judges, items], np.nanmean(points, keepdims=True)[0]
    pull, bounds = (given - mean)[:, None] / len(items), (lowest, highest)
    return crossed_estimates(mean, pull, items, judges, unit=unit, bounds=bounds)[0]
