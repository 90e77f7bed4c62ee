"""Average linkage by Müllner's (2011) chain of nearest neighbours, and trees of merges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.arrays import Float32Array, FloatArray, Int32Array, IntArray
from core.groups.grouper import Grouper, GroupingInput, by_first_appearance, check_granularity, groupers
from core.runtime import Runtime


class Dendrogram:
    """Groups at every granularity, from a table of merges like scipy's, float64 [max(n-1, 0), 4]."""

    def __init__(self, size: int, merges: FloatArray) -> None:
        self.merges = merges
        self.leaves, self.gaps = _leaves(size, merges)
        """Headlines in an order in which every group of every cut is a run, int64 [n], and the distance at
        which each joins the one that follows, float64 [max(n-1, 0)]."""

    def __len__(self) -> int:
        return len(self.leaves)

    def cut(self, granularity: float) -> IntArray:
        """Groups joined at a distance of at most `granularity`; see `Hierarchy.cut`."""
        check_granularity(granularity)
        labels = np.empty(len(self), dtype=np.int64)
        if len(self) > 0:
            starts = np.concatenate(([0], self.gaps > granularity))
            labels[self.leaves] = np.cumsum(starts)
        return by_first_appearance(labels)


def merges_in_order(
    size: int, left: IntArray | Int32Array, right: IntArray | Int32Array, heights: FloatArray
) -> FloatArray:
    """A linkage table from joins of headlines at heights, stable; what they leave apart is joined at 1."""
    sequence = np.argsort(heights, kind="stable")
    merges: FloatArray = np.empty((max(size - 1, 0), 4), dtype=np.float64)
    _loop(_number_clusters, size)(left[sequence], right[sequence], heights[sequence], merges)
    return merges


def _number_clusters(left: IntArray, right: IntArray, heights: FloatArray, merges: FloatArray) -> None:
    size = len(merges) + 1
    parent = np.arange(size)  # headline to headline: union by path halving
    cluster = np.arange(size)  # of a root headline: index of its cluster
    count = np.ones(size, dtype=np.int64)
    apart = 0  # the first headline is a root, and the last that was joined to it at 1
    for row in range(size - 1):
        if row < len(left):
            first, second, height = left[row], right[row], heights[row]
        else:
            apart += 1
            while parent[apart] != apart:
                apart += 1
            first, second, height = 0, apart, 1.0
        while parent[first] != first:
            parent[first] = parent[parent[first]]
            first = parent[first]
        while parent[second] != second:
            parent[second] = parent[parent[second]]
            second = parent[second]
        first, second = min(first, second), max(first, second)
        parent[second] = first
        count[first] += count[second]
        merges[row, 0] = min(cluster[first], cluster[second])
        merges[row, 1] = max(cluster[first], cluster[second])
        merges[row, 2], merges[row, 3] = height, count[first]
        cluster[first] = size + row


_WORTH_COMPILING = 20_000  # headlines
Loop = Callable[..., None]


def _loop(loop: Loop, size: int) -> Loop:
    if size < _WORTH_COMPILING:
        return loop
    import numba

    compiled: Loop = numba.njit(cache=True, nogil=True)(loop)
    return compiled


class Joins:
    """Joins of clusters in the order in which the chain finds them: children before parents."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._left: list[int] = []
        self._right: list[int] = []
        self._heights: list[float] = []
        self._at = [0.0] * size  # height of the cluster whose first headline this is

    def add(self, first: int, second: int, similarity: float) -> None:
        """Joins two clusters, named by their first headlines; no height falls below a part's."""
        height = min(max(1.0 - similarity, self._at[first], self._at[second], 0.0), 1.0)
        self._at[min(first, second)] = height
        self._left.append(first)
        self._right.append(second)
        self._heights.append(height)

    def merges(self) -> FloatArray:
        """The linkage table, float64 [n-1, 4]; see `Dendrogram.merges`."""
        left, right = (np.array(side, dtype=np.int64) for side in (self._left, self._right))
        return merges_in_order(self._size, left, right, np.array(self._heights, dtype=np.float64))


def _leaves(size: int, merges: FloatArray) -> tuple[IntArray, FloatArray]:
    leaves, gaps = np.empty(size, dtype=np.int64), np.zeros(size)
    if size:
        _loop(_line_up, size)(merges, leaves, gaps)
    return leaves, gaps[:-1]


