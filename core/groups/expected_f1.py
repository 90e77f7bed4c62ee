"""The groups of highest expected F1 from probabilities of pairs, and how likely each is exactly right."""

from __future__ import annotations

import numpy as np

from core.arrays import FloatArray, IntArray
from core.runtime import igraph_seeded


def best_groups(n: int, left: IntArray, right: IntArray, pairs: FloatArray) -> tuple[IntArray, float]:
    """The groups of n headlines whose pairs have the highest expected F1, int64 [n], and that F1.

    F1 is twice the expected right pairs by the pairs joined and those expected in all. A pair that is joined
    raises it where it is likelier than F1 / 2 (Dinkelbach 1967): for rising F1, Leiden's method (Traag et al.
    2019) finds the groups whose pairs gain most above that. A pair that is not given is apart.
    """
    import igraph

    graph = igraph.Graph(n=n, edges=np.stack([left, right], axis=1))
    total, best, value, bar = float(pairs.sum()), np.arange(n), 0.0, 0.25
    while True:
        gains = {"objective_function": "CPM", "weights": pairs.tolist(), "resolution": bar}
        with igraph_seeded(0):
            groups = np.array(graph.community_leiden(**gains, n_iterations=-1).membership, dtype=np.int64)
        inside, sizes = groups[left] == groups[right], np.bincount(groups)
        joined = float((sizes * (sizes - 1) // 2).sum())
        f1 = 2 * float(pairs[inside].sum()) / max(joined + total, 1e-10)
        if f1 <= value + 1e-12:
            break
        best, value, bar = groups, f1, f1 / 2
    first: dict[int, int] = {}
    return np.array([first.setdefault(group, len(first)) for group in best.tolist()], dtype=np.int64), value


def exactly(groups: IntArray, left: IntArray, right: IntArray, pairs: FloatArray) -> FloatArray:
    """The probability that each group is exactly right, float64 [groups]; see `gold_groups`."""
    n, sizes = len(groups), np.bincount(groups)
    # how well each headline fits each group: the mean of its pairs with the others of that group
    rows, near = np.concatenate([left, right]), groups[np.concatenate([right, left])]
    keys, at = np.unique(rows * len(sizes) + near, return_inverse=True)
    row, group = keys // max(len(sizes), 1), keys % max(len(sizes), 1)
    own = groups[row] == group
    fit = np.bincount(at, weights=np.tile(pairs, 2), minlength=len(keys)) / np.maximum(sizes[group] - own, 1)
    fits = np.where(sizes[groups] > 1, 0.0, 1.0)
    fits[row[own]] = fit[own]
    worst, nearest = np.ones(len(sizes)), np.zeros(len(sizes))
    np.minimum.at(worst, groups, fits[:n])
    np.maximum.at(nearest, group[~own], fit[~own])
    return np.asarray(worst * (1 - nearest), dtype=np.float64)
