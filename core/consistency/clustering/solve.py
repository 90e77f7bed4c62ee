"""Correlation clustering of any size: exact where a component is small, searched where it is not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.consistency.clustering.components import Weights, components, disagreement, members
from core.consistency.clustering.cutting_planes import Solution, relax, solve_exactly
from core.consistency.clustering.local_search import search
from core.runtime import Runtime
from core.similarities import IntArray

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]

ROUNDING = 1e-6
"""The solver's, relative to the cost."""


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """Groups that agree well with the weights.

    Attributes:
        labels: Group of each headline, int64 [n].
        component: Number of the set of headlines that positive weights connect, int64 [n].
        cost: What the groups of each component overrule, float64 [c].
        bound: No groups overrule less, float64 [c]; 0 where no bound was found.
    """

    labels: IntArray
    component: IntArray
    cost: FloatArray
    bound: FloatArray

    @property
    def exact(self) -> BoolArray:
        """Whether the groups of each component are proved to be best, bool [c]."""
        return np.asarray(self.cost <= self.bound + ROUNDING * np.maximum(1.0, self.cost))


def cluster(weights: Weights, runtime: Runtime, *, exact_up_to: int, bounded_up_to: int = 80) -> Clustering:
    """Finds groups that cost little: weights drawn together but apart, and pushed apart but together.

    Args:
        weights: Of n headlines, float64 [n, n], symmetric: positive draws a pair together, negative
            apart. The diagonal is not read.
        runtime: Progress is reported component by component.
        exact_up_to: Components of at most this many headlines are solved by programs, which may still
            give up; the others are searched.
        bounded_up_to: The cost of those with at most this many is bounded by the linear relaxation.
    """
    component = components(weights > 0)
    parts = members(component)
    labels = np.arange(len(weights))
    cost, bound = np.zeros(len(parts)), np.zeros(len(parts))
    for number in runtime.track(range(len(parts)), "Clustering the links"):
        rows = parts[number]
        if len(rows) == 1:
            continue
        inside = weights[np.ix_(rows, rows)]
        solution = Solution(0.0, None)
        if len(rows) <= exact_up_to:
            solution = solve_exactly(inside)
        elif len(rows) <= bounded_up_to:
            solution = Solution(relax(inside).bound, None)
        found = search(inside) if solution.labels is None else solution.labels
        labels[rows] = rows[found]
        cost[number], bound[number] = disagreement(inside, found), solution.bound
    return Clustering(labels, component, cost, bound)
