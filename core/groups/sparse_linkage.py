"""Average linkage over neighbour lists, compiled: Müllner's (2011) chain of nearest neighbours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numba
import numpy as np

from core.arrays import Float32Array, FloatArray, Int32Array, IntArray
from core.groups.average_linkage import Joins
from core.runtime import Runtime

if TYPE_CHECKING:
    from scipy import sparse

STEP: Final = "Joining groups"
_AT_ONCE = 4_096  # joins or starts between two reports of progress
_BITS = 62  # of a sum of similarities, of the 63 that an int64 has


def join_sparse(matrix: sparse.csr_matrix, runtime: Runtime) -> Joins:
    """All joins of average linkage (UPGMA) of a symmetric CSR matrix, where absent pairs are of similarity 0.

    Sums are of whole numbers, so that both ends of a pair agree on its average; the unit is the finest, up to
    2^-30, for which no sum (at most n²/4) leaves 62 bits.
    """
    size = int(matrix.shape[0])
    unit = 2.0 ** min(30, _BITS + 2 - 2 * math.ceil(math.log2(max(size, 2))))
    lists = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data
    found_lists = _lists(*lists, unit)
    forest = _Forest(
        *found_lists,
        parent=np.arange(size, dtype=np.int32),
        weight=np.ones(size, dtype=np.int64),
        place=np.full(size, -1, dtype=np.int64),
        chain=np.empty(size + 1, dtype=np.int32),
        at=np.array([0, 0, found_lists[1].sum()], dtype=np.int64),
    )
    joins = Joins(size)
    joined = _Found(np.empty(_AT_ONCE, np.int32), np.empty(_AT_ONCE, np.int32), np.empty(_AT_ONCE))
    for _ in runtime.track(range(0, 2 * size, _AT_ONCE), STEP):  # at most n starts and n joins
        count = _advance(forest, joined)
        for keep, drop, average in zip(*(column[:count].tolist() for column in joined), strict=True):
            joins.add(keep, drop, average / unit)
    return joins


class _Forest(NamedTuple):
    """Clusters as they grow; a cluster is named by its first headline."""

    start: IntArray
    length: IntArray
    names: Int32Array
    sums: IntArray
    parent: Int32Array
    weight: IntArray
    place: IntArray
    chain: Int32Array
    at: IntArray


class _Found(NamedTuple):
    keep: Int32Array
    drop: Int32Array
    average: FloatArray


@numba.njit(cache=True, nogil=True)
def _lists(
    indptr: IntArray, indices: Int32Array, data: Float32Array, unit: float
) -> tuple[IntArray, IntArray, Int32Array, IntArray]:
    size = len(indptr) - 1
    start, length = np.zeros(size, np.int64), np.zeros(size, np.int64)
    total = 0
    for row in range(size):
        start[row] = total
        for at in range(indptr[row], indptr[row + 1]):
            if indices[at] != row and data[at] > 0:
                total += 1
        length[row] = total - start[row]
    names = np.empty(2 * total, np.int32)
    sums = np.empty(2 * total, np.int64)
    to = 0
    for row in range(size):
        for at in range(indptr[row], indptr[row + 1]):
            if indices[at] != row and data[at] > 0:
                names[to] = indices[at]
                sums[to] = np.int64(np.rint(np.float64(data[at]) * unit))
                to += 1
    return start, length, names, sums


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
    alive = np.flatnonzero(forest.length)
    to = 0
    for which in np.argsort(forest.start[alive]):
        cluster = alive[which]
        first = forest.start[cluster]
        forest.start[cluster] = to
        for at in range(first, first + forest.length[cluster]):
            forest.names[to] = forest.names[at]
            forest.sums[to] = forest.sums[at]
            to += 1
    forest.at[2] = to


@numba.njit(cache=True, nogil=True)
def _join(forest: _Forest, keep: int, drop: int) -> None:
    both = forest.length[keep] + forest.length[drop]
    if forest.at[2] + both > len(forest.names):
        _compact(forest)
    to = forest.at[2]
    for cluster in (keep, drop):
        for at in range(forest.start[cluster], forest.start[cluster] + forest.length[cluster]):
            forest.names[to] = forest.names[at]
            forest.sums[to] = forest.sums[at]
            to += 1
    forest.start[keep], forest.length[keep], forest.length[drop] = forest.at[2], both, 0
    forest.at[2] = to
    forest.parent[drop] = keep
    forest.weight[keep] += forest.weight[drop]


@numba.njit(cache=True, nogil=True)
def _advance(forest: _Forest, joined: _Found) -> int:
    chain, at, count = forest.chain, forest.at, 0
    for _ in range(len(joined.keep)):
        if at[1] == 0:  # the next start
            while at[0] < len(forest.parent) and forest.parent[at[0]] != at[0]:
                at[0] += 1
            if at[0] == len(forest.parent):
                break
            chain[0], at[1] = at[0], 1
            at[0] += 1
        while at[1] > 0:
            cluster = chain[at[1] - 1]
            before = chain[at[1] - 2] if at[1] > 1 else -1
            _refresh(forest, cluster)
            nearest, average = _nearest(forest, cluster, before)
            if nearest < 0:
                at[1] = 0  # a whole component: nothing is left to join
            # Rounding may bend a tie into a ring; the two at its end are then as near.
            elif nearest != before and not np.any(chain[: at[1]] == nearest):
                chain[at[1]] = nearest
                at[1] += 1
            else:
                keep, drop = min(cluster, before), max(cluster, before)
                _join(forest, keep, drop)
                joined.keep[count], joined.drop[count], joined.average[count] = keep, drop, average
                count += 1
                at[1] -= 2
                if at[1] == 0:
                    chain[0], at[1] = keep, 1
                break
    return count
