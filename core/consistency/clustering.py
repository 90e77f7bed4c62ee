"""Correlation clustering: exact on small components, searched on others."""

from dataclasses import dataclass

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.consistency.components import disagreement, members
from core.consistency.exact_clustering import relax, solve_exactly
from core.consistency.local_search import search
from core.runtime import Runtime

ROUNDING = 1e-6  # the solver's, relative to the cost
BOUNDED_UP_TO = 80  # headlines of a component whose cost is bounded


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    labels: IntArray
    cost: FloatArray
    bound: FloatArray

    @property
    def exact(self) -> BoolArray:
        return np.asarray(self.cost <= self.bound + ROUNDING * np.maximum(1.0, self.cost))


def cluster(weights: FloatArray, runtime: Runtime, *, exact_up_to: int) -> Clustering:
    parts = members(weights > 0)
    labels = np.arange(len(weights))
    cost, bound = np.zeros(len(parts)), np.zeros(len(parts))
    for number in runtime.track(range(len(parts)), "Clustering the links"):
        rows = parts[number]
        if len(rows) == 1:
            continue
        inside = weights[np.ix_(rows, rows)]
        groups: IntArray | None = None
        if len(rows) <= exact_up_to:
            bound[number], groups = solve_exactly(inside)
        elif len(rows) <= BOUNDED_UP_TO:
            bound[number], _ = relax(inside)
        if groups is None:
            groups = search(inside)
        labels[rows] = rows[groups]
        cost[number] = disagreement(inside, groups)
    return Clustering(labels, cost, bound)
