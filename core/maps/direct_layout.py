"""UMAP's layout as whole-array steps: no compiler to wait for, and it can be stopped.

umap-learn moves the two ends of one sampled edge at a time. Here every point takes one step a
pass along the sum of its forces: the attraction of all its edges, each at its full weight instead
of by sampling, and the repulsion of a random few, scaled to stand for as many as umap-learn would
draw. A step is divided by the point's total attraction (a Jacobi preconditioner), which keeps
well-connected points from overshooting, and momentum that fades lets whole groups move apart. The
points of rest are the same; the way there is shorter.

Source: McInnes, Healy and Melville 2018, section 3.2 and algorithm 5 (the forces).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array
from core.runtime import Runtime

if TYPE_CHECKING:
    from scipy import sparse

STEP = "Laying out the map"
NEGATIVES = 5.0  # repulsions for every attraction: umap-learn's negative_sample_rate
SAMPLED = 24  # points that each point is pushed by in a pass; more is slower and no truer on 4,774 headlines
FURTHEST_PUSH = 4.0  # largest part of one repulsion on one axis: umap-learn's clip
MOMENTUM = np.float32(0.95)
NEAREST_SQUARED = np.float32(1e-6)
"""Below this squared distance the attraction no longer grows, so that duplicates stay finite."""


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """The graph as columns, both directions of every edge, grouped by head."""

    heads: npt.NDArray[np.int64]
    tails: npt.NDArray[np.int64]
    weights: Float32Array
    first: npt.NDArray[np.int64]


def lay_out(
    graph: sparse.csr_matrix,
    begin: Float32Array,
    runtime: Runtime,
    *,
    a: float,
    b: float,
    epochs: int,
) -> Float32Array:
    """Moves the points until the plane's neighbourhoods match the graph's, float32 [n, 2].

    The graph is a symmetric float32 CSR [n, n] without a diagonal and without an empty row; `a` and `b` are
    of the curve 1 / (1 + a·d^2b).
    """
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
    """Push on each point from the `sampled` that follow it in a ring, in x and y."""
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
