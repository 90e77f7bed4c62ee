"""Exact nearest neighbours by cosine distance, in blocks that bound memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Float32Array, IntArray
from core.runtime import Runtime

BLOCK_CELLS = 8_000_000
"""Similarities held at once (32 MB of float32): large enough for BLAS, small for the cache."""

PARTS = 64  # columns whose largest value stands for them in the first pass; see `_bound`

MANY_TIES = 40  # candidates for each place past which a block counts as full of equal values

SAME = 1e-6  # distances up to this are rounding noise of float32 unit vectors and count as 0


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The k nearest neighbours of each of n vectors, itself first."""

    indices: IntArray  # int64 [n, k], nearest first; equal distances by index
    distances: Float32Array  # float32 [n, k], cosine distance 0 to 2, ascending; 0 for equal directions


def unit_rows(vectors: Float32Array) -> Float32Array:
    """The vectors at length 1, float32 [n, d]; a vector of zeros stays as it is."""
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    unit: Float32Array = (rows / lengths).astype(np.float32, copy=False)
    return unit


def nearest(vectors: Float32Array, k: int, runtime: Runtime) -> Neighbours:
    """Exact neighbours of every vector among all."""
    unit = unit_rows(vectors)
    n = len(unit)
    k = min(k, n)
    indices = np.empty((n, k), dtype=np.int64)
    distances = np.empty((n, k), dtype=np.float32)
    step = max(1, min(n, BLOCK_CELLS // max(n, 1)))
    for start in runtime.track(range(0, n, step), "Finding neighbours"):
        rows = slice(start, min(start + step, n))
        similar = unit[rows] @ unit.T
        here = np.arange(len(similar))
        similar[here, here + start] = np.inf
        order, values = _largest(similar, k)
        found = np.maximum(1.0 - values, 0.0)
        found[found <= SAME] = 0.0
        indices[rows], distances[rows] = order, found
    return Neighbours(indices, distances)


def _largest(rows: Float32Array, k: int) -> tuple[IntArray, Float32Array]:
    count, n = rows.shape
    least = _bound(rows, k)
    flat = np.flatnonzero(rows >= least[:, None])
    if len(flat) > MANY_TIES * k * count:
        return _largest_of_ties(rows, k)
    row, column = np.divmod(flat, n)
    value = rows.ravel()[flat]
    order = np.lexsort((column, -value, row))
    firsts = np.searchsorted(row, np.arange(count))
    taken = order[firsts[:, None] + np.arange(k)]
    return column[taken], value[taken]


def _bound(rows: Float32Array, k: int) -> Float32Array:
    """A value for each row that at least k entries reach, and few more than k do, float32 [rows]."""
    n = rows.shape[1]
    parts = max(1, min(PARTS, n // (4 * k)))
    width = n // parts
    tops = rows[:, : parts * width].reshape(len(rows), parts, width).max(axis=1)
    tops = np.concatenate((tops, rows[:, parts * width :]), axis=1)
    least: Float32Array = np.partition(tops, tops.shape[1] - k, axis=1)[:, -k]
    return least


def _largest_of_ties(rows: Float32Array, k: int) -> tuple[IntArray, Float32Array]:
    n = rows.shape[1]
    column = np.sort(np.argpartition(rows, n - k, axis=1)[:, n - k :], axis=1)
    value = np.take_along_axis(rows, column, axis=1)
    order = np.argsort(-value, axis=1, kind="stable")
    return np.take_along_axis(column, order, axis=1), np.take_along_axis(value, order, axis=1)
