"""A correlation clustering's parts that cannot share a group, its cost, and a lower bound of its changes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.similarities import IntArray

Weights = npt.NDArray[np.float64]


def components(attracts: npt.NDArray[np.bool_]) -> IntArray:
    """Number of the connected component of each headline, int64 [n], from 0, by first appearance.

    No best clustering joins two components of the graph of positive weights: between them every
    weight is 0 or less, so keeping them apart costs nothing.

    Args:
        attracts: Pairs of positive weight, bool [n, n], symmetric.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    found = connected_components(csr_matrix(attracts), directed=False)[1]
    return np.asarray(found, dtype=np.int64)


def members(component: IntArray) -> list[IntArray]:
    """Rows of each component, ascending."""
    order = np.argsort(component, kind="stable")
    starts = np.flatnonzero(np.diff(component[order], prepend=-1))
    return np.split(order, starts[1:]) if len(component) else []


def disagreement(weights: Weights, labels: IntArray) -> float:
    """What a clustering costs: positive weights between groups and negative ones inside, made positive.

    Args:
        weights: float64 [n, n], symmetric; the diagonal is not read.
        labels: Group of each headline, int64 [n].
    """
    together = labels[:, None] == labels[None, :]
    upper = np.triu(weights, k=1)
    return float(upper[(upper > 0) & ~together].sum() - upper[(upper < 0) & together].sum())


def packed_triangles(links: npt.NDArray[np.bool_], denied: npt.NDArray[np.bool_]) -> int:
    """How many broken triangles without a common pair were found.

    In each of them any transitive repair must change at least one of its three pairs, and as they
    share none, it must change at least this many. The triangles are chosen greedily, denied pairs
    with the fewest common neighbours first.

    Args:
        links: Linked pairs, bool [n, n], symmetric.
        denied: Denied pairs, bool [n, n], symmetric, no pair in both.
    """
    graph = links.astype(np.float32)
    common = np.where(np.triu(denied, k=1), graph @ graph, 0)
    left, right = np.nonzero(common)
    order = np.argsort(common[left, right], kind="stable")
    free = links.copy()
    left_over = links.sum(axis=1).astype(np.int64)
    packed = 0
    for first, second in zip(left[order].tolist(), right[order].tolist(), strict=True):
        centres = np.flatnonzero(free[first] & free[second])
        if not len(centres):
            continue
        centre = int(centres[left_over[centres].argmax()])
        for end in (first, second):
            free[centre, end] = free[end, centre] = False
            left_over[end] -= 1
        left_over[centre] -= 2
        packed += 1
    return packed
