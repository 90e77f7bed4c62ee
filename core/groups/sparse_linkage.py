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

NEXT, CHAIN, USED, LISTED, ROWS, JOINED = range(6)
"""Places in `_Forest.counters`: the next start; lengths of the chain, the lists, `listed`, rows, joins."""


class _Forest(NamedTuple):
    """Clusters as they grow; a cluster is named by its first headline."""

    start: IntArray  # of a cluster's list in `names` and `sums`
    length: IntArray  # of its list, 0 once it was joined to another
    names: Int32Array  # of linked headlines, list after list
    sums: IntArray  # of similarities to each of `names`, in units
    listed: Int32Array  # clusters that may have a list
    parent: Int32Array  # of a headline, on the way to the first of its cluster
    weight: IntArray  # headlines of a cluster
    place: IntArray  # of a cluster in the list that is merged just now, else -1
    chain: Int32Array  # clusters, each the nearest of the one before it
    counters: IntArray  # by `NEXT` to `JOINED`
    height: FloatArray  # of the cluster whose first headline this is
    left: Int32Array  # the joins, children before parents
    right: Int32Array
    joined: FloatArray


def join_sparse(size: int, portions: Iterable[sparse.csr_matrix], runtime: Runtime) -> FloatArray:
    """The linkage table of average linkage (UPGMA) of a symmetric matrix, its rows in portions, in order."""
    # A portion is taken when the chain comes to it, and joined clusters share one list, so the links of few
    # portions are in memory. Sums are of whole numbers, in the finest unit, up to 2^-30, for which none (at
    # most n²/4) leaves 62 bits: both ends of a pair agree.
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
        counters=np.zeros(6, dtype=np.int64),
        height=np.zeros(size),
        left=np.empty(size, dtype=np.int32),
        right=np.empty(size, dtype=np.int32),
        joined=np.empty(size),
    )
    rows = iter(portions)
    for begin in runtime.track(range(0, size, _AT_ONCE), STEP):
        while not _advance(forest, begin + _AT_ONCE, unit):
            forest = _take_portion(forest, next(rows), unit)
    count = int(forest.counters[JOINED])
    left, right, heights = forest.left[:count], forest.right[:count], forest.joined[:count]
    del forest
    return merges_in_order(size, left, right, heights)


@numba.njit(cache=True, nogil=True)
def _advance(forest: _Forest, join_limit: int, unit: float) -> bool:
    """Joins up to `join_limit` joins or until nothing is left; False where a row is not yet there."""
    chain, counters = forest.chain, forest.counters
    while counters[JOINED] < join_limit:
        if counters[CHAIN] == 0:  # the next start
            while counters[NEXT] < counters[ROWS] and forest.parent[counters[NEXT]] != counters[NEXT]:
                counters[NEXT] += 1
            if counters[NEXT] == counters[ROWS]:
                return bool(counters[ROWS] == len(forest.parent))
            chain[0], counters[CHAIN] = counters[NEXT], 1
            counters[NEXT] += 1
        cluster = chain[counters[CHAIN] - 1]
        if cluster >= counters[ROWS]:
            return False
        before = chain[counters[CHAIN] - 2] if counters[CHAIN] > 1 else -1
        _merge_links(forest, cluster)
        nearest, average = _nearest(forest, cluster, before)
        if nearest < 0:
            counters[CHAIN] = 0  # a whole component: nothing is left to join
        # Rounding may bend a tie into a ring; the two at its end are then as near.
        elif nearest != before and not np.any(chain[: counters[CHAIN]] == nearest):
            chain[counters[CHAIN]] = nearest
            counters[CHAIN] += 1
        else:
            keep, drop = min(cluster, before), max(cluster, before)
            _join(forest, keep, drop, average / unit)
            counters[CHAIN] -= 2
            if counters[CHAIN] == 0:
                chain[0], counters[CHAIN] = keep, 1
    return True


