"""HDBSCAN: groups that persist over many densities."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

from core.groups.grouper import GroupingInput, by_first_appearance, check_granularity, groupers
from core.runtime import Runtime
from core.similarities import IntArray, Similarities

Distances: TypeAlias = npt.NDArray[np.float64] | sparse.csr_matrix
_LEAST_DISTANCE = 1e-9  # scipy's spanning tree takes a distance of 0 for no link


@dataclass(frozen=True, slots=True, eq=False)
class HdbscanGroups:
    """Groups, computed at each cut.

    Attributes:
        distances: 1 - similarity, float64 [n, n], full or CSR.
        min_size: See `Hdbscan`.
    """

    distances: Distances
    min_size: int

    def cut(self, granularity: float) -> IntArray:
        """Groups that are not split below a distance of `granularity`; see `Hierarchy.cut`."""
        from sklearn.cluster import HDBSCAN

        check_granularity(granularity)
        size = self.distances.shape[0]
        if size <= self.min_size:
            whole = size > 1 and self.distances.max() <= granularity
            return by_first_appearance([0] * size if whole else range(size))
        method = HDBSCAN(
            metric="precomputed",
            min_cluster_size=self.min_size,
            min_samples=1,
            cluster_selection_epsilon=float(granularity),
            allow_single_cluster=True,
            copy=True,
        )
        return by_first_appearance(method.fit_predict(self.distances))


@groupers.register("hdbscan.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Hdbscan:
    """Density-based groups that persist; the granularity is the least distance at which they split.

    Source: Campello, Moulavi and Sander (2013), Malzer and Baum (2020) for the granularity
    (cluster_selection_epsilon); scikit-learn's implementation.
    """

    summary: ClassVar[str] = "Groups that hold over a wide range of closeness (HDBSCAN)"
    nested: ClassVar[bool] = False

    min_size: int = field(
        default=2, metadata={"help": "headlines that make a group", "low": 2, "high": 1_000}
    )

    def fit(self, given: GroupingInput, runtime: Runtime) -> HdbscanGroups:
        """Turns similarities into distances; see `Grouper.fit`."""
        return HdbscanGroups(_distances(given.similarities), self.min_size)


def _distances(similarities: Similarities) -> Distances:
    matrix = similarities.matrix
    if isinstance(matrix, np.ndarray):
        full = np.clip(1.0 - matrix.astype(np.float64), 0.0, 1.0)
        np.fill_diagonal(full, 0.0)
        return full
    return _connected(matrix)


def _connected(matrix: sparse.csr_matrix) -> sparse.csr_matrix:
    """Distances of the pairs that are present, and of 1 along a path through all headlines.

    scikit-learn needs one connected graph; absent pairs have distance 1 anyway.
    """
    size = matrix.shape[0]
    pairs = matrix.tocoo()
    keep = pairs.row != pairs.col
    weight = np.maximum(1.0 - pairs.data[keep].astype(np.float64), _LEAST_DISTANCE)
    present = sparse.csr_matrix((weight, (pairs.row[keep], pairs.col[keep])), shape=(size, size))
    here, there = np.arange(size - 1), np.arange(1, size)
    path = sparse.csr_matrix(
        (np.ones(2 * len(here)), (np.concatenate((here, there)), np.concatenate((there, here)))),
        shape=(size, size),
    )
    missing = path - path.multiply(present != 0)
    return sparse.csr_matrix(present + missing)
