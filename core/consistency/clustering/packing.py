"""A lower bound on changes from broken triangles that share no pair."""

from __future__ import annotations

import numpy as np

from core.consistency.score_matrix import BoolArray


def packed_triangles(links: BoolArray, denied: BoolArray) -> int:
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
