"""UMAP by whole-array steps: neighbours, graph and layout (McInnes, Healy and Melville 2018)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray, IntArray
from core.runtime import Runtime

if TYPE_CHECKING:
    from scipy import sparse

BLOCK_CELLS = 8_000_000  # similarities held at once, 32 MB: large for BLAS, small for the cache

PARTS = 64  # columns whose largest value stands for them in the first pass; see `_bound`

MANY_TIES = 40  # candidates for each place past which a block counts as full of equal values

SAME = 1e-6  # distances up to this are rounding noise of float32 unit vectors and count as 0
BISECTIONS = 64
NARROWEST = 1e-3  # least bandwidth, as a share of the mean distance: umap-learn's MIN_K_DIST_SCALE
STEP = "Laying out the map"
NEGATIVES = 5.0  # repulsions for every attraction: umap-learn's negative_sample_rate
SAMPLED = 24  # points that each point is pushed by in a pass; more is slower and no truer on 4,774 headlines
FURTHEST_PUSH = 4.0  # largest part of one repulsion on one axis: umap-learn's clip
MOMENTUM = np.float32(0.95)
NEAREST_SQUARED = np.float32(1e-6)  # below it attraction no longer grows, so duplicates stay finite


class Neighbours(NamedTuple):
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
        distance = np.maximum(1.0 - values, 0.0)
        distance[distance <= SAME] = 0.0
        indices[rows], distances[rows] = order, distance
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


def fuzzy_graph(neighbours: Neighbours) -> sparse.csr_matrix:
    """How strongly headlines belong together: symmetric float32 CSR [n, n] without diagonal or empty row."""
    from scipy import sparse

    n, k = neighbours.indices.shape
    distances = neighbours.distances.astype(np.float64)
    bandwidth, nearest = _bandwidths(distances)
    weights = np.exp(-np.maximum(distances - nearest[:, None], 0.0) / bandwidth[:, None])
    weights[:, 0] = 0.0
    rows = np.repeat(np.arange(n), k)
    directed = sparse.csr_matrix((weights.ravel(), (rows, neighbours.indices.ravel())), shape=(n, n))
    directed.eliminate_zeros()
    reverse = directed.T.tocsr()
    graph = (directed + reverse - directed.multiply(reverse)).tocsr().astype(np.float32)
    graph.sort_indices()
    return graph


def _bandwidths(distances: FloatArray) -> tuple[FloatArray, FloatArray]:
    n, k = distances.shape
    apart = distances > 0
    nearest = np.where(apart, distances, np.inf).min(axis=1)
    nearest[~apart.any(axis=1)] = 0.0
    beyond = np.maximum(distances[:, 1:] - nearest[:, None], 0.0)
    low, high, middle = np.zeros(n), np.full(n, np.inf), np.ones(n)
    for _ in range(BISECTIONS):
        too_wide = np.exp(-beyond / middle[:, None]).sum(axis=1) > np.log2(k)
        high = np.where(too_wide, middle, high)
        low = np.where(too_wide, low, middle)
        middle = np.where(np.isinf(high), middle * 2, (low + high) / 2)
    typical = np.where(nearest > 0, distances.mean(axis=1), distances.mean())
    # All vectors equal: no distance sets a scale, and any positive bandwidth gives weight 1.
    return np.maximum(middle, np.maximum(NARROWEST * typical, np.finfo(np.float32).tiny)), nearest


class _Edges(NamedTuple):
    heads: IntArray
    tails: IntArray
    weights: Float32Array
    first: IntArray


def lay_out(
    graph: sparse.csr_matrix, begin: Float32Array, runtime: Runtime, *, a: float, b: float, epochs: int
) -> Float32Array:
    """Moves the points until the plane's neighbourhoods match the graph's, float32 [n, 2]; see decision 6."""
    # A step along the sum of a point's forces is divided by its total attraction (a Jacobi preconditioner).
    edges = _edges(graph)
    n = len(begin)
    drawn = np.random.default_rng(runtime.seed)
    sampled = min(SAMPLED, n - 1)
    # Expected repulsions of a point in a pass of umap-learn, shared out over those drawn here.
    share = _sums(edges.weights, edges) * np.float32(NEGATIVES * (n - 1) / n / sampled)
    x, y = begin[:, 0].copy(), begin[:, 1].copy()
    speed_x, speed_y = np.zeros_like(x), np.zeros_like(y)
    for epoch in runtime.track(range(epochs), STEP):
        heat = np.float32(1.0 - epoch / epochs)
        force_x, force_y, pull = _attraction(x, y, edges, a, b)
        order = drawn.permutation(n)
        push_x, push_y = _repulsion(x[order], y[order], sampled, a, b)
        force_x[order] += push_x * share[order]
        force_y[order] += push_y * share[order]
        step = heat / (np.float32(1.0) + pull)
        momentum = MOMENTUM * np.sqrt(heat)
        speed_x = momentum * speed_x + step * force_x
        speed_y = momentum * speed_y + step * force_y
        x += speed_x
        y += speed_y
    return np.column_stack((x, y))


def _edges(graph: sparse.csr_matrix) -> _Edges:
    n = graph.shape[0]
    counts = np.diff(graph.indptr)
    return _Edges(
        heads=np.repeat(np.arange(n, dtype=np.int64), counts),
        tails=graph.indices.astype(np.int64),
        weights=(graph.data / graph.data.max()).astype(np.float32),
        first=graph.indptr[:-1].astype(np.int64),
    )


def _sums(values: npt.NDArray[np.floating], edges: _Edges) -> Float32Array:
    total: Float32Array = np.add.reduceat(values, edges.first, dtype=np.float32)
    return total


def _attraction(
    x: Float32Array, y: Float32Array, edges: _Edges, a: float, b: float
) -> tuple[Float32Array, Float32Array, Float32Array]:
    across = x[edges.tails] - x[edges.heads]
    up = y[edges.tails] - y[edges.heads]
    squared = across * across
    squared += up * up
    np.maximum(squared, NEAREST_SQUARED, out=squared)
    curve = np.power(squared, np.float32(b))
    pull = curve / squared
    curve *= np.float32(a)
    curve += np.float32(1.0)
    pull /= curve
    pull *= edges.weights
    # 2ab is the gradient's; the other 2 because an edge pulls both as head and as tail.
    pull *= np.float32(4.0 * a * b)
    across *= pull
    up *= pull
    return _sums(across, edges), _sums(up, edges), _sums(pull, edges)


def _repulsion(
    x: Float32Array, y: Float32Array, sampled: int, a: float, b: float
) -> tuple[Float32Array, Float32Array]:
    n = len(x)
    ring = np.lib.stride_tricks.sliding_window_view
    across = x[:, None] - ring(np.concatenate((x, x[:sampled])), sampled + 1)[:n, 1:]
    up = y[:, None] - ring(np.concatenate((y, y[:sampled])), sampled + 1)[:n, 1:]
    squared = across * across
    squared += up * up
    curve = np.power(squared, np.float32(b))
    curve *= np.float32(a)
    curve += np.float32(1.0)
    squared += np.float32(1e-3)  # umap-learn's guard against division by nothing
    curve *= squared
    push = np.divide(np.float32(2.0 * b), curve, out=curve)
    across *= push
    up *= push
    np.clip(across, -FURTHEST_PUSH, FURTHEST_PUSH, out=across)
    np.clip(up, -FURTHEST_PUSH, FURTHEST_PUSH, out=up)
    return across.sum(axis=1), up.sum(axis=1)
