"""Where the slider starts: the granularity that the timeline itself suggests, without gold.

Every candidate cut is scored by two measures that err in opposite directions: separation, which
prefers few broad groups, and agreement, which prefers many tight ones. The cut with the greatest
separation x agreement ** AGREEMENT_POWER is taken. Where the groups found are weakly separated
the measures say little, and the cut is moved towards TYPICAL in proportion.

The constants were chosen on slices of UCI, AllSides, ECB+ and Emergent with `event_similarity.v1`
and average linkage; docs/decisions/0003-similarity-and-granularity.md has the figures, those with
a whole family of data left out among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.groups.dendrogram import Dendrogram
from core.groups.grouper import Hierarchy
from core.similarities import Float32Array, IntArray, Similarities

LOWEST, HIGHEST = 0.50, 0.90
"""Candidates lie between these; the best cut of 95 % of the slices does."""

STEP = 0.01
COARSE_STEP = 0.05
"""Step where every cut costs a run of the method: those that build no tree."""

TYPICAL = 0.70
"""About the mean, over four kinds of data, of the median best cut."""

AGREEMENT_POWER = 1.4
SIMILARITY_POWER = 2.0
FULL_TRUST = 0.20
"""Mean silhouette from which the measures alone decide."""

SCORED_ROWS = 2_000
SCORED_CELLS = 24_000_000
"""Headlines whose scores are averaged, evenly spaced, and at most so many similarities: bounds time."""


@dataclass(frozen=True, slots=True)
class GranularityChoice:
    """A granularity and how it was found.

    Attributes:
        granularity: 0 to 1, rounded to 0.01.
        trust: 0 (the timeline says nothing, TYPICAL was taken) to 1 (its measures decided).
        curve: (granularity, score) of each candidate, scores at least 0.
    """

    granularity: float
    trust: float
    curve: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class _Measures:
    separation: float = 0.0
    agreement: float = 0.0
    silhouette: float = 0.0

    @property
    def score(self) -> float:
        return float(max(self.separation, 0.0) * max(self.agreement, 0.0) ** AGREEMENT_POWER)


def choose_granularity(hierarchy: Hierarchy, similarities: Similarities) -> GranularityChoice:
    """The granularity to start with; deterministic.

    Args:
        hierarchy: A tree (`Dendrogram`) is measured at every 0.01, anything else at every 0.05.
        similarities: What it was built from.

    Returns:
        TYPICAL with trust 0 for fewer than three headlines, or where no candidate has both two
        groups and a linked pair.
    """
    step = STEP if isinstance(hierarchy, Dendrogram) else COARSE_STEP
    cuts = np.round(np.arange(LOWEST, HIGHEST + step / 2, step), 2)
    if len(similarities) < 3:
        return GranularityChoice(TYPICAL, 0.0, tuple((float(cut), 0.0) for cut in cuts))
    sample = _Sample(similarities)
    measured: list[_Measures] = []
    before: IntArray | None = None
    for labels in _labels(hierarchy, cuts):
        same = before is not None and np.array_equal(before, labels)
        measured.append(measured[-1] if same else sample.measure(labels))
        before = labels
    curve = tuple((float(cut), found.score) for cut, found in zip(cuts, measured, strict=True))
    best = int(np.argmax([score for _, score in curve]))
    if curve[best][1] <= 0.0:
        return GranularityChoice(TYPICAL, 0.0, curve)
    trust = float(np.clip(measured[best].silhouette / FULL_TRUST, 0.0, 1.0))
    return GranularityChoice(round(trust * curve[best][0] + (1 - trust) * TYPICAL, 2), trust, curve)


def _labels(hierarchy: Hierarchy, cuts: npt.NDArray[np.float64]) -> Iterator[IntArray]:
    return (hierarchy.cut(float(cut)) for cut in cuts)


class _Sample:
    """Evenly spaced headlines with their similarities to all: what the measures are taken from."""

    def __init__(self, similarities: Similarities) -> None:
        n = len(similarities)
        count = max(2, min(n, SCORED_ROWS, SCORED_CELLS // n))
        self._rows: IntArray = np.unique(np.linspace(0, n - 1, count).round().astype(np.int64))
        if isinstance(similarities.matrix, np.ndarray):
            near: Float32Array = similarities.matrix[self._rows]
        else:
            near = similarities.matrix[self._rows].toarray()
        near[np.arange(len(self._rows)), self._rows] = 0.0
        self._near = near
        self._squared = near ** np.float32(SIMILARITY_POWER)
        self._pairs = float(len(self._rows)) * (n - 1)
        self._mean = float(self._squared.sum(dtype=np.float64)) / self._pairs
        spread = float(np.einsum("ij,ij->i", self._squared, self._squared).sum(dtype=np.float64))
        self._variance = max(spread / self._pairs - self._mean**2, 1e-12)

    def measure(self, labels: IntArray) -> _Measures:
        """Separation, agreement and mean silhouette of one grouping, labels 0 to groups - 1."""
        sizes = np.bincount(labels)
        if len(sizes) < 2 or len(sizes) == len(labels):
            return _Measures()
        order = np.argsort(labels, kind="stable")
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        at, own = np.arange(len(self._rows)), labels[self._rows]
        others = sizes[own] - 1
        near = np.add.reduceat(self._near[:, order], starts, axis=1)
        inside = 1.0 - near[at, own] / np.maximum(others, 1)
        outside = 1.0 - near / sizes[None, :].astype(np.float32)
        outside[at, own] = np.inf
        nearest = outside.min(axis=1)
        gap = np.where(others == 0, 0.0, nearest - inside)
        silhouette = np.mean(gap / np.maximum(np.maximum(nearest, inside), 1e-9))
        linked = float(others.sum(dtype=np.float64)) / self._pairs
        agreement = 0.0
        if 0.0 < linked < 1.0:
            together = np.add.reduceat(self._squared[:, order], starts, axis=1)[at, own]
            covariance = float(together.sum(dtype=np.float64)) / self._pairs - linked * self._mean
            agreement = covariance / np.sqrt(linked * (1 - linked) * self._variance)
        return _Measures(float(gap.mean()), float(agreement), float(silhouette))
