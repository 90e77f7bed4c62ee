"""Average linkage by Müllner's (2011) chain of nearest neighbours."""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.groups.dendrogram import Dendrogram, merges_in_order
from core.groups.grouper import Grouper, GroupingInput, groupers
from core.runtime import Runtime

_AT_ONCE: Final = 256  # joins or starts between two reports of progress
_COMPACT_BELOW: Final = 0.7  # copy the living rows together when fewer than this share are alive
_SMALLEST_COPY: Final = 256  # below this a copy costs more than it saves


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
        if not isinstance(matrix, np.ndarray):
            from core.groups.sparse_linkage import join_sparse  # it compiles with numba

            return Dendrogram(len(given), join_sparse(len(given), [matrix], runtime))
        clusters = size = len(matrix)
        joins, table = _Joins(size), _ClusterMeans(matrix)
        for begin in runtime.track(range(0, size - 1, _AT_ONCE), "Joining groups"):
            for _ in range(begin, min(begin + _AT_ONCE, size - 1)):
                keep, drop = table.mutual_neighbours()
                joins.add(int(table.first[keep]), int(table.first[drop]), float(table.means[keep, drop]))
                table.merge(keep, drop)
                clusters -= 1
            if clusters < _COMPACT_BELOW * len(table.alive) and len(table.alive) > _SMALLEST_COPY:
                table.compact()
        return Dendrogram(size, joins.merges())


class _Joins:
    def __init__(self, size: int) -> None:
        self._size = size
        self._left: list[int] = []
        self._right: list[int] = []
        self._heights: list[float] = []
        self._height_of = [0.0] * size  # height of the cluster whose first headline this is

    def add(self, first: int, second: int, similarity: float) -> None:
        height = min(max(1.0 - similarity, self._height_of[first], self._height_of[second], 0.0), 1.0)
        self._height_of[min(first, second)] = height
        self._left.append(first)
        self._right.append(second)
        self._heights.append(height)

    def merges(self) -> FloatArray:
        left, right = (np.array(side, dtype=np.int64) for side in (self._left, self._right))
        return merges_in_order(self._size, left, right, np.array(self._heights, dtype=np.float64))


class _ClusterMeans:
    """Mean similarities between the clusters that are alive; a dead row or column is -1."""

    def __init__(self, matrix: Float32Array) -> None:
        self.means = matrix.copy()
        np.fill_diagonal(self.means, -1.0)
        self.first = np.arange(len(matrix))
        self.weight = np.ones(len(matrix), dtype=np.int64)
        self.alive = np.ones(len(matrix), dtype=np.bool_)
        self.chain: list[int] = []

    def mutual_neighbours(self) -> tuple[int, int]:
        """Two clusters that are nearest to each other, where the chain of nearest neighbours ends."""
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
        large, small = (keep, drop) if self.weight[keep] >= self.weight[drop] else (drop, keep)
        share = self.weight[small] / (self.weight[small] + self.weight[large])
        self.weight[keep] += self.weight[drop]
        row = self.means[small] - self.means[large]
        row *= np.float32(share)
        row += self.means[large]
        row[keep] = row[drop] = -1.0
        self.means[keep] = self.means[:, keep] = row
        self.means[drop] = self.means[:, drop] = -1.0
        self.alive[drop] = False

    def compact(self) -> None:
        rows = np.flatnonzero(self.alive)
        place = np.cumsum(self.alive) - 1
        self.chain = [int(place[row]) for row in self.chain]
        self.means = self.means[np.ix_(rows, rows)]
        self.first, self.weight = self.first[rows], self.weight[rows]
        self.alive = np.ones(len(rows), dtype=np.bool_)
