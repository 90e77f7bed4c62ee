"""The fewest changes that make decisions transitive, bounded from both sides, and what a repair changed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.arrays import BoolArray, IntArray
from core.consistency.census import census
from core.consistency.clustering.cutting_planes import (
    components,
    disagreement,
    members,
    packed_triangles,
    relax,
    solve_exactly,
)
from core.consistency.clustering.local_search import search
from core.errors import InputError
from core.runtime import Runtime


@dataclass(frozen=True, slots=True, eq=False)
class LeastChanges:
    """The transitive decisions with the fewest changes that were found, and how few there can be at best.

    Attributes:
        component: Number of the set of headlines that links connect, int64 [n], from 0.
        labels: Group of each headline in the clustering that changes fewest, int64 [n].
        known: Decisions that this clustering changes in each component, int64 [c].
        at_least: Decisions that any transitive repair must change in each, int64 [c]; 0 where nothing is
            broken.
    """

    component: IntArray
    labels: IntArray
    known: IntArray
    at_least: IntArray

    @property
    def exact(self) -> BoolArray:
        """Components whose clustering is proved to change fewest, bool [c]."""
        return np.asarray(self.known == self.at_least)


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """What a repair changed, against what was needed. Pairs between components need no change."""

    changed: int
    known: int
    at_least: int

    @property
    def exact(self) -> bool:
        """Whether the smallest known repair is proved to be the smallest."""
        return self.known == self.at_least

    @property
    def gap(self) -> int:
        """No more than this many changes were needless."""
        return self.changed - self.at_least


def least_changes(
    links: BoolArray,
    scored: BoolArray,
    runtime: Runtime,
    *,
    exact_up_to: int = 40,
    relaxed_up_to: int = 20_000,
) -> LeastChanges:
    """The clustering that changes fewest decisions, and a bound below which no transitive repair can go.

    That is correlation clustering with a weight of 1 for each decision, split into the components of
    the links. The bound of a component is the best of: broken triangles that share no pair; the
    linear relaxation; the integer program. The clustering is the best of local search and the programs.
    """
    component = components(links)
    parts = members(component)
    labels = np.arange(len(links))
    known, at_least = np.zeros(len(parts), dtype=np.int64), np.zeros(len(parts), dtype=np.int64)
    for number in runtime.track(range(len(parts)), "Finding the fewest changes"):
        rows = parts[number]
        inside = np.ix_(rows, rows)
        linked, denied = links[inside], scored[inside] & ~links[inside]
        if denied.any():
            found, at_least[number] = _smallest(linked, denied, (exact_up_to, relaxed_up_to))
            known[number] = _changes(linked, denied, found)
            labels[rows] = rows[found]
        else:
            labels[rows] = rows[0]
    return LeastChanges(component, labels, known, at_least)


def _smallest(linked: BoolArray, denied: BoolArray, sizes: tuple[int, int]) -> tuple[IntArray, int]:
    exact_up_to, relaxed_up_to = sizes
    weights = linked.astype(np.float64) - denied
    labels = search(weights)
    bound = packed_triangles(linked, denied)
    programs = (
        (relax, census(linked, scored=linked | denied).two <= relaxed_up_to),
        (solve_exactly, len(linked) <= exact_up_to),
    )
    for program, small in programs:
        if small and bound < _changes(linked, denied, labels):
            solution = program(weights)
            bound = max(bound, _whole(solution.bound))
            labels = labels if solution.labels is None else solution.labels
    return labels, bound


def _changes(linked: BoolArray, denied: BoolArray, labels: IntArray) -> int:
    return round(disagreement(linked.astype(np.float64) - denied, labels))


def _whole(bound: float) -> int:
    return math.ceil(bound - 1e-4)


def certify(before: BoolArray, after: BoolArray, least: LeastChanges) -> Certificate:
    if before.shape != after.shape or len(before) != len(least.component):
        raise InputError(
            "The decisions before and after are not about the same headlines.", hint="Repair them again."
        )
    changed = int(np.count_nonzero(np.triu(before != after, k=1)))
    # A search can be beaten by luck; then the luckier repair is the smallest known.
    known = min(changed, int(least.known.sum()))
    return Certificate(changed, known, int(least.at_least.sum()))
