"""HDBSCAN's condensed tree: single linkage without the splits that shed only a few headlines."""

from __future__ import annotations

import math

import numpy as np

from core.groups.dendrogram import Float64Array
from core.groups.grouper import by_first_appearance, check_granularity
from core.similarities import IntArray

_LEAST_DISTANCE = 1e-6  # float32 noise between equal texts; keeps densities finite
_ROOT = 0


class CondensedTree:
    """Clusters of at least a given size, each from the distance at which it split from its parent.

    Args:
        size: Number of headlines n.

    Attributes:
        parent: Parent of each cluster; the root, 0, is its own. Parents come before children.
        birth: Distance at which each cluster split off; infinite for the root.
        mass: Excess of mass of each cluster, Σ over headlines of 1/leaving - 1/birth.
        home: Smallest cluster that each headline was ever in, int64 [n].
        left: Distance at which each headline left its home, float64 [n].
    """

    def __init__(self, size: int) -> None:
        self.parent = [_ROOT]
        self.birth = [math.inf]
        self.mass = [0.0]
        self.home: IntArray = np.zeros(size, dtype=np.int64)
        self.left: Float64Array = np.full(size, 1.0)
        self._chosen: list[int] = []

    def add(self, parent: int, birth: float) -> int:
        """A new cluster."""
        self.parent.append(parent)
        self.birth.append(birth)
        self.mass.append(0.0)
        return len(self.parent) - 1

    def shed(self, cluster: int, count: int, distance: float) -> None:
        """Counts the mass of headlines that leave a cluster at a distance."""
        self.mass[cluster] += count * (1.0 / max(distance, _LEAST_DISTANCE) - 1.0 / self.birth[cluster])

    def choose(self) -> None:
        """Chooses the clusters of the greatest total excess of mass, none within another."""
        best = list(self.mass)
        inside = [0.0] * len(best)
        wins = [False] * len(best)
        for cluster in range(len(best) - 1, _ROOT, -1):
            wins[cluster] = inside[cluster] <= best[cluster]
            best[cluster] = max(best[cluster], inside[cluster])
            inside[self.parent[cluster]] += best[cluster]
        covered = [False] * len(best)
        for cluster in range(1, len(best)):
            covered[cluster] = covered[self.parent[cluster]]
            if wins[cluster] and not covered[cluster]:
                self._chosen.append(cluster)
                covered[cluster] = True

    def cut(self, granularity: float) -> IntArray:
        """Chosen clusters, with splits at distances up to `granularity` undone; see `Hierarchy.cut`."""
        check_granularity(granularity)
        label = [-1] * len(self.parent)
        for cluster in self._chosen or [_ROOT]:
            at = cluster
            while self.birth[at] <= granularity:
                at = self.parent[at]
            label[at] = at
        for cluster in range(1, len(label)):
            if label[cluster] < 0 or label[self.parent[cluster]] >= 0:
                label[cluster] = label[self.parent[cluster]]
        labels = np.array(label, dtype=np.int64)[self.home]
        if label[_ROOT] == _ROOT:  # all in one: only those that are linked at the granularity
            labels[self.left > granularity] = -1
        return by_first_appearance(labels)


def condense(size: int, merges: Float64Array, min_size: int) -> CondensedTree:
    """The condensed tree of single linkage.

    Args:
        size: Number of headlines n.
        merges: Linkage table, float64 [n-1, 4]; see `Dendrogram`.
        min_size: Least size of a cluster, at least 2.
    """
    tree = CondensedTree(size)
    count = [1] * size + merges[:, 3].astype(int).tolist()
    cluster = [_ROOT] * (2 * size - 1 if size else 0)
    gone = [math.nan] * len(cluster)  # distance at which a node left its cluster; NaN while inside
    for row in range(len(merges) - 1, -1, -1):
        node, height = size + row, float(merges[row, 2])
        children = (int(merges[row, 0]), int(merges[row, 1]))
        splits = math.isnan(gone[node]) and min(count[child] for child in children) >= min_size
        if splits:
            tree.shed(cluster[node], count[node], height)
        for child in children:
            cluster[child], gone[child] = cluster[node], gone[node]
            if splits:
                cluster[child] = tree.add(cluster[node], height)
            elif math.isnan(gone[node]) and count[child] < min_size:
                gone[child] = height
                tree.shed(cluster[node], count[child], height)
    tree.home = np.array(cluster[:size], dtype=np.int64)
    tree.left = np.nan_to_num(np.array(gone[:size], dtype=np.float64), nan=1.0)
    tree.choose()
    return tree
