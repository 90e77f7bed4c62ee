"""How good pair scores are against labels: the best threshold, precision, recall, F1, AP, ROC AUC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, Float32Array, FloatArray, IntArray
from core.errors import InputError
from core.statistics.bootstrap import FEWEST, RESAMPLES, Figure, Interval, draws, interval
from core.statistics.calibration import checked

if TYPE_CHECKING:
    from scipy import sparse

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
_ENOUGH = 20  # fewer independent bunches of pairs than this say too little about how they vary


@dataclass(frozen=True, slots=True)
class PairQuality:
    """All measures of one scorer on one set of pairs at one threshold, by `PAIR_MEASURES`, and the counts."""

    threshold: float
    tp: int
    fp: int
    fn: int
    tn: int
    scores: Mapping[str, Figure]

    def __getitem__(self, name: str) -> Figure:
        return self.scores[name]

    @property
    def pairs(self) -> int:
        return self.tp + self.fp + self.fn + self.tn


def best_threshold(labels: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """The threshold (scores not below it are one event) with the highest F1 and the fewest let in."""
    # It lies in the middle of the gap below the last score that it lets in, or is that score where nothing
    # lies below.
    cuts, f1 = _f1_of_cuts(labels, scores)
    best = int(np.argmax(f1))
    high, low = cuts[best], cuts[min(best + 1, len(cuts) - 1)]
    middle = low + (high - low) / 2
    return float(middle if np.float32(low) < np.float32(middle) and np.isfinite(middle) else high)


def best_f1(labels: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    return float(_f1_of_cuts(labels, scores)[1].max())


def _f1_of_cuts(labels: npt.ArrayLike, scores: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    truth, values = checked(labels, scores)
    if truth.all() or not truth.any():
        message = f"A threshold cannot be chosen: {_one_class(truth)}."
        raise InputError(message, hint="Choose it on pairs of both kinds.")
    cuts, tp, fp = _cuts(truth, values)
    return cuts, 2 * tp / (tp + fp + truth.sum())


def pair_quality(labels: npt.ArrayLike, scores: npt.ArrayLike, threshold: float) -> PairQuality:
    """Measures scores against labels, 1 for the same event, else 0, [m].

    F1 = 2TP / (2TP + FP + FN). Average precision is the sum over cuts of precision times the recall gained;
    ROC AUC the share of (same, different) pairs in which the first scores higher, ties half (Mann and
    Whitney, 1947).
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
    missing = (*PAIR_MEASURES,) if not len(truth) else ()
    reasons = {**_REASONS, "roc_auc": _one_class(truth), **dict.fromkeys(missing, _NO_PAIRS)}
    known = {name: Figure(float(value)) for name, value in measured.items() if value is not None}
    scored = {name: known.get(name) or Figure(None, reasons[name]) for name in measured}
    return PairQuality(threshold=float(threshold), tp=tp, fp=fp, fn=fn, tn=tn, scores=scored)


def f1(truth: BoolArray, called: npt.ArrayLike) -> float | None:
    """F1 of decisions; None where no pair is the same event, by label or by decision."""
    decided = np.asarray(called, dtype=np.bool_)
    return ratio(2 * int((truth & decided).sum()), int(truth.sum()) + int(decided.sum()))


