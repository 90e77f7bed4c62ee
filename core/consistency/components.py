"""Connected components of links, what a clustering costs, and triangles that break."""

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray


def components(attracts: BoolArray) -> IntArray:
    """Number of the connected component of each headline, int64 [n]; no best clustering joins two of them."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    labels = connected_components(csr_matrix(attracts), directed=False)[1]
    return np.asarray(labels, dtype=np.int64)


def members(attracts: BoolArray) -> list[IntArray]:
    """Rows of each of the `components`, ascending."""
    component = components(attracts)
    order = np.argsort(component, kind="stable")
    starts = np.flatnonzero(np.diff(component[order], prepend=-1))
    return np.split(order, starts[1:]) if len(component) else []


def disagreement(weights: FloatArray, labels: IntArray) -> float:
    """What a clustering costs: positive weights between groups and negative ones inside, made positive."""
    together = labels[:, None] == labels[None, :]
    upper = np.triu(weights, k=1)
    return float(upper[(upper > 0) & ~together].sum() - upper[(upper < 0) & together].sum())


def packed_triangles(links: BoolArray, denied: BoolArray) -> int:
    """How many broken triangles without a common pair were found: a repair changes a pair of each."""
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
