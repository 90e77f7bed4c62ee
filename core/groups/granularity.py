"""Where the slider starts: the granularity that the timeline itself suggests, without gold.

Every candidate cut is scored by three measures that err in different directions, and the cut with
the greatest silhouette x (separation x agreement) ** SHARPNESS is taken:

* silhouette: mean over headlines of (b - a) / max(a, b), with a the mean distance to the own group
  and b to the nearest other one; 0 for a headline that is alone (Rousseeuw 1987);
* separation: mean of b - a, measured without the fading in time, so that it holds together what
  only dates pushed apart because a story ran for days; prefers broad groups;
* agreement: correlation, over pairs, of "in one group" with the squared similarity; prefers many
  tight groups.

Where the groups hardly stand apart, as in a timeline whose headlines are nearly all alone, the
measures say little, and the cut is moved towards the method's typical one in proportion.

The constants were chosen on whole sets and on slices of UCI, AllSides, ECB+ and Emergent with
`event_similarity.v1` and average linkage; docs/decisions/0003-similarity-and-granularity.md has the
figures, those with a whole family of data left out among them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.groups.dendrogram import Dendrogram
from core.groups.grouper import Hierarchy, SliderRange
from core.similarities import Float32Array, IntArray, Similarities

STEP = 0.01
COARSE_STEP = 0.05
"""Step where every cut costs a run of the method: those that build no tree."""

SHARPNESS = 1.5
SIMILARITY_POWER = 2.0
FULL_TRUST = 0.12
"""Mean silhouette from which the measures alone decide."""

SCORED_ROWS = 2_000
SCORED_CELLS = 24_000_000
"""Headlines whose scores are averaged, evenly spaced, and at most so many similarities: bounds time."""

Fade = Callable[[IntArray], Float32Array]
"""Rows to what the dates leave of their similarities to all headlines, float32 [rows, n], 0 to 1."""


@dataclass(frozen=True, slots=True)
class GranularityChoice:
    """A granularity and how it was found.

    Attributes:
        granularity: 0 to 1, rounded to 0.01.
        trust: 0 (the timeline says nothing, the typical one was taken) to 1 (its measures decided).
        curve: (granularity, score) of each candidate, scores at least 0.
    """

    granularity: float
    trust: float
    curve: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class _Measures:
    silhouette: float = 0.0
    separation: float = 0.0
    agreement: float = 0.0

    @property
    def score(self) -> float:
        opposed = max(self.separation, 0.0) * max(self.agreement, 0.0)
        return float(max(self.silhouette, 0.0) * opposed**SHARPNESS)


def choose_granularity(
    hierarchy: Hierarchy, similarities: Similarities, usual: SliderRange, *, fade: Fade | None = None
) -> GranularityChoice:
    """The granularity to start with; deterministic.

    Args:
        hierarchy: A tree (`Dendrogram`) is measured at every 0.01, anything else at every 0.05.
        similarities: What it was built from.
        usual: Where the method's good cuts lie.
        fade: What the dates left of the similarities; None where time plays no part.

    Returns:
        The typical cut with trust 0 for fewer than three headlines, or where no candidate has
        both two groups and a linked pair.
    """
    step = STEP if isinstance(hierarchy, Dendrogram) else COARSE_STEP
    cuts = np.round(np.arange(usual.low, usual.high + step / 2, step), 2)
    if len(similarities) < 3:
        return GranularityChoice(usual.typical, 0.0, tuple((float(cut), 0.0) for cut in cuts))
    sample = _Sample(similarities, hierarchy.leaves if isinstance(hierarchy, Dendrogram) else None, fade)
    measured = [sample.measure(hierarchy.cut(float(cut))) for cut in cuts]
    curve = tuple((float(cut), found.score) for cut, found in zip(cuts, measured, strict=True))
    best = int(np.argmax([score for _, score in curve]))
    if curve[best][1] <= 0.0:
        return GranularityChoice(usual.typical, 0.0, curve)
    trust = float(np.clip(measured[best].silhouette / FULL_TRUST, 0.0, 1.0))
    return GranularityChoice(round(trust * curve[best][0] + (1 - trust) * usual.typical, 2), trust, curve)


class _Sample:
    """Evenly spaced headlines with their similarities to all: what the measures are taken from.

    With the leaves of a tree, columns stand in their order, so that groups are runs, and cuts have
    to come from fine to coarse: each sums up what the one before has summed.
    """

    def __init__(self, similarities: Similarities, leaves: IntArray | None, fade: Fade | None) -> None:
        n = len(similarities)
        count = max(2, min(n, SCORED_ROWS, SCORED_CELLS // n))
        self._nested = leaves is not None
        self._order: IntArray = np.arange(n) if leaves is None else leaves
        self._places: IntArray = np.unique(np.linspace(0, n - 1, count).round().astype(np.int64))
        self._at = np.arange(len(self._places))
        self._rows = self._order[self._places]
        if isinstance(similarities.matrix, np.ndarray):
            near: Float32Array = similarities.matrix[self._rows]
        else:
            near = similarities.matrix[self._rows].toarray()
        timeless = near if fade is None else np.clip(near / np.maximum(fade(self._rows), 1e-6), 0.0, 1.0)
        blocks = (near, near ** np.float32(SIMILARITY_POWER), timeless)
        self._blocks: list[Float32Array] = [
            np.asarray(block[:, self._order], dtype=np.float32) for block in blocks
        ]
        for block in self._blocks:
            block[self._at, self._places] = 0.0
        self._starts: IntArray = np.arange(n)
        squared = self._blocks[1]
        self._pairs = float(len(self._rows)) * (n - 1)
        self._mean = float(squared.sum(dtype=np.float64)) / self._pairs
        spread = float(np.einsum("ij,ij->i", squared, squared).sum(dtype=np.float64))
        self._variance = max(spread / self._pairs - self._mean**2, 1e-12)

    def measure(self, labels: IntArray) -> _Measures:
        """The measures of one grouping, labels 0 to groups - 1."""
        sums, own, sizes = self._sums(labels)
        if len(sizes) < 2 or len(sizes) == len(labels):
            return _Measures()
        near, squared, timeless = sums
        others = sizes[own] - 1
        _, silhouette = self._gaps(near, own, sizes)
        separation, _ = self._gaps(timeless, own, sizes)
        linked = float(others.sum(dtype=np.float64)) / self._pairs
        agreement = 0.0
        if 0.0 < linked < 1.0:
            together = float(squared[self._at, own].sum(dtype=np.float64)) / self._pairs
            agreement = (together - linked * self._mean) / float(
                np.sqrt(linked * (1 - linked) * self._variance)
            )
        return _Measures(silhouette, separation, agreement)

    def _sums(self, labels: IntArray) -> tuple[list[Float32Array], IntArray, IntArray]:
        """Sums over groups of every block, the column of each scored row's own group, and sizes."""
        inside = labels[self._order]
        if self._nested:
            starts = np.flatnonzero(np.concatenate(([True], inside[1:] != inside[:-1])))
            if len(starts) < len(self._starts):
                into = np.searchsorted(self._starts, starts)
                self._blocks = [np.add.reduceat(block, into, axis=1) for block in self._blocks]
                self._starts = starts
            own = np.searchsorted(starts, self._places, side="right") - 1
            return self._blocks, own, np.diff(np.append(starts, len(labels)))
        sizes = np.bincount(labels)
        order = np.argsort(labels, kind="stable")
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        sums: list[Float32Array] = [
            np.add.reduceat(block[:, order], starts, axis=1) for block in self._blocks
        ]
        return sums, labels[self._rows], sizes

    def _gaps(self, near: Float32Array, own: IntArray, sizes: IntArray) -> tuple[float, float]:
        """Separation and mean silhouette from summed similarities to every group."""
        others = sizes[own] - 1
        inside = 1.0 - near[self._at, own] / np.maximum(others, 1)
        outside = np.asarray(1.0 - near / sizes[None, :], dtype=np.float32)
        outside[self._at, own] = np.inf
        nearest = outside.min(axis=1)
        gap = np.where(others == 0, 0.0, nearest - inside)
        return float(gap.mean()), float(np.mean(gap / np.maximum(np.maximum(nearest, inside), 1e-9)))
