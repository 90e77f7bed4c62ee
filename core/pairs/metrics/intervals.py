"""95 % bootstrap intervals of pair measures, resampling what pairs share instead of the pairs.

Pairs share headlines, and headlines of one event share its wording, so pairs are not independent
and intervals that resample pairs are too narrow. `units_of` says what is drawn instead, and every
result carries its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, Float32Array, FloatArray, IntArray
from core.errors import InputError
from core.statistics.bootstrap import FEWEST, RESAMPLES, Interval, draws, interval
from core.statistics.calibration import checked

if TYPE_CHECKING:
    from scipy import sparse

_ENOUGH = 20  # fewer independent bunches of pairs than this say too little about how they vary


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is drawn with replacement.

    A unit that is drawn twice stands there twice, as two units of its own. So a pair inside a unit
    counts as often as its unit is drawn, and a pair between two of n units as often as each copy of the one
    meets each copy of the other, times n / (n - 1): that unit is drawn in place of the other as well, and
    without the factor, pairs between units would count too little against those inside.

    Source: Snijders and Borgatti (1999), "Non-parametric standard errors and tests for network statistics".

    Attributes:
        name: In words: "groups", "headlines" or "bunches of pairs that share a headline".
        left: Unit of the left headline of each pair, int64 [m], from 0.
        right: That of the right headline.
        count: How many units there are.
    """

    name: str
    left: IntArray
    right: IntArray
    count: int

    def only(self, kept: BoolArray) -> Units:
        """The units of some pairs alone, numbered anew, so that a draw is among those at hand."""
        return _numbered(self.name, self.left[kept], self.right[kept])


def units_of(left: IntArray, right: IntArray, groups: IntArray) -> Units:
    """What to resample: gold groups where all headlines have one, else what the pairs themselves share.

    Without groups, pairs that share a headline form a bunch, and so on through their other headlines;
    bunches are independent. Where they are fewer than 20, headlines are drawn.

    Args:
        left: Headline of each pair, int64 [m].
        right: The other one.
        groups: Gold group of each headline, int64 [n]; negative where there is none.
    """
    from scipy import sparse

    if len(left) and (groups[left] >= 0).all() and (groups[right] >= 0).all():
        return _numbered("groups", groups[left], groups[right])
    graph = sparse.coo_array((np.ones(len(left)), (left, right)), shape=(len(groups), len(groups)))
    _, bunch = sparse.csgraph.connected_components(graph, directed=False)
    bunches = _numbered("bunches of pairs that share a headline", bunch[left], bunch[right])
    return bunches if bunches.count >= _ENOUGH else _numbered("headlines", left, right)


def resampled(
    labels: npt.ArrayLike,
    called: npt.ArrayLike,
    units: Units,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, FloatArray]:
    """F1, precision, recall and accuracy in each resample, float64 [resamples]; NaN where undefined.

    The counts of hits and misses are added up once for each two units; a resample weighs them. The
    same seed and units draw the same resamples, so two scorers can be compared draw by draw.

    Args:
        labels: 1 for the same event, else 0, [m].
        called: Whether each pair was called the same event, [m].
        units: What is drawn.
        resamples: How often.
        seed: Of the draws.
    """
    truth, decided = np.asarray(labels).astype(np.bool_), np.asarray(called).astype(np.bool_)
    parts = (decided & truth, decided & ~truth, ~decided & truth, ~decided & ~truth)
    tp, fp, fn, tn = _summed(parts, units, resamples, seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "f1": 2 * tp / (2 * tp + fp + fn),
            "precision": tp / (tp + fp),
            "recall": tp / (tp + fn),
            "accuracy": (tp + tn) / (tp + fp + fn + tn),
        }


def resampled_average_precision(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    units: Units,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> FloatArray:
    """Average precision in each resample, float64 [resamples]; NaN where no pair is the same event.

    Raises:
        InputError: The lengths differ, a label is neither 0 nor 1, or a score is not a number.
    """
    truth, values = checked(labels, scores)
    order = np.argsort(-values, kind="stable")
    positive, ranked = truth[order].astype(np.float64), values[order]
    left, right = units.left[order], units.right[order]
    last = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    found = [np.empty(0)]
    for drawn in draws(units.count, resamples=resamples, seed=seed, cells=len(values)):
        between = drawn[:, right] * (units.count / max(units.count - 1, 1))
        weight = (drawn[:, left] * np.where(left == right, 1, between)).astype(np.float64)
        tp = np.cumsum(weight * positive, axis=1)[:, last]
        let_in = np.cumsum(weight, axis=1)[:, last]
        gained = np.diff(tp, axis=1, prepend=0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precise = np.where(let_in > 0, tp / let_in, 0.0)
            found.append((gained * precise).sum(axis=1) / tp[:, -1])
    return np.concatenate(found)


def pair_intervals(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    threshold: float,
    units: Units,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Mapping[str, Interval]:
    """95 % intervals of F1, precision, recall, accuracy and average precision.

    Returns:
        By measure; (None, None) where undefined or where there are fewer than two units.

    Raises:
        InputError: The lengths differ, a label is neither 0 nor 1, or a score is not a number.
    """
    truth, values = checked(labels, scores)
    if len(units.left) != len(truth):
        raise InputError(
            f"There are units for {len(units.left):,} pairs and {len(truth):,} labels.",
            hint="Take the units of the very pairs that are measured.",
        )
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


def _summed(parts: Sequence[BoolArray], units: Units, resamples: int, seed: int) -> list[FloatArray]:
    tables = [_table(part, units) for part in parts]
    blocks: list[list[FloatArray]] = [[] for _ in parts]
    for drawn in draws(units.count, resamples=resamples, seed=seed):
        for found, (alone, between) in zip(blocks, tables, strict=True):
            total = (drawn @ alone).astype(np.float64)
            if between.nnz:
                met = np.einsum("ru,ru->r", drawn @ between, drawn, dtype=np.float64)
                total += met * (units.count / (units.count - 1))
            found.append(total)
    return [np.concatenate(found) if found else np.empty(0) for found in blocks]


def _table(part: BoolArray, units: Units) -> tuple[Float32Array, sparse.csr_array]:
    from scipy import sparse

    left, right = units.left[part], units.right[part]
    inside = left == right
    alone = np.bincount(left[inside], minlength=units.count).astype(np.float32)
    ones = np.ones(int((~inside).sum()), dtype=np.float32)
    shape = (units.count, units.count)
    return alone, sparse.csr_array((ones, (left[~inside], right[~inside])), shape=shape)
