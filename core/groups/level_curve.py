"""Precision and recall of pairs at every level, from gold groups or from what people said of pairs."""

from collections.abc import Callable

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.groups.granularity import CUTS
from core.groups.grouper import Hierarchy
from core.groups.quality import Gold, codes_of, pair_counts

PairCounts = tuple[float, float, float]  # pairs of one event that are together; together; of one event
LevelCurve = tuple[FloatArray, FloatArray]
"""Precision and recall at each of `CUTS`, float64; NaN where no pair decides."""


def gold_curve(hierarchy: Hierarchy, gold: Gold) -> LevelCurve:
    """Against gold groups; all pairs of headlines that have one."""
    codes = codes_of(gold)
    return _curve(lambda cut: pair_counts(hierarchy.cut(cut), codes))


def said_curve(
    hierarchy: Hierarchy, left: IntArray, right: IntArray, same: BoolArray, weight: FloatArray
) -> LevelCurve:
    """Against what people said of some pairs, which count by their weight."""

    def counts(cut: float) -> PairCounts:
        labels = hierarchy.cut(cut)
        together = labels[left] == labels[right]
        both, joined, wanted = (weight[pairs].sum() for pairs in (together & same, together, same))
        return float(both), float(joined), float(wanted)

    return _curve(counts)


def _curve(counts: Callable[[float], PairCounts]) -> LevelCurve:
    both, together, wanted = np.array([counts(float(cut)) for cut in CUTS]).T
    with np.errstate(divide="ignore", invalid="ignore"):
        return both / together, both / wanted
