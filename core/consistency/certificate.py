"""How few changes mend all triplets, with bounds."""

import math
from dataclasses import dataclass

import numpy as np

from core.arrays import BoolArray, IntArray
from core.consistency.census import census
from core.consistency.clustering import disagreement, members, packed_triangles, relax, search, solve_exactly
from core.runtime import Runtime


@dataclass(frozen=True, slots=True, eq=False)
class LeastChanges:
    """Groups that change the fewest decisions of those found; how many, and how few any must."""

    labels: IntArray
    known: int
    at_least: int


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
    """The clustering that changes fewest decisions, by component, and a bound of any transitive repair."""
    labels = np.arange(len(links))
    known = at_least = 0
    for rows in runtime.track(members(links), "Finding the fewest changes"):
        inside = np.ix_(rows, rows)
        linked, denied = links[inside], scored[inside] & ~links[inside]
        if denied.any():
            parts, bound = _smallest(linked, denied, (exact_up_to, relaxed_up_to))
            known += _changes(linked, denied, parts)
            at_least += bound
            labels[rows] = rows[parts]
        else:
            labels[rows] = rows[0]
    return LeastChanges(labels, known, at_least)


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
            lowest, best = program(weights)
            bound = max(bound, math.ceil(lowest - 1e-4))
            labels = labels if best is None else best
    return labels, bound


def _changes(linked: BoolArray, denied: BoolArray, labels: IntArray) -> int:
    return round(disagreement(linked.astype(np.float64) - denied, labels))


def certify(before: BoolArray, after: BoolArray, least: LeastChanges) -> Certificate:
    changed = int(np.count_nonzero(np.triu(before != after, k=1)))
    # A search can be beaten by luck; then the luckier repair is the smallest known.
    return Certificate(changed, min(changed, least.known), least.at_least)
