"""The groups whose pairs have the highest expected F1."""

from __future__ import annotations

import numpy as np

from core.arrays import FloatArray, IntArray


def best_groups(n: int, left: IntArray, right: IntArray, pairs: FloatArray) -> tuple[IntArray, float]:
    """The groups of n headlines whose pairs have the highest expected F1, int64 [n], and that F1.

    F1 is twice the expected right pairs by the pairs joined and those expected in all. A pair that is joined
    raises it where it is likelier than F1 / 2 (Dinkelbach 1967): for rising F1, groups are merged as long as
    their pairs gain, then single headlines move. A pair that is not given is apart.
    """
    total = float(pairs.sum())
    best, value = np.arange(n), 0.0
    for begin in (0.5, 0.25, 0.1):
        bar = begin
        while True:
            groups = _joined_above(n, left, right, pairs, bar)
            inside, sizes = groups[left] == groups[right], np.bincount(groups)
            joined = float((sizes * (sizes - 1) // 2).sum())
            f1 = 2 * float(pairs[inside].sum()) / max(joined + total, 1e-10)
            if f1 <= value + 1e-12:
                break
            best, value, bar = groups, f1, f1 / 2
    _, firsts, numbers = np.unique(best, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(firsts))[numbers], dtype=np.int64), value


def _joined_above(n: int, left: IntArray, right: IntArray, pairs: FloatArray, bar: float) -> IntArray:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    near = pairs > bar
    graph = csr_array((np.ones(near.sum()), (left[near], right[near])), shape=(n, n))
    _, parts = connected_components(graph, directed=False)
    groups = np.arange(n)
    within = np.flatnonzero(parts[left] == parts[right])
    order = within[np.argsort(parts[left[within]], kind="stable")]
    for own in np.split(order, np.flatnonzero(np.diff(parts[left[order]])) + 1):
        if len(own):
            members, places = np.unique(np.concatenate([left[own], right[own]]), return_inverse=True)
            gains = np.full((len(members), len(members)), -bar)
            a, b = places[: len(own)], places[len(own) :]
            gains[a, b] = gains[b, a] = pairs[own] - bar
            np.fill_diagonal(gains, 0.0)
            groups[members] = members[_gainful(gains)]
    return groups


def _gainful(gains: FloatArray) -> IntArray:
    """Groups with a high sum of gains inside, int64 [m]: merged step by step, and then moved one by one."""
    m = len(gains)
    results = []
    for begin in (np.arange(m), np.zeros(m, dtype=np.int64)):
        groups, moved = begin.copy(), True
        while moved:
            groups = _merged(gains, groups)
            moved = _moved(gains, groups)
        results.append(groups)
    return max(results, key=lambda groups: float(gains[groups[:, None] == groups].sum()))


def _merged(gains: FloatArray, groups: IntArray) -> IntArray:
    names, groups = np.unique(groups, return_inverse=True)
    member = np.eye(len(names))[groups]
    between = member.T @ gains @ member
    np.fill_diagonal(between, -np.inf)
    while len(names) > 1:
        a, b = divmod(int(between.argmax()), len(names))
        if between[a, b] <= 1e-12:
            break
        between[a] += between[b]
        between[:, a] += between[:, b]
        between[a, a] = -np.inf
        between[b] = between[:, b] = -np.inf
        groups[groups == b] = a
    return np.asarray(groups, dtype=np.int64)


def _moved(gains: FloatArray, groups: IntArray) -> bool:
    """Moves each headline where it gains most, another group or one of its own; whether any was moved."""
    m, any_moved = len(gains), False
    for row in range(m):
        sums = np.bincount(groups, weights=gains[row], minlength=m + 1)
        sums[np.bincount(groups, minlength=m + 1) == 0] = 0.0  # a group of its own
        to = int(sums.argmax())
        if sums[to] > sums[groups[row]] + 1e-12:
            groups[row], any_moved = to, True
    return any_moved
