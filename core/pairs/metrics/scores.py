"""How good pair scores are against labels: the best threshold, precision, recall, F1, AP, ROC AUC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray
from core.errors import InputError
from core.statistics.bootstrap import Figure
from core.statistics.calibration import checked

PAIR_MEASURES: tuple[str, ...] = ("f1", "precision", "recall", "accuracy", "average_precision", "roc_auc")
"""Names of the measures of pairs; higher is better and 1 is perfect."""

_NO_PAIRS = "there are no labelled pairs"
_NO_POSITIVE = "no pair is labelled the same event"
_NO_NEGATIVE = "every pair is labelled the same event"
_REASONS: Mapping[str, str] = {
    "f1": "no pair is the same event, by label or by score",
    "precision": "no score reaches the threshold",
    "recall": _NO_POSITIVE,
    "accuracy": _NO_PAIRS,
    "average_precision": _NO_POSITIVE,
}


@dataclass(frozen=True, slots=True)
class PairQuality:
    """All measures of one scorer on one set of pairs at one threshold.

    Attributes:
        threshold: Score from which a pair was called the same event.
        tp: Pairs of the same event that were called so.
        fp: Pairs of different events that were called the same.
        fn: Pairs of the same event that were missed.
        tn: Pairs of different events that were called different.
        scores: By measure, in the order of `PAIR_MEASURES`; average precision and ROC AUC do not
            depend on the threshold.
    """

    threshold: float
    tp: int
    fp: int
    fn: int
    tn: int
    scores: Mapping[str, Figure]

    def __getitem__(self, name: str) -> Figure:
        """The score of a measure.

        Raises:
            KeyError: There is no measure of that name.
        """
        return self.scores[name]

    @property
    def pairs(self) -> int:
        """How many pairs were measured."""
        return self.tp + self.fp + self.fn + self.tn


def best_threshold(labels: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """The threshold with the highest F1: a pair is the same event when its score is not below it.

    Every cut between two different scores is tried. The threshold lies in the middle of the gap
    below the last score that it lets in, and is that score itself where nothing lies below. Of cuts
    with the same F1 the one that lets the fewest pairs in is taken.

    Args:
        labels: 1 for the same event, else 0, [m].
        scores: Higher is more alike, [m].

    Raises:
        InputError: See `checked`; or all labels are the same, so that no threshold is better.
    """
    cuts, f1 = _f1_of_cuts(labels, scores)
    best = int(np.argmax(f1))
    return _between(cuts[best], cuts[best + 1]) if best + 1 < len(cuts) else float(cuts[best])


def best_f1(labels: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """F1 at `best_threshold`, above 0 to 1; see there.

    Raises:
        InputError: As `best_threshold`.
    """
    return float(_f1_of_cuts(labels, scores)[1].max())


def _f1_of_cuts(labels: npt.ArrayLike, scores: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    truth, values = checked(labels, scores)
    if truth.all() or not truth.any():
        raise InputError(
            f"A threshold cannot be chosen: {_one_class(truth)}.",
            hint="Choose it on pairs of both kinds.",
        )
    cuts, tp, fp = _cuts(truth, values)
    return cuts, 2 * tp / (tp + fp + truth.sum())


def pair_quality(labels: npt.ArrayLike, scores: npt.ArrayLike, threshold: float) -> PairQuality:
    """Measures scores against labels.

    F1 = 2TP / (2TP + FP + FN). Average precision is the sum over cuts of precision times the recall
    gained, without interpolation; ROC AUC is the share of (same, different) pairs of pairs in which
    the first scores higher, ties counting half (Mann and Whitney, 1947).

    Args:
        labels: 1 for the same event, else 0, [m].
        scores: Higher is more alike, [m].
        threshold: Score from which a pair is called the same event.

    Raises:
        InputError: See `checked`.
    """
    truth, values = checked(labels, scores)
    called = values >= threshold
    tp, fp = int((called & truth).sum()), int((called & ~truth).sum())
    fn, tn = int((~called & truth).sum()), int((~called & ~truth).sum())
    measured: dict[str, float | None] = {
        "f1": ratio(2 * tp, 2 * tp + fp + fn),
        "precision": ratio(tp, tp + fp),
        "recall": ratio(tp, tp + fn),
        "accuracy": ratio(tp + tn, len(truth)),
        "average_precision": _average_precision(truth, values),
        "roc_auc": _roc_auc(truth, values),
    }
    scored = {name: _score(name, measured[name], truth) for name in PAIR_MEASURES}
    return PairQuality(threshold=float(threshold), tp=tp, fp=fp, fn=fn, tn=tn, scores=scored)


def f1(truth: npt.NDArray[np.bool_], called: npt.ArrayLike) -> float | None:
    """F1 of decisions, 2TP / (2TP + FP + FN); None where no pair is the same event, by label or by decision.

    Args:
        truth: Whether a pair is the same event, bool [m].
        called: Whether it was called so, [m].
    """
    decided = np.asarray(called, dtype=np.bool_)
    return ratio(2 * int((truth & decided).sum()), int(truth.sum()) + int(decided.sum()))


def ratio(part: float, whole: float) -> float | None:
    """part / whole; None where the whole is 0."""
    return part / whole if whole else None


def _score(name: str, value: float | None, truth: BoolArray) -> Figure:
    if value is not None:
        return Figure(float(value))
    if not len(truth):
        return Figure(None, _NO_PAIRS)
    return Figure(None, _one_class(truth) if name == "roc_auc" else _REASONS[name])


def _one_class(truth: BoolArray) -> str:
    if not len(truth):
        return _NO_PAIRS
    return _NO_NEGATIVE if truth.all() else _NO_POSITIVE


def _cuts(truth: BoolArray, values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    order = np.argsort(-values, kind="stable")
    ranked, positive = values[order], truth[order]
    last = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    tp = np.cumsum(positive)[last].astype(np.float64)
    return ranked[last], tp, last + 1.0 - tp


def _between(high: float, low: float) -> float:
    middle = low + (high - low) / 2
    return float(middle) if np.float32(low) < np.float32(middle) and np.isfinite(middle) else float(high)


def _average_precision(truth: BoolArray, values: FloatArray) -> float | None:
    if not truth.any():
        return None
    _, tp, fp = _cuts(truth, values)
    return float(np.sum(np.diff(tp, prepend=0.0) * tp / (tp + fp)) / truth.sum())


def _roc_auc(truth: BoolArray, values: FloatArray) -> float | None:
    if truth.all() or not truth.any():
        return None
    _, tp, fp = _cuts(truth, values)
    # Each step of the curve is a trapezium, which counts tied scores half.
    heights = tp - np.diff(tp, prepend=0.0) / 2
    return float(np.sum(np.diff(fp, prepend=0.0) * heights) / (tp[-1] * fp[-1]))
