"""Trees of merges, and groups at every level of them."""

from collections.abc import Callable

import numpy as np

from core.arrays import FloatArray, Int32Array, IntArray
from core.groups.grouper import by_first_appearance, check_granularity

_WORTH_COMPILING = 20_000  # headlines

Loop = Callable[..., None]


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
    apart = 0  # what was last joined at 1 to headline 0, which is the root of all that is joined to it
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


def _loop(loop: Loop, size: int) -> Loop:
    if size < _WORTH_COMPILING:
        return loop
    import numba

    compiled: Loop = numba.njit(cache=True, nogil=True)(loop)
    return compiled


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
