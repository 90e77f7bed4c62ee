"""Correlation clustering by greedy joining and single moves."""

import numpy as np

from core.arrays import FloatArray, IntArray
from core.consistency.components import disagreement

_LEAST_GAIN = 1e-9


def search(weights: FloatArray) -> IntArray:
    """A clustering that no move of one headline and no joining of two groups improves, int64 [n].

    Searched from the greedy joining and from every headline alone; the better end is taken.
    Source: Keuper et al. (2015), "Efficient Decomposition of Image and Mesh Graphs by Lifted Multicuts".
    """
    clean = weights.copy()
    np.fill_diagonal(clean, 0.0)
    starts = (greedy_joining(clean), np.arange(len(clean)))
    ends = [_improved(clean, start) for start in starts]
    return min(ends, key=lambda labels: disagreement(clean, labels))


def greedy_joining(weights: FloatArray) -> IntArray:
    """Joins the two groups of the largest sum of weights between them until no sum is positive, int64 [n]."""
    n = len(weights)
    labels = np.arange(n)
    if n < 2:
        return labels
    between = weights.copy()
    np.fill_diagonal(between, -np.inf)
    best = between.argmax(axis=1)
    value = between[np.arange(n), best]
    while True:
        keep = int(value.argmax())
        if value[keep] <= _LEAST_GAIN:
            return labels
        gone = int(best[keep])
        labels[labels == gone] = keep
        between[keep] += between[gone]
        between[:, keep] = between[keep]
        between[gone] = between[:, gone] = -np.inf
        between[keep, keep] = -np.inf
        stale = np.flatnonzero((best == keep) | (best == gone))
        better = between[:, keep] > value
        best[better], value[better] = keep, between[better, keep]
        for row in {*stale.tolist(), keep, gone}:
            best[row] = between[row].argmax()
            value[row] = between[row, best[row]]


def _improved(weights: FloatArray, labels: IntArray) -> IntArray:
    n = len(weights)
    labels = labels.copy()
    member = np.zeros((n, n + 1))  # one group more than can be filled: an empty one to move into
    member[np.arange(n), labels] = 1.0
    pull = weights @ member
    everyone = np.arange(n)
    while True:
        gain = pull - pull[everyone, labels][:, None]
        place = int(gain.argmax())
        row, target = divmod(place, n + 1)
        if gain[row, target] > _LEAST_GAIN:
            old = int(labels[row])
            pull[:, old] -= weights[:, row]
            pull[:, target] += weights[:, row]
            member[row, old], member[row, target] = 0.0, 1.0
            labels[row] = target
            if target == n:
                last = member.shape[1] - 1
                empty = int(np.flatnonzero(member[:, :last].sum(axis=0) == 0)[0])
                member[:, [empty, last]] = member[:, [last, empty]]
                pull[:, [empty, last]] = pull[:, [last, empty]]
                labels[labels == last] = empty
            continue
        if not _join_best(labels, member, pull):
            return labels


def _join_best(labels: IntArray, member: FloatArray, pull: FloatArray) -> bool:
    used = np.flatnonzero(member.sum(axis=0))
    between = member[:, used].T @ pull[:, used]
    np.fill_diagonal(between, -np.inf)
    first, second = divmod(int(between.argmax()), len(used)) if len(used) > 1 else (0, 0)
    if len(used) < 2 or between[first, second] <= _LEAST_GAIN:
        return False
    keep, gone = used[first], used[second]
    member[:, keep] += member[:, gone]
    pull[:, keep] += pull[:, gone]
    member[:, gone] = pull[:, gone] = 0.0
    labels[labels == gone] = keep
    return True
