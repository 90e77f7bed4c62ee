"""Groups by density: DBSCAN, and HDBSCAN over its condensed tree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.groups.connected_components import ConnectedComponents
from core.groups.grouper import Grouper, GroupingInput, by_first_appearance, check_granularity, groupers
from core.registry import number
from core.runtime import Runtime
from core.similarities import Similarities

if TYPE_CHECKING:
    from scipy import sparse

_LEAST_DISTANCE: Final = 1e-6  # float32 noise between equal texts; keeps densities finite
_ROOT: Final = 0


@groupers.register("dbscan.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Dbscan(Grouper):
    """Density-based groups; the granularity is the radius (eps) of a neighbourhood.

    A headline with at least `min_samples` within the radius, itself counted, is a core; linked cores are
    together, another headline joins the core most like it, and what is near no core is noise.

    Source: Ester et al. (1996); the border rule is that of Schubert et al. (2017), made deterministic.
    """

    summary: ClassVar[str] = "Groups grow from headlines with several close neighbours (DBSCAN)"

    min_samples: int = number(3, 1, 1_000, "headlines in a neighbourhood that make a group")

    def groups(self, given: GroupingInput, runtime: Runtime, granularity: float) -> IntArray:
        from scipy import sparse
        from scipy.sparse.csgraph import connected_components

        size = len(given.similarities)
        left, right, weight = given.similarities.edges(1.0 - granularity)
        neighbours = np.bincount(left, minlength=size) + np.bincount(right, minlength=size)
        core = neighbours + 1 >= self.min_samples
        between = core[left] & core[right]
        links = sparse.coo_matrix(
            (np.ones(int(between.sum()), np.int8), (left[between], right[between])), shape=(size, size)
        )
        labels: IntArray = connected_components(links, directed=False)[1].astype(np.int64)
        labels[~core] = -1
        ends = np.concatenate((np.stack((left, right)), np.stack((right, left))), axis=1)
        strength = np.concatenate((weight, weight))
        edge = core[ends[0]] & ~core[ends[1]]
        inside, outside, strength = ends[0][edge], ends[1][edge], strength[edge]
        order = np.lexsort((-inside, strength))  # the last assignment stands: the strongest link
        labels[outside[order]] = labels[inside[order]]
        return labels


@groupers.register("hdbscan.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Hdbscan(Grouper):
    """Density-based groups that persist; the granularity is the least distance at which they split.

    At granularity 0 plain HDBSCAN (excess of mass), then with cluster_selection_epsilon. Ours, since
    scikit-learn 1.9's epsilon fails with numpy 2.4 and its sparse path wants one graph; tested against it.

    Source: Campello, Moulavi and Sander (2013); Malzer and Baum (2020) for the epsilon.
    """

    summary: ClassVar[str] = "Groups that hold over a wide range of closeness (HDBSCAN)"
    nested: ClassVar[bool] = True

    min_size: int = number(2, 2, 1_000, "headlines that make a group")

    def fit(self, given: GroupingInput, runtime: Runtime) -> _CondensedTree:
        reachable = Similarities(_reachability(given.similarities, self.min_size))
        tree = ConnectedComponents().fit(GroupingInput(reachable, given.vectors), runtime)
        return _condense(len(given), tree.merges, self.min_size)


def _reachability(similarities: Similarities, min_size: int) -> Float32Array | sparse.csr_matrix:
    """Mutual reachability as a similarity: min(s(a, b), core(a), core(b))."""
    from scipy import sparse

    matrix = similarities.matrix
    if min_size <= 2:
        return matrix
    if isinstance(matrix, np.ndarray):
        if len(matrix) < min_size:
            return np.zeros_like(matrix)
        core = np.partition(matrix, -min_size, axis=1)[:, -min_size]  # the diagonal counts as one
        return np.minimum(np.minimum(matrix, core[:, None]), core[None, :])
    core = np.zeros(matrix.shape[0], dtype=np.float32)
    for row, (start, stop) in enumerate(zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)):
        if stop - start >= min_size:
            core[row] = np.partition(matrix.data[start:stop], -min_size)[-min_size]
    pairs = matrix.tocoo()
    values = np.minimum(np.minimum(pairs.data, core[pairs.row]), core[pairs.col])
    return sparse.csr_matrix((values, (pairs.row, pairs.col)), shape=matrix.shape)


class _CondensedTree:
    """Clusters of at least a given size, each from the distance at which it split from its parent."""

    def __init__(self, size: int) -> None:
        self.parent = [_ROOT]
        self.birth = [math.inf]
        self.mass = [0.0]
        self.cluster_of: IntArray = np.zeros(size, dtype=np.int64)  # the last that a headline was in
        self.left_at: FloatArray = np.full(size, 1.0)  # distance at which it left that one
        self._chosen: list[int] = []

    def add(self, parent: int, birth: float) -> int:
        self.parent.append(parent)
        self.birth.append(birth)
        self.mass.append(0.0)
        return len(self.parent) - 1

    def shed(self, cluster: int, count: int, distance: float) -> None:
        """Adds what headlines that leave at a distance give to the excess of mass of their cluster."""
        self.mass[cluster] += count * (1.0 / max(distance, _LEAST_DISTANCE) - 1.0 / self.birth[cluster])

    def choose(self) -> None:
        """Chooses the clusters of the largest excess of mass: compared bottom up, taken top down."""
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
        labels = np.array(label, dtype=np.int64)[self.cluster_of]
        if label[_ROOT] == _ROOT:  # all in one: only those that are linked at the granularity
            labels[self.left_at > granularity] = -1
        return by_first_appearance(labels)


def _condense(size: int, merges: FloatArray, min_size: int) -> _CondensedTree:
    tree = _CondensedTree(size)
    count = [1] * size + merges[:, 3].astype(int).tolist()
    cluster = [_ROOT] * (2 * size - 1 if size else 0)
    left_at = [math.nan] * len(cluster)  # distance at which a node left its cluster; NaN while inside
    for row in range(len(merges) - 1, -1, -1):
        node, height = size + row, float(merges[row, 2])
        children = (int(merges[row, 0]), int(merges[row, 1]))
        splits = math.isnan(left_at[node]) and min(count[child] for child in children) >= min_size
        if splits:
            tree.shed(cluster[node], count[node], height)
        for child in children:
            cluster[child], left_at[child] = cluster[node], left_at[node]
            if splits:
                cluster[child] = tree.add(cluster[node], height)
            elif math.isnan(left_at[node]) and count[child] < min_size:
                left_at[child] = height
                tree.shed(cluster[node], count[child], height)
    tree.cluster_of = np.array(cluster[:size], dtype=np.int64)
    tree.left_at = np.nan_to_num(np.array(left_at[:size], dtype=np.float64), nan=1.0)
    tree.choose()
    return tree
