"""Where the slider starts: the granularity that the timeline itself suggests."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import BoolArray, Float32Array, FloatArray, IntArray
from core.groups.dendrogram import Dendrogram
from core.groups.grouper import Hierarchy
from core.similarities import Similarities

CUTS: Final = np.round(np.arange(0.01, 0.995, 0.01), 2)
COARSE_CUTS: Final = np.round(np.arange(0.10, 0.925, 0.05), 2)  # of methods without a tree

# Chosen with labelled timelines in view: docs/decisions/0003 (sharpness and power), 0017 (the others).
SHARPNESS: Final = 1.5  # how much separation and agreement count in the shape beside the silhouette
SIMILARITY_POWER: Final = 2.0  # of similarities that shall agree with the groups: near pairs count for more
SHAPE: Final = 0.5  # how much the shape counts beside the promise; .3 to .75 do as well
NEARLY: Final = 0.9  # share of the best promise that a cut needs
FEWEST_LINKS: Final = 0.5  # linked pairs expected at least; below it every headline is alone

SCORED_ROWS = 2_000
SCORED_CELLS = 24_000_000  # and at most so many similarities; evenly spaced headlines, which bounds time

RowValues = Callable[[IntArray], Float32Array]  # rows to values with every headline, [rows, n]


@dataclass(frozen=True, slots=True)
class GranularityChoice:
    granularity: float  # 0 to 1, one of the curve's
    promise: float  # pair F1 that is to be expected there, 0 to 1; 0 where no two headlines are linked
    curve: tuple[tuple[float, float], ...]  # (granularity, promise) of each candidate
    shapeliest: float  # the best shape of the cuts that promise nearly the most: what another rule takes


def choose_granularity(
    hierarchy: Hierarchy,
    similarities: Similarities,
    sampled: IntArray,
    probabilities: Float32Array,
    *,
    fade: RowValues | None = None,
) -> GranularityChoice:
    """The granularity to start with; `probabilities`, [k, k], are NaN where they are not to decide."""
    cuts, leaves = (CUTS, hierarchy.leaves) if isinstance(hierarchy, Dendrogram) else (COARSE_CUTS, None)
    lowest = float(cuts[0])
    alone = GranularityChoice(lowest, 0.0, tuple((float(cut), 0.0) for cut in cuts), lowest)
    if len(similarities) < 2:
        return alone
    asked = ~np.isnan(probabilities)
    np.fill_diagonal(asked, False)
    likely = np.where(asked, probabilities, 0.0).astype(np.float64)
    share = float(likely.sum()) / max(int(asked.sum()), 1)
    if share * len(similarities) * (len(similarities) - 1) / 2 < FEWEST_LINKS:
        return alone
    groupings = [hierarchy.cut(float(cut)) for cut in cuts]
    promises = _promises(groupings, sampled, likely, asked)
    shapes = _Shapes(similarities, leaves, fade)
    # From the finest cut on: sums over groups that lie inside others are reused.
    least = NEARLY * max(promises)
    scores = {at: shapes.score(groupings[at]) for at, promise in enumerate(promises) if promise >= least}
    best = max(scores, key=lambda at: (promises[at] * scores[at] ** SHAPE, promises[at], -at))
    shapeliest = max(scores, key=lambda at: (scores[at], promises[at], -at))
    curve = tuple((float(cut), promise) for cut, promise in zip(cuts, promises, strict=True))
    return GranularityChoice(*curve[best], curve, curve[shapeliest][0])


def _promises(groupings: list[IntArray], rows: IntArray, likely: FloatArray, asked: BoolArray) -> list[float]:
    expected, promises = float(likely.sum()), []
    for labels in groupings:
        groups = labels[rows]
        together = (groups[:, None] == groups) & asked
        promises.append(2 * float(likely[together].sum()) / (float(together.sum()) + expected))
    return promises


class _Shapes:
    """Silhouette (Rousseeuw 1987) x (separation without time x agreement) ** `SHARPNESS`, finest first."""

    def __init__(self, similarities: Similarities, leaves: IntArray | None, fade: RowValues | None) -> None:
        n = len(similarities)
        count = max(2, min(n, SCORED_ROWS, SCORED_CELLS // n))
        self._nested = leaves is not None
        self._order: IntArray = np.arange(n) if leaves is None else leaves
        self._places: IntArray = np.unique(np.linspace(0, n - 1, count).round().astype(np.int64))
        self._at = np.arange(len(self._places))
        self._rows = self._order[self._places]
        near = similarities.matrix[self._rows]
        near = near if isinstance(near, np.ndarray) else near.toarray()
        timeless = near if fade is None else np.clip(near / np.maximum(fade(self._rows), 1e-6), 0.0, 1.0)
        self._blocks: list[Float32Array] = [
            np.asarray(block.take(self._order, axis=1), dtype=np.float32)
            for block in (near, near ** np.float32(SIMILARITY_POWER), timeless)
        ]
        for block in self._blocks:
            block[self._at, self._places] = 0.0
        self._starts: IntArray = np.arange(n)
        squared = self._blocks[1]
        self._pairs = float(len(self._rows)) * (n - 1)
        self._mean = float(squared.sum(dtype=np.float64)) / self._pairs
        spread = float(np.einsum("ij,ij->i", squared, squared).sum(dtype=np.float64))
        self._variance = max(spread / self._pairs - self._mean**2, 1e-12)

    def score(self, labels: IntArray) -> float:
        (near, squared, timeless), own, sizes = self._sums(labels)
        if len(sizes) < 2 or len(sizes) == len(labels):
            return 0.0
        _, silhouette = self._gaps(near, own, sizes)
        separation, _ = self._gaps(timeless, own, sizes)
        linked = float((sizes[own] - 1).sum(dtype=np.float64)) / self._pairs
        agreement = 0.0
        if 0.0 < linked < 1.0:
            together = float(squared[self._at, own].sum(dtype=np.float64)) / self._pairs
            deviations = float(np.sqrt(linked * (1 - linked) * self._variance))
            agreement = (together - linked * self._mean) / deviations
        opposed = max(separation, 0.0) * max(agreement, 0.0)
        return float(max(silhouette, 0.0) * opposed**SHARPNESS)

    def _sums(self, labels: IntArray) -> tuple[list[Float32Array], IntArray, IntArray]:
        if self._nested:
            starts = np.flatnonzero(np.diff(labels[self._order], prepend=-1))
            if len(starts) < len(self._starts):
                into = np.searchsorted(self._starts, starts)
                self._blocks = [np.add.reduceat(block, into, axis=1) for block in self._blocks]
                self._starts = starts
            own = np.searchsorted(starts, self._places, side="right") - 1
            return self._blocks, own, np.diff(np.append(starts, len(labels)))
        sizes = np.bincount(labels)
        order = np.argsort(labels, kind="stable")
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        sums = [np.add.reduceat(block[:, order], starts, axis=1) for block in self._blocks]
        return sums, labels[self._rows], sizes

    def _gaps(self, near: Float32Array, own: IntArray, sizes: IntArray) -> tuple[float, float]:
        """How much nearer the own group is than the nearest other: mean of the gap, and of its share."""
        others = sizes[own] - 1
        inside = 1.0 - near[self._at, own] / np.maximum(others, 1)
        outside = np.asarray(1.0 - near / sizes[None, :], dtype=np.float32)
        outside[self._at, own] = np.inf
        nearest = outside.min(axis=1)
        gap = np.where(others == 0, 0.0, nearest - inside)
        return float(gap.mean()), float(np.mean(gap / np.maximum(np.maximum(nearest, inside), 1e-9)))
