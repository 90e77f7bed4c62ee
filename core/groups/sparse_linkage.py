"""Average linkage over neighbour lists, compiled: Müllner's (2011) chain of nearest neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

import numba
import numpy as np

from core.arrays import Float32Array, FloatArray, Int32Array, IntArray
from core.groups.dendrogram import merges_in_order
from core.runtime import Runtime

if TYPE_CHECKING:
    from scipy import sparse

STEP: Final = "Joining groups"
_AT_ONCE = 4_096  # joins between two reports of progress
_BITS = 62  # of a sum of similarities, of the 63 that an int64 has


def join_sparse(size: int, portions: Iterable[sparse.csr_matrix], runtime: Runtime) -> FloatArray:
    """The linkage table of average linkage (UPGMA) of a symmetric matrix, whose rows come in portions, in
    order.

    Absent pairs are of similarity 0. A portion is taken when the chain comes to it, and joined clusters share
    one list, so the links of few portions are in memory. Sums are of whole numbers, in the finest unit, up to
    2^-30, for which none (at most n²/4) leaves 62 bits: both ends of a pair agree.
    """
    unit = 2.0 ** min(30, _BITS + 2 - 2 * math.ceil(math.log2(max(size, 2))))
    forest = _Forest(
        start=np.zeros(size, dtype=np.int64),
        length=np.zeros(size, dtype=np.int64),
        names=np.empty(0, dtype=np.int32),
        sums=np.empty(0, dtype=np.int64),
        listed=np.empty(size, dtype=np.int32),
        parent=np.arange(size, dtype=np.int32),
        weight=np.ones(size, dtype=np.int64),
        place=np.full(size, -1, dtype=np.int64),
        chain=np.empty(size + 1, dtype=np.int32),
        at=np.zeros(6, dtype=np.int64),
        height=np.zeros(size),
        left=np.empty(size, dtype=np.int32),
        right=np.empty(size, dtype=np.int32),
        joined=np.empty(size),
    )
    rows = iter(portions)
    for begin in runtime.track(range(0, size, _AT_ONCE), STEP):
        while not _advance(forest, begin + _AT_ONCE, unit):
            forest = _with(forest, next(rows), unit)
    count = int(forest.at[JOINED])
    left, right, heights = forest.left[:count], forest.right[:count], forest.joined[:count]
    del forest
    return merges_in_order(size, left, right, heights)


class _Forest(NamedTuple):
    """Clusters as they grow; a cluster is named by its first headline."""

    start: IntArray
    length: IntArray
    names: Int32Array  # of linked headlines, list after list
    sums: IntArray
    listed: Int32Array  # clusters that may have a list
    parent: Int32Array
    weight: IntArray
    place: IntArray
    chain: Int32Array
    at: IntArray
    height: FloatArray  # of the cluster whose first headline this is
    left: Int32Array  # the joins, children before parents
    right: Int32Array
    joined: FloatArray


NEXT, CHAIN, USED, LISTED, ROWS, JOINED = range(6)
"""Places in `_Forest.at`: the next start; lengths of the chain, the lists, `listed`, the rows, the joins."""


def _with(forest: _Forest, portion: sparse.csr_matrix, unit: float) -> _Forest:
    links = portion.nnz
    if 2 * (forest.at[USED] + links) > len(forest.names):
        _compact(forest)
    used = int(forest.at[USED])
    if 2 * (used + links) > len(forest.names):  # a join copies two lists before it drops them
        room = 2 * (used + links) + 2 * used
        names, sums = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int64)
        names[:used], sums[:used] = forest.names[:used], forest.sums[:used]
        forest = forest._replace(names=names, sums=sums)
    _append(forest, portion.indptr.astype(np.int64), portion.indices.astype(np.int32), portion.data, unit)
    return forest


@numba.njit(cache=True, nogil=True)
def _append(forest: _Forest, indptr: IntArray, indices: Int32Array, data: Float32Array, unit: float) -> None:
    at, to = forest.at, forest.at[USED]
    for portion_row in range(len(indptr) - 1):
        row = at[ROWS]
        forest.start[row] = to
        for link in range(indptr[portion_row], indptr[portion_row + 1]):
            if indices[link] != row and data[link] > 0:
                forest.names[to] = indices[link]
                forest.sums[to] = np.int64(np.rint(np.float64(data[link]) * unit))
                to += 1
        forest.length[row] = to - forest.start[row]
        forest.listed[at[LISTED]] = row
        at[ROWS], at[LISTED] = row + 1, at[LISTED] + 1
    at[USED] = to


@numba.njit(cache=True, nogil=True)
def _refresh(forest: _Forest, cluster: int) -> None:
    names, sums, parent, place = forest.names, forest.sums, forest.parent, forest.place
    first, count = forest.start[cluster], 0
    for at in range(first, first + forest.length[cluster]):
        name = names[at]
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        if name == cluster:
            continue
        known = place[name]
        if known >= 0:
            sums[known] += sums[at]
        else:
            place[name] = first + count
            names[first + count] = name
            sums[first + count] = sums[at]
            count += 1
    for at in range(first, first + count):
        place[names[at]] = -1
    forest.length[cluster] = count


@numba.njit(cache=True, nogil=True)
def _nearest(forest: _Forest, cluster: int, before: int) -> tuple[int, float]:
    best, highest = -1, -1.0
    for at in range(forest.start[cluster], forest.start[cluster] + forest.length[cluster]):
        name = forest.names[at]
        average = forest.sums[at] / (forest.weight[name] * forest.weight[cluster])
        earlier = name == before or (best != before and name < best)
        if average > highest or (average == highest and earlier):
            best, highest = name, average
    return best, highest


@numba.njit(cache=True, nogil=True)
def _compact(forest: _Forest) -> None:
    listed = forest.listed[: forest.at[LISTED]]
    alive = listed[forest.length[listed] > 0]
    alive = alive[np.argsort(forest.start[alive])]
    to = 0
    for cluster in alive:
        first = forest.start[cluster]
        forest.start[cluster] = to
        for at in range(first, first + forest.length[cluster]):
            forest.names[to] = forest.names[at]
            forest.sums[to] = forest.sums[at]
            to += 1
    forest.listed[: len(alive)] = alive
    forest.at[USED], forest.at[LISTED] = to, len(alive)


@numba.njit(cache=True, nogil=True)
def _join(forest: _Forest, keep: int, drop: int, similarity: float) -> None:
    """Joins two clusters; no height falls below a part's."""
    both = forest.length[keep] + forest.length[drop]
    if forest.at[USED] + both > len(forest.names):
        _compact(forest)
    to = forest.at[USED]
    for cluster in (keep, drop):
        for at in range(forest.start[cluster], forest.start[cluster] + forest.length[cluster]):
            forest.names[to] = forest.names[at]
            forest.sums[to] = forest.sums[at]
            to += 1
    forest.start[keep], forest.length[keep], forest.length[drop] = forest.at[USED], both, 0
    forest.at[USED] = to
    forest.parent[drop] = keep
    forest.weight[keep] += forest.weight[drop]
    height = min(max(1.0 - similarity, forest.height[keep], forest.height[drop], 0.0), 1.0)
    count = forest.at[JOINED]
    forest.left[count], forest.right[count], forest.joined[count] = keep, drop, height
    forest.height[keep], forest.at[JOINED] = height, count + 1


