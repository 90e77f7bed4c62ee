"""What is measured on the validation part of a run, with intervals, as plain values for run.json."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from core.data.pair_sets.pair_set import PairSet
from core.pairs.metrics.intervals import pair_intervals, units_of
from core.pairs.metrics.scores import pair_quality
from core.statistics.few_units import few_units, interval_over

MEASURES = ("f1", "precision", "recall", "average_precision")


def measured(pairs: PairSet, scores: npt.ArrayLike, threshold: float) -> dict[str, Any]:
    """Precision, recall, F1 and average precision of scores.

    Args:
        pairs: m labelled pairs.
        scores: Their scores, [m].
        threshold: Score from which a pair is called the same event.

    Returns:
        `pairs`, `threshold`, `resampled` (what the intervals draw), `warning` (why there are no intervals or
        why not to rely on them, "" otherwise), and each measure as a list of value
        and both ends of its 95 % interval; None where undefined.
    """
    quality = pair_quality(pairs.labels, scores, threshold)
    units = units_of(pairs.left, pairs.right, pairs.groups)
    found = pair_intervals(pairs.labels, scores, threshold, units)
    intervals = {name: interval_over(span, units.count, units.name)[0] for name, span in found.items()}
    return {
        "pairs": len(pairs),
        "threshold": threshold,
        "resampled": units.name,
        "warning": few_units(units.count, units.name),
        **{name: [quality[name].value, *intervals[name]] for name in MEASURES},
    }
