"""The mean of what judges say about items, with an interval that holds for other judges and other items.

Answers differ from item to item, from judge to judge, and from answer to answer. Their three variances come
from the squared differences of all pairs of answers; the interval is Student's t with Satterthwaite's degrees
of freedom. A bootstrap over items alone takes the judges as given, and leaves out the true mean far too often
where they are few.

Source: Satterthwaite (1946); Searle, Casella and McCulloch (1992), Variance Components, chapter 4.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray
from core.statistics.bootstrap import Figure, few_units, interval_over

FEW_JUDGES: Final = 3
"""Judges below which an interval carries a warning: one shows no variance of judges, and two hardly any."""
BRACKETS: Final = "Brackets: 95 % intervals that hold for other items and other judges."
"""What a table says of them."""


def variances(points: FloatArray) -> tuple[float, float, float]:
    """Variance between items, between judges, and between answers when item and judge are accounted for.

    Two answers of different judges to different items differ for all three reasons, two to one item not for
    the item, two by one judge not for the judge; the mean halves of their squares give the three without
    bias. One that comes out below 0 is 0, and what no pair tells apart is all between answers.

    Args:
        points: float64 [judges, items], NaN for none; two at least.
    """
    known = ~np.isnan(points)
    filled = np.where(known, points, 0.0)
    item, item_pairs = _halves(filled, known, axis=0)
    judge, judge_pairs = _halves(filled, known, axis=1)
    every, pairs = _halves(filled.reshape(1, -1), known.reshape(1, -1), axis=1)
    apart = pairs - item_pairs - judge_pairs
    neither = (every - item - judge) / apart if apart else every / pairs
    same_item = item / item_pairs if item_pairs and apart else neither
    same_judge = judge / judge_pairs if judge_pairs and apart else neither
    return (
        max(0.0, neither - same_item),
        max(0.0, neither - same_judge),
        max(0.0, same_item + same_judge - neither),
    )


def _halves(filled: FloatArray, known: npt.NDArray[np.bool_], *, axis: int) -> tuple[float, int]:
    counts = known.sum(axis=axis)
    squares = counts * (filled**2).sum(axis=axis) - filled.sum(axis=axis) ** 2
    return float(squares.sum()) / 2, int((counts * (counts - 1) // 2).sum())


def half_width(
    item: FloatArray | float,
    judge: FloatArray | float,
    answer: FloatArray | float,
    *,
    items: float,
    judges: float,
    answers: int,
) -> FloatArray:
    """Half of the 95 % interval of a mean, for each of several variances."""
    between = np.asarray(answer, dtype=np.float64) / answers
    return _half_width(item / items + between, judge / judges + between, between, items, judges)


def _half_width(
    of_items: FloatArray, of_judges: FloatArray, between: FloatArray, items: float, judges: float
) -> FloatArray:
    from scipy.special import stdtrit

    free_items, free_judges = max(1.0, items - 1), max(1.0, judges - 1)
    if judges == 1:
        return np.asarray(stdtrit(free_items, 0.975) * np.sqrt(of_items))
    whole = of_items + of_judges - between
    parts = of_items**2 / free_items + of_judges**2 / free_judges + between**2 / (free_items * free_judges)
    freedom = np.divide(whole**2, parts, out=np.full_like(whole, np.inf), where=parts > 0)
    return np.asarray(stdtrit(freedom, 0.975) * np.sqrt(whole))


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

    The variances are those of the sums over each item, each judge, and each judge's answers to one item.

    Source: Cameron, Gelbach and Miller (2011), Robust inference with multiway clustering.

    Args:
        values: float64 [k].
        influence: How far each estimate moves with each answer, to first order, float64 [answers, k].
        items: Number of the item of each answer, int64 [answers].
        judges: Of its judge; below 0 where it is not known. If none is, intervals hold for other items only.
        unit: What the items are, in the plural.
        bounds: The least and the most that an estimate can be.
    """

    def spread(groups: IntArray) -> tuple[FloatArray, int]:
        names, group = np.unique(groups, return_inverse=True)
        sums = np.zeros((len(names), len(values)))
        np.add.at(sums, group, influence)
        return (sums**2).sum(axis=0) * len(names) / max(1, len(names) - 1), len(names)

    of_items, count = spread(items)
    of_judges, judge_count = spread(judges)
    between = spread(items * (judge_count + 1) + np.unique(judges, return_inverse=True)[1])[0]
    half = _half_width(
        np.maximum(of_items, between), np.maximum(of_judges, between), between, count, judge_count
    )
    found = []
    for value, width in zip(values.tolist(), half.tolist(), strict=True):
        span = max(bounds[0], value - width), min(bounds[1], value + width)
        (low, high), warning = interval_over(span, count, unit)
        warning = warning or ("" if (judges < 0).all() else _few_judges(judge_count))
        found.append(Figure(value, "", low, high, warning, None, len(items), unit))
    return found


def _few_judges(judges: int) -> str:
    if judges >= FEW_JUDGES:
        return ""
    return f"Too few judges for a reliable interval ({judges}; it takes at least {FEW_JUDGES})."


def crossed_mean(points: FloatArray, *, unit: str, lowest: float, reason: str = "") -> Figure:
    """The mean of all answers with its interval, or with the warning that items or judges are too few."""
    known = ~np.isnan(points)
    answers, items = int(known.sum()), int(known.any(axis=0).sum())
    if not answers:
        return Figure(None, reason)
    mean = float(np.nanmean(points))
    if items < 2:
        return Figure(mean, warning=few_units(items, unit), count=answers)
    half = half_width(
        *variances(points),
        items=answers**2 / float((known.sum(axis=0) ** 2).sum()),
        judges=answers**2 / float((known.sum(axis=1) ** 2).sum()),
        answers=answers,
    )
    span = max(lowest, mean - float(half)), min(1.0, mean + float(half))
    (low, high), warning = interval_over(span, items, unit)
    judges = int(known.any(axis=1).sum())
    return Figure(mean, "", low, high, warning or _few_judges(judges), None, answers, unit)
