"""Average linkage on sparse similarities: the nearest-neighbour chain over neighbour lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.groups.dendrogram import Float64Array, merges_in_order
from core.runtime import Runtime
from core.similarities import IntArray

if TYPE_CHECKING:
    from scipy import sparse

_STEP = "Joining groups"
_STARTS_AT_ONCE = 256  # between two reports of progress
_UNIT = 2.0**30
"""Similarities are summed as whole numbers of 2^-30: sums are exact in any order, so both ends of a
pair agree on its average. A float32 above 2^-7 is held exactly, and sums stay below 2^63 up to
185,000 headlines (the product of two group sizes is at most n²/4)."""


class Joins:
    """Joins of clusters in the order in which the chain finds them: children before parents.

    Args:
        size: Number of headlines.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._left: list[int] = []
        self._right: list[int] = []
        self._heights: list[float] = []
        self._at = [0.0] * size  # height of the cluster whose first headline this is

    def add(self, first: int, second: int, similarity: float) -> None:
        """Records that two clusters, named by their first headlines, join.

        A height that rounding put below a part's is raised to it, so that heights never fall.
        """
        height = min(max(1.0 - similarity, self._at[first], self._at[second], 0.0), 1.0)
        self._at[min(first, second)] = height
        self._left.append(first)
        self._right.append(second)
        self._heights.append(height)

    def merges(self) -> Float64Array:
        """The linkage table, float64 [n-1, 4]; see `Dendrogram.merges`."""
        return merges_in_order(
            self._size,
            np.array(self._left, dtype=np.int64),
            np.array(self._right, dtype=np.int64),
            np.array(self._heights, dtype=np.float64),
        )


@dataclass(slots=True)
class _Forest:
    """Clusters as they grow; a cluster is named by its first headline.

    Attributes:
        parent: A joined cluster's new name, or its own; int32 [n].
        weight: Headlines in each cluster, int64 [n].
        names: Neighbours of each cluster, int32; names may be out of date and come twice.
        sums: Sum of similarities to each neighbour in `_UNIT`, int64.
        fresh: Whether the lists of a cluster were brought up to date at this number of joins.
        joined: Number of joins so far.
    """

    parent: npt.NDArray[np.int32]
    weight: IntArray
    names: list[npt.NDArray[np.int32]]
    sums: list[IntArray]
    fresh: list[int]
    joined: int = 0

    def neighbours(self, cluster: int) -> tuple[npt.NDArray[np.int32], IntArray]:
        """Current neighbours, sorted by name, and sums of similarities."""
        names, sums = self.names[cluster], self.sums[cluster]
        if self.fresh[cluster] == self.joined or len(names) == 0:
            return names, sums
        current = self.parent[names]
        while not np.array_equal(current, names):
            names, current = current, self.parent[current]
        order = np.argsort(names, kind="stable")
        names = names[order]
        starts = np.flatnonzero(np.diff(names, prepend=-1))
        names, sums = names[starts], np.add.reduceat(sums[order], starts)
        other = names != cluster
        if not other.all():
            names, sums = names[other], sums[other]
        self.names[cluster], self.sums[cluster] = names, sums
        self.fresh[cluster] = self.joined
        return names, sums

    def nearest(self, cluster: int, before: int) -> tuple[int, float]:
        """The neighbour of highest average (of equals `before`, else the first), or -1."""
        names, sums = self.neighbours(cluster)
        if len(names) == 0:
            return -1, 0.0
        averages = sums / (self.weight[names] * self.weight[cluster])
        best = int(averages.argmax())
        if before >= 0:
            at = int(np.searchsorted(names, before))
            if at < len(names) and names[at] == before and averages[at] >= averages[best]:
                best = at
        return int(names[best]), float(averages[best]) / _UNIT

    def join(self, keep: int, drop: int) -> None:
        """Makes `drop` a part of `keep`."""
        self.parent[drop] = keep
        self.weight[keep] += self.weight[drop]
        self.names[keep] = np.concatenate((self.names[keep], self.names[drop]))
        self.sums[keep] = np.concatenate((self.sums[keep], self.sums[drop]))
        self.names[drop], self.sums[drop] = self.names[drop][:0], self.sums[drop][:0]
        self.joined += 1


def join_sparse(matrix: sparse.csr_matrix, runtime: Runtime) -> Joins:
    """All joins of average linkage (UPGMA) where absent pairs count as similarity 0.

    The sum of similarities between two clusters is additive, sum(A∪B, C) = sum(A, C) + sum(B, C),
    and the average is sum(A, C) / (|A| |C|), so only pairs that are present need be held. The chain
    of nearest neighbours is Müllner's (2011, section 3.2), as in the dense path.

    Args:
        matrix: float32 CSR [n, n], symmetric, at most 185,000 headlines.
        runtime: Progress and stop.

    Returns:
        n - c joins, where c is the number of connected components.
    """
    size = matrix.shape[0]
    forest = _plant(matrix)
    joins = Joins(size)
    for begin in runtime.track(range(0, size, _STARTS_AT_ONCE), _STEP):
        for start in range(begin, min(begin + _STARTS_AT_ONCE, size)):
            if forest.parent[start] == start:
                _join_component(forest, start, joins)
    return joins


def _join_component(forest: _Forest, start: int, joins: Joins) -> None:
    """Joins all that can be reached from one cluster."""
    chain = [start]
    while chain:
        nearest, average = forest.nearest(chain[-1], chain[-2] if len(chain) > 1 else -1)
        if nearest < 0:
            chain.pop()  # a whole component: nothing is left to join
        elif nearest not in chain:
            chain.append(nearest)
        else:  # the one before, or, where rounding bends a tie into a ring, one as near
            keep, drop = sorted((chain.pop(), chain.pop()))
            joins.add(keep, drop, average)
            forest.join(keep, drop)
            if not chain:
                chain.append(keep)


def _plant(matrix: sparse.csr_matrix) -> _Forest:
    size = matrix.shape[0]
    pairs = matrix.tocoo()
    keep = (pairs.row != pairs.col) & (pairs.data > 0)
    names = pairs.col[keep].astype(np.int32)
    sums = np.rint(pairs.data[keep].astype(np.float64) * _UNIT).astype(np.int64)
    bounds = np.concatenate(([0], np.cumsum(np.bincount(pairs.row[keep], minlength=size)))).tolist()
    return _Forest(
        parent=np.arange(size, dtype=np.int32),
        weight=np.ones(size, dtype=np.int64),
        names=[names[bounds[row] : bounds[row + 1]] for row in range(size)],
        sums=[sums[bounds[row] : bounds[row + 1]] for row in range(size)],
        fresh=[-1] * size,
    )
