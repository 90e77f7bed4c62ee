"""Connected components: groups by single linkage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.groups.dendrogram import Dendrogram, merges_in_order
from core.groups.grouper import Grouper, GroupingInput, groupers
from core.runtime import Runtime

if TYPE_CHECKING:
    from scipy import sparse

_ROWS_AT_ONCE: Final = 256  # between two reports of progress
_Edges = tuple[IntArray, IntArray, FloatArray]  # the ends of each and its height


@groupers.register("connected_components.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ConnectedComponents(Grouper):
    """Single linkage, built once as a maximum spanning tree: a chain of links joins.

    Source: Gower and Ross (1969).
    """

    summary: ClassVar[str] = "Joins whatever a chain of links connects; long chains can drift"
    nested: ClassVar[bool] = True

    def fit(self, given: GroupingInput, runtime: Runtime) -> Dendrogram:
        matrix = given.similarities.matrix
        if isinstance(matrix, np.ndarray):
            left, right, heights = _prim(matrix, runtime)
        else:
            left, right, heights = _spanning_forest(matrix)
        return Dendrogram(len(given), merges_in_order(len(given), left, right, heights))


def _prim(matrix: Float32Array, runtime: Runtime) -> _Edges:
    size = len(matrix)
    best = np.full(size, -1.0, dtype=np.float32)  # strongest link to the tree
    source = np.zeros(size, dtype=np.int64)
    outside = np.ones(size, dtype=np.bool_)
    edges = max(size - 1, 0)
    left, right = np.zeros(edges, np.int64), np.zeros(edges, np.int64)
    links = np.zeros(edges, np.float64)
    newest = 0
    for begin in runtime.track(range(0, size - 1, _ROWS_AT_ONCE), "Linking headlines"):
        for step in range(begin, min(begin + _ROWS_AT_ONCE, size - 1)):
            outside[newest] = False
            best[newest] = -2.0
            closer = outside & (matrix[newest] > best)
            best[closer] = matrix[newest, closer]
            source[closer] = newest
            newest = int(best.argmax())
            left[step], right[step], links[step] = source[newest], newest, best[newest]
    return left, right, np.clip(1.0 - links, 0.0, 1.0)


def _spanning_forest(matrix: sparse.csr_matrix) -> _Edges:
    from scipy import sparse
    from scipy.sparse.csgraph import minimum_spanning_tree

    upper = sparse.triu(matrix, k=1, format="csr").astype(np.float64)
    upper.data = 2.0 - upper.data  # from 1 to 2: scipy takes a weight of 0 for no link
    forest = minimum_spanning_tree(upper, overwrite=True).tocoo()
    heights = np.clip(forest.data - 1.0, 0.0, 1.0)
    return forest.row.astype(np.int64), forest.col.astype(np.int64), heights