def _line_up(merges: FloatArray, leaves: IntArray, gaps: FloatArray) -> None:
    size = len(leaves)
    following = np.full(size, -1)
    gap = np.zeros(size)  # between a leaf and the one that follows
    head, tail = np.arange(2 * size - 1), np.arange(2 * size - 1)
    for row in range(size - 1):
        left, right = int(merges[row, 0]), int(merges[row, 1])
        following[tail[left]] = head[right]
        gap[tail[left]] = merges[row, 2]
        head[size + row], tail[size + row] = head[left], tail[right]
    leaf = head[2 * size - 2]
    for place in range(size):
        leaves[place], gaps[place] = leaf, gap[leaf]
        leaf = following[leaf]


_AT_ONCE = 256  # joins or starts between two reports of progress
_COMPACT_BELOW = 0.7  # copy the living rows together when fewer than this share are alive
_SMALLEST_COPY = 256  # below this a copy costs more than it saves


@groupers.register("average_linkage.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class AverageLinkage(Grouper):
    """Agglomerative grouping by the mean similarity of all pairs across two groups (UPGMA).

    At granularity g groups have been joined as long as some two had a mean distance of at most g; absent
    pairs count as 0. Of ties the group that the search came from is taken, else the one with the earliest
    headline.

    Source: Sokal and Michener (1958).
    """

    summary: ClassVar[str] = "Joins the two groups whose headlines are most alike on average, again and again"
    nested: ClassVar[bool] = True

    def fit(self, given: GroupingInput, runtime: Runtime) -> Dendrogram:
        matrix = given.similarities.matrix
        if isinstance(matrix, np.ndarray):
            # All joins of average linkage (UPGMA) on a full similarity matrix.
            left = size = len(matrix)
            joins, table = Joins(size), _Table(matrix)
            for begin in runtime.track(range(0, size - 1, _AT_ONCE), "Joining groups"):
                for _ in range(begin, min(begin + _AT_ONCE, size - 1)):
                    keep, drop = table.mutual()
                    joins.add(int(table.first[keep]), int(table.first[drop]), float(table.means[keep, drop]))
                    table.merge(keep, drop)
                    left -= 1
                if left < _COMPACT_BELOW * len(table.alive) and len(table.alive) > _SMALLEST_COPY:
                    table.compact()
        else:
            from core.groups.sparse_linkage import join_sparse  # it compiles with numba

            return Dendrogram(len(given), join_sparse(len(given), [matrix], runtime))
        return Dendrogram(len(given), joins.merges())


class _Table:
    """Mean similarities between the clusters that are alive; a dead row or column is -1."""

    def __init__(self, matrix: Float32Array) -> None:
        self.means = matrix.copy()
        np.fill_diagonal(self.means, -1.0)
        self.first = np.arange(len(matrix))
        self.weight = np.ones(len(matrix), dtype=np.int64)
        self.alive = np.ones(len(matrix), dtype=np.bool_)
        self.chain: list[int] = []

    def mutual(self) -> tuple[int, int]:
        if not self.chain:
            self.chain.append(int(self.alive.argmax()))
        while True:
            row = self.means[self.chain[-1]]
            nearest = int(row.argmax())
            if len(self.chain) > 1 and row[self.chain[-2]] >= row[nearest]:
                last, other = self.chain.pop(), self.chain.pop()
                return min(last, other), max(last, other)
            self.chain.append(nearest)

    def merge(self, keep: int, drop: int) -> None:
        """Makes `drop` a part of `keep`."""
        large, small = (keep, drop) if self.weight[keep] >= self.weight[drop] else (drop, keep)
        share = self.weight[small] / (self.weight[small] + self.weight[large])
        self.weight[keep] += self.weight[drop]
        row = self.means[small] - self.means[large]
        row *= np.float32(share)
        row += self.means[large]
        row[keep] = row[drop] = -1.0
        self.means[keep] = row
        self.means[:, keep] = row
        self.means[drop] = -1.0
        self.means[:, drop] = -1.0
        self.alive[drop] = False

    def compact(self) -> None:
        rows = np.flatnonzero(self.alive)
        place = np.cumsum(self.alive) - 1
        self.chain = [int(place[row]) for row in self.chain]
        self.means = self.means[np.ix_(rows, rows)]
        self.first, self.weight = self.first[rows], self.weight[rows]
        self.alive = np.ones(len(rows), dtype=np.bool_)