def ratio(part: float, whole: float) -> float | None:
    """part / whole; None where the whole is 0."""
    return part / whole if whole else None


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


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is drawn with replacement.

    A unit that is drawn twice stands there twice. A pair inside a unit counts as often as it is drawn, a pair
    between two of n units as often as their copies meet, times n / (n - 1): without the factor, pairs between
    units would count too little.

    Source: Snijders and Borgatti (1999), "Non-parametric standard errors and tests for network statistics".
    """

    name: str  # in words: "groups", "headlines" or "bunches of pairs that share a headline"
    left: IntArray  # unit of the left headline of each pair, int64 [m], from 0
    right: IntArray
    count: int

    def only(self, pairs: BoolArray) -> Units:
        """The units of some pairs alone, numbered anew, so that a draw is among those at hand."""
        return _numbered(self.name, self.left[pairs], self.right[pairs])


def units_of(left: IntArray, right: IntArray, groups: IntArray) -> Units:
    """What to resample: gold groups, else bunches of pairs that share headlines, or headlines."""
    from scipy import sparse

    if len(left) and (groups[left] >= 0).all() and (groups[right] >= 0).all():
        return _numbered("groups", groups[left], groups[right])
    graph = sparse.coo_array((np.ones(len(left)), (left, right)), shape=(len(groups), len(groups)))
    _, bunch = sparse.csgraph.connected_components(graph, directed=False)
    bunches = _numbered("bunches of pairs that share a headline", bunch[left], bunch[right])
    return bunches if bunches.count >= _ENOUGH else _numbered("headlines", left, right)


def resampled(
    labels: npt.ArrayLike, called: npt.ArrayLike, units: Units, *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, FloatArray]:
    """F1, precision, recall and accuracy in each resample, float64 [resamples]; NaN where undefined."""
    truth, decided = np.asarray(labels).astype(np.bool_), np.asarray(called).astype(np.bool_)
    parts = (decided & truth, decided & ~truth, ~decided & truth, ~decided & ~truth)
    tables = [_table(part, units) for part in parts]
    blocks: list[list[FloatArray]] = [[] for _ in parts]
    for drawn in draws(units.count, resamples=resamples, seed=seed):
        for block, (alone, between) in zip(blocks, tables, strict=True):
            total = (drawn @ alone).astype(np.float64)
            if between.nnz:
                met = np.einsum("ru,ru->r", drawn @ between, drawn, dtype=np.float64)
                total += met * (units.count / (units.count - 1))
            block.append(total)
    tp, fp, fn, tn = [np.concatenate(block) if block else np.empty(0) for block in blocks]
    with np.errstate(divide="ignore", invalid="ignore"):
        f1, accuracy = 2 * tp / (2 * tp + fp + fn), (tp + tn) / (tp + fp + fn + tn)
        return {"f1": f1, "precision": tp / (tp + fp), "recall": tp / (tp + fn), "accuracy": accuracy}


def resampled_average_precision(
    labels: npt.ArrayLike, scores: npt.ArrayLike, units: Units, *, resamples: int = RESAMPLES, seed: int = 0
) -> FloatArray:
    """Average precision in each resample, float64 [resamples]; NaN where no pair is the same event."""
    truth, values = checked(labels, scores)
    order = np.argsort(-values, kind="stable")
    positive, ranked = truth[order].astype(np.float64), values[order]
    left, right = units.left[order], units.right[order]
    last = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    precisions = [np.empty(0)]
    for drawn in draws(units.count, resamples=resamples, seed=seed, cells=len(values)):
        between = drawn[:, right] * (units.count / max(units.count - 1, 1))
        weight = (drawn[:, left] * np.where(left == right, 1, between)).astype(np.float64)
        tp = np.cumsum(weight * positive, axis=1)[:, last]
        let_in = np.cumsum(weight, axis=1)[:, last]
        gained = np.diff(tp, axis=1, prepend=0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precise = np.where(let_in > 0, tp / let_in, 0.0)
            precisions.append((gained * precise).sum(axis=1) / tp[:, -1])
    return np.concatenate(precisions)


def pair_intervals(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    threshold: float,
    units: Units,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Mapping[str, Interval]:
    """95 % intervals of F1, precision, recall, accuracy and average precision."""
    truth, values = checked(labels, scores)
    if len(units.left) != len(truth):
        message = f"There are units for {len(units.left):,} pairs and {len(truth):,} labels."
        raise InputError(message, hint="Take the units of the very pairs that are measured.")
    names = ("f1", "precision", "recall", "accuracy", "average_precision")
    if units.count < FEWEST:
        return dict.fromkeys(names, (None, None))
    drawn = resampled(truth, values >= threshold, units, resamples=resamples, seed=seed)
    drawn["average_precision"] = resampled_average_precision(
        truth, values, units, resamples=resamples, seed=seed
    )
    return {name: interval(drawn[name]) for name in names}


def _numbered(name: str, left: IntArray, right: IntArray) -> Units:
    known, place = np.unique(np.concatenate([left, right]), return_inverse=True)
    place = place.astype(np.int64)
    return Units(name, place[: len(left)], place[len(left) :], len(known))


def _table(part: BoolArray, units: Units) -> tuple[Float32Array, sparse.csr_array]:
    from scipy import sparse

    left, right = units.left[part], units.right[part]
    inside = left == right
    alone = np.bincount(left[inside], minlength=units.count).astype(np.float32)
    ones = np.ones(int((~inside).sum()), dtype=np.float32)
    shape = (units.count, units.count)
    return alone, sparse.csr_array((ones, (left[~inside], right[~inside])), shape=shape)