def _take_portion(forest: _Forest, portion: sparse.csr_matrix, unit: float) -> _Forest:
    links = portion.nnz
    if 2 * (forest.counters[USED] + links) > len(forest.names):
        _compact(forest)
    used = int(forest.counters[USED])
    if 2 * (used + links) > len(forest.names):  # a join copies two lists before it drops them
        room = 2 * (used + links) + 2 * used
        names, sums = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int64)
        names[:used], sums[:used] = forest.names[:used], forest.sums[:used]
        forest = forest._replace(names=names, sums=sums)
    _append(forest, portion.indptr.astype(np.int64), portion.indices.astype(np.int32), portion.data, unit)
    return forest


@numba.njit(cache=True, nogil=True)
def _append(forest: _Forest, indptr: IntArray, indices: Int32Array, data: Float32Array, unit: float) -> None:
    counters, to = forest.counters, forest.counters[USED]
    for portion_row in range(len(indptr) - 1):
        row = counters[ROWS]
        forest.start[row] = to
        for link in range(indptr[portion_row], indptr[portion_row + 1]):
            if indices[link] != row and data[link] > 0:
                forest.names[to] = indices[link]
                forest.sums[to] = np.int64(np.rint(np.float64(data[link]) * unit))
                to += 1
        forest.length[row] = to - forest.start[row]
        forest.listed[counters[LISTED]] = row
        counters[ROWS], counters[LISTED] = row + 1, counters[LISTED] + 1
    counters[USED] = to


@numba.njit(cache=True, nogil=True)
def _merge_links(forest: _Forest, cluster: int) -> None:
    names, sums, parent, place = forest.names, forest.sums, forest.parent, forest.place
    first, count = forest.start[cluster], 0
    for link in range(first, first + forest.length[cluster]):
        name = names[link]
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        if name == cluster:
            continue
        known = place[name]
        if known >= 0:
            sums[known] += sums[link]
        else:
            place[name] = first + count
            names[first + count] = name
            sums[first + count] = sums[link]
            count += 1
    for link in range(first, first + count):
        place[names[link]] = -1
    forest.length[cluster] = count


@numba.njit(cache=True, nogil=True)
def _nearest(forest: _Forest, cluster: int, before: int) -> tuple[int, float]:
    best, highest = -1, -1.0
    for link in range(forest.start[cluster], forest.start[cluster] + forest.length[cluster]):
        name = forest.names[link]
        average = forest.sums[link] / (forest.weight[name] * forest.weight[cluster])
        earlier = name == before or (best != before and name < best)
        if average > highest or (average == highest and earlier):
            best, highest = name, average
    return best, highest


@numba.njit(cache=True, nogil=True)
def _join(forest: _Forest, keep: int, drop: int, similarity: float) -> None:
    both = forest.length[keep] + forest.length[drop]
    if forest.counters[USED] + both > len(forest.names):
        _compact(forest)
    to = forest.counters[USED]
    for cluster in (keep, drop):
        for link in range(forest.start[cluster], forest.start[cluster] + forest.length[cluster]):
            forest.names[to], forest.sums[to] = forest.names[link], forest.sums[link]
            to += 1
    forest.start[keep], forest.length[keep], forest.length[drop] = forest.counters[USED], both, 0
    forest.counters[USED] = to
    forest.parent[drop] = keep
    forest.weight[keep] += forest.weight[drop]
    height = min(max(1.0 - similarity, forest.height[keep], forest.height[drop], 0.0), 1.0)
    count = forest.counters[JOINED]
    forest.left[count], forest.right[count], forest.joined[count] = keep, drop, height
    forest.height[keep], forest.counters[JOINED] = height, count + 1


@numba.njit(cache=True, nogil=True)
def _compact(forest: _Forest) -> None:
    listed = forest.listed[: forest.counters[LISTED]]
    alive = listed[forest.length[listed] > 0]
    alive = alive[np.argsort(forest.start[alive])]
    to = 0
    for cluster in alive:
        first = forest.start[cluster]
        forest.start[cluster] = to
        for link in range(first, first + forest.length[cluster]):
            forest.names[to], forest.sums[to] = forest.names[link], forest.sums[link]
            to += 1
    forest.listed[: len(alive)] = alive
    forest.counters[USED], forest.counters[LISTED] = to, len(alive)
