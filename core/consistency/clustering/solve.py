"""Correlation clustering of any size: exact where a component is small, searched where it is not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.consistency.clustering.components import Weights, components, members
from core.consistency.clustering.cutting_planes import solve_exactly
from core.consistency.clustering.local_search import search
from core.runtime import Runtime
from core.similarities import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """Groups that agree well with the weights.

    Attributes:
        labels: Group of each headline, int64 [n].
        component: Number of the set of headlines that positive weights connect, int64 [n].
        exact: Whether the groups of each component are proved to be best, bool [c].
    """

    labels: IntArray
    component: IntArray
    exact: np.ndarray


def cluster(weights: Weights, runtime: Runtime, *, exact_up_to: int) -> Clustering:
    """Finds groups that cost little: weights drawn together but apart, and pushed apart but together.

    Args:
        weights: Of n headlines, float64 [n, n], symmetric: positive draws a pair together, negative
            apart. The diagonal is not read.
        runtime: Progress is reported component by component.
        exact_up_to: Components of at most this many headlines are solved by programs, which may still
            give up; the others are searched.
    """
    component = components(weights > 0)
    parts = members(component)
    labels = np.arange(len(weights))
    exact = np.ones(len(parts), dtype=np.bool_)
    for number in runtime.track(range(len(parts)), "Clustering the links"):
        rows = parts[number]
        if len(rows) == 1:
            continue
        inside = weights[np.ix_(rows, rows)]
        found = solve_exactly(inside).labels if len(rows) <= exact_up_to else None
        exact[number] = found is not None
        labels[rows] = rows[search(inside) if found is None else found]
    return Clustering(labels, component, exact)
