"""Nearest neighbours → UMAP's weighted graph, in numpy and scipy alone.

Source: McInnes, Healy and Melville 2018, "UMAP: Uniform Manifold Approximation and Projection",
section 3.1 and algorithms 2 and 3. The constants are those of umap-learn, so that its maps and
ours start from the same graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.arrays import FloatArray
from core.maps.neighbours import Neighbours

if TYPE_CHECKING:
    from scipy import sparse


BISECTIONS = 64
NARROWEST = 1e-3  # least bandwidth, as a share of the mean distance: umap-learn's MIN_K_DIST_SCALE


def fuzzy_graph(found: Neighbours) -> sparse.csr_matrix:
    """How strongly headlines belong together: symmetric float32 CSR [n, n], 0 < weight <= 1.

    The diagonal is empty, and every row has at least one entry.
    """
    from scipy import sparse

    n, k = found.indices.shape
    distances = found.distances.astype(np.float64)
    bandwidth, nearest = _bandwidths(distances)
    weights = np.exp(-np.maximum(distances - nearest[:, None], 0.0) / bandwidth[:, None])
    weights[:, 0] = 0.0
    rows = np.repeat(np.arange(n), k)
    directed = sparse.csr_matrix((weights.ravel(), (rows, found.indices.ravel())), shape=(n, n))
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
