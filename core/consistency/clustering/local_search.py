"""Correlation clustering by search: greedy joining, then moves of headlines and joins of groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.consistency.clustering.cutting_planes import (
    Solution,
    Weights,
    components,
    disagreement,
    members,
    relax,
    solve_exactly,
)
from core.runtime import Runtime

_LEAST_GAIN = 1e-9


def search(weights: Weights) -> IntArray:
    """A clustering that no move of one headline and no joining of two groups improves, int64 [n].

    Searched from two starts, the greedy joining and every headline alone; the better end is taken.
    The same weights give the same groups.

    Source: Keuper et al. (2015), "Efficient Decomposition of Image and Mesh Graphs by Lifted
    Multicuts", for greedy additive edge contraction and moves in the manner of Kernighan and Lin.
    """
    clean = weights.copy()
    np.fill_diagonal(clean, 0.0)
    starts = (greedy_joining(clean), np.arange(len(clean)))
    ends = [_improved(clean, start) for start in starts]
    return min(ends, key=lambda labels: disagreement(clean, labels))


def greedy_joining(weights: Weights) -> IntArray:
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


def _improved(weights: Weights, labels: IntArray) -> IntArray:
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
                _make_room(labels, member, pull)
            continue
        if not _join_best(labels, member, pull):
            return labels


def _make_room(labels: IntArray, member: Weights, pull: Weights) -> None:
    last = member.shape[1] - 1
    empty = int(np.flatnonzero(member[:, :last].sum(axis=0) == 0)[0])
    member[:, [empty, last]] = member[:, [last, empty]]
    pull[:, [empty, last]] = pull[:, [last, empty]]
    labels[labels == last] = empty


def _join_best(labels: IntArray, member: Weights, pull: Weights) -> bool:
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


ROUNDING = 1e-6
"""The solver's, relative to the cost."""


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """Groups that agree well with the weights."""

    labels: IntArray
    component: IntArray
    cost: FloatArray
    bound: FloatArray

    @property
    def exact(self) -> BoolArray:
        return np.asarray(self.cost <= self.bound + ROUNDING * np.maximum(1.0, self.cost))


def cluster(weights: Weights, runtime: Runtime, *, exact_up_to: int, bounded_up_to: int = 80) -> Clustering:
    component = components(weights > 0)
    parts = members(component)
    labels = np.arange(len(weights))
    cost, bound = np.zeros(len(parts)), np.zeros(len(parts))
    for number in runtime.track(range(len(parts)), "Clustering the links"):
        rows = parts[number]
        if len(rows) == 1:
            continue
        inside = weights[np.ix_(rows, rows)]
        solution = Solution(0.0, None)
        if len(rows) <= exact_up_to:
            solution = solve_exactly(inside)
        elif len(rows) <= bounded_up_to:
            solution = Solution(relax(inside).bound, None)
        found = search(inside) if solution.labels is None else solution.labels
        labels[rows] = rows[found]
        cost[number], bound[number] = disagreement(inside, found), solution.bound
    return Clustering(labels, component, cost, bound)
