"""Average linkage: groups join while the mean similarity between them is high enough.

One search, Müllner's chain of nearest neighbours, over a full matrix in float32 or over the neighbour
lists of a sparse one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from core.groups.dendrogram import Dendrogram, Joins
from core.groups.grouper import Grouper, GroupingInput, groupers
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

if TYPE_CHECKING:
    from scipy import sparse

_STEP = "Joining groups"
_AT_ONCE = 256  # joins or starts between two reports of progress
_COMPACT_BELOW = 0.7  # copy the living rows together when fewer than this share are alive
_SMALLEST_COPY = 256  # below this a copy costs more than it saves
_UNIT = 2.0**30
"""Similarities are summed as whole numbers of 2^-30: sums are exact in any order, so both ends of a
pair agree on its average. A float32 above 2^-7 is held exactly, and sums stay below 2^63 up to
185,000 headlines (the product of two group sizes is at most n²/4)."""


@groupers.register("average_linkage.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class AverageLinkage(Grouper):
    """Agglomerative grouping by the mean similarity of all pairs across two groups (UPGMA).

    At granularity g groups have been joined as long as some two had a mean distance of at most g.
    Pairs that are absent from sparse similarities count as similarity 0.

    Ties: of equally near groups the one that the search came from is taken, else the one with the
    earliest first headline; the search starts at the earliest headline that is not yet joined.
    The same input gives the same tree. Where ties exist, another order of the rows may give
    another tree.

    Source: Sokal and Michener (1958).
    """

    summary: ClassVar[str] = "Joins the two groups whose headlines are most alike on average, again and again"
    nested: ClassVar[bool] = True

    def fit(self, given: GroupingInput, runtime: Runtime) -> Dendrogram:
        """Builds the tree; see `Grouper.fit`."""
        matrix = given.similarities.matrix
        if isinstance(matrix, np.ndarray):
            joins = _join_dense(matrix, runtime)
        else:
            joins = _join_sparse(matrix, runtime)
        return Dendrogram(len(given), joins.merges())


class _Table:
    """Mean similarities between the clusters that are alive; a dead row or column is -1.

    Rows stay in order of the clusters' first headlines, so the first of equal values belongs to
    the earliest cluster.
    """

    def __init__(self, matrix: Float32Array) -> None:
        self.means = matrix.copy()
        np.fill_diagonal(self.means, -1.0)
        self.first = np.arange(len(matrix))
        self.weight = np.ones(len(matrix), dtype=np.int64)
        self.alive = np.ones(len(matrix), dtype=np.bool_)
        self.chain: list[int] = []

    def mutual(self) -> tuple[int, int]:
        """Two rows, in order, that are each other's nearest; takes them off the chain."""
        if not self.chain:
            self.chain.append(int(self.alive.argmax()))
        while True:
            row = self.means[self.chain[-1]]
            nearest = int(row.argmax())
            if len(self.chain) > 1 and row[self.chain[-2]] >= row[nearest]:
                one, other = self.chain.pop(), self.chain.pop()
                return min(one, other), max(one, other)
            self.chain.append(nearest)

    def merge(self, keep: int, drop: int) -> None:
        """Makes `drop` a part of `keep`.

        The mean is written as large + share × (small - large) with a share of at most a half: in
        floating point that never leaves the span of the two, which the chain relies on.
        """
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
        """Drops the dead rows and columns."""
        rows = np.flatnonzero(self.alive)
        place = np.cumsum(self.alive) - 1
        self.chain = [int(place[row]) for row in self.chain]
        self.means = self.means[np.ix_(rows, rows)]
        self.first, self.weight = self.first[rows], self.weight[rows]
        self.alive = np.ones(len(rows), dtype=np.bool_)


def _join_dense(matrix: Float32Array, runtime: Runtime) -> Joins:
    """All joins of average linkage (UPGMA) on a full similarity matrix.

    Source of the chain: Benzécri (1982), Juan (1982); Müllner, "Modern hierarchical, agglomerative
    clustering algorithms" (2011), section 3.2. The mean after a join is
    s(A∪B, C) = (|A| s(A, C) + |B| s(B, C)) / (|A| + |B|) (Lance and Williams, 1967).

    Time is O(n²) in row operations; scratch memory is one float32 copy of the matrix, and another
    of at most half its size while rows are compacted.

    Args:
        matrix: float32 [n, n], symmetric; not changed.
        runtime: Progress and stop.

    Returns:
        n - 1 joins.
    """
    size = len(matrix)
    joins = Joins(size)
    table = _Table(matrix)
    left = size
    for begin in runtime.track(range(0, size - 1, _AT_ONCE), _STEP):
        for _ in range(begin, min(begin + _AT_ONCE, size - 1)):
            keep, drop = table.mutual()
            joins.add(int(table.first[keep]), int(table.first[drop]), float(table.means[keep, drop]))
            table.merge(keep, drop)
            left -= 1
        if left < _COMPACT_BELOW * len(table.alive) and len(table.alive) > _SMALLEST_COPY:
            table.compact()
    return joins


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


def _join_sparse(matrix: sparse.csr_matrix, runtime: Runtime) -> Joins:
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
    for begin in runtime.track(range(0, size, _AT_ONCE), _STEP):
        for start in range(begin, min(begin + _AT_ONCE, size)):
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