@numba.njit(cache=True, nogil=True)
def _advance(forest: _Forest, most: int, unit: float) -> bool:
    """Joins until there are so many joins or nothing is left; False where it comes to a row not yet there."""
    chain, at = forest.chain, forest.at
    while at[JOINED] < most:
        if at[CHAIN] == 0:  # the next start
            while at[NEXT] < at[ROWS] and forest.parent[at[NEXT]] != at[NEXT]:
                at[NEXT] += 1
            if at[NEXT] == at[ROWS]:
                return bool(at[ROWS] == len(forest.parent))
            chain[0], at[CHAIN] = at[NEXT], 1
            at[NEXT] += 1
        cluster = chain[at[CHAIN] - 1]
        if cluster >= at[ROWS]:
            return False
        before = chain[at[CHAIN] - 2] if at[CHAIN] > 1 else -1
        _refresh(forest, cluster)
        nearest, average = _nearest(forest, cluster, before)
        if nearest < 0:
            at[CHAIN] = 0  # a whole component: nothing is left to join
        # Rounding may bend a tie into a ring; the two at its end are then as near.
        elif nearest != before and not np.any(chain[: at[CHAIN]] == nearest):
            chain[at[CHAIN]] = nearest
            at[CHAIN] += 1
        else:
            keep, drop = min(cluster, before), max(cluster, before)
            _join(forest, keep, drop, average / unit)
            at[CHAIN] -= 2
            if at[CHAIN] == 0:
                chain[0], at[CHAIN] = keep, 1
    return True
