"""Components of links, and correlation clustering: exact on small ones, searched on others."""

from dataclasses import dataclass

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.runtime import Runtime

_LEAST_GAIN = 1e-9
_SLACK = 1e-6
_CUTS = 60_000  # inequalities that a program may hold; past it the bound is left as it is
_NODES = 500  # branches of the integer program: a limit in work, so that results repeat
Solution = tuple[float, IntArray | None]  # a bound, and a best clustering if found
ROUNDING = 1e-6  # the solver's, relative to the cost
BOUNDED_UP_TO = 80  # headlines of a component whose cost is bounded


def components(attracts: BoolArray) -> IntArray:
    """Number of the connected component of each headline, int64 [n]; no best clustering joins two of them."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    labels = connected_components(csr_matrix(attracts), directed=False)[1]
    return np.asarray(labels, dtype=np.int64)


def members(attracts: BoolArray) -> list[IntArray]:
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


def search(weights: FloatArray) -> IntArray:
    """A clustering, int64 [n], that no move and no joining improves, from two starts (Keuper et al. 2015)."""
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
        row, target = divmod(int(gain.argmax()), n + 1)
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


class _Program:
    def __init__(self, weights: FloatArray) -> None:
        self.n = len(weights)
        self.left, self.right = np.triu_indices(self.n, k=1)
        self.gain = weights[self.left, self.right]
        self.place = np.zeros((self.n, self.n), dtype=np.int64)
        self.place[self.left, self.right] = self.place[self.right, self.left] = np.arange(len(self.left))
        self.cuts = np.empty((0, 3), dtype=np.int64)
        self.offset = float(self.gain[self.gain > 0].sum())

    def solve(self, *, whole: bool) -> tuple[float, FloatArray | None, bool]:
        from scipy import sparse
        from scipy.optimize import Bounds, LinearConstraint, milp

        rows = np.repeat(np.arange(len(self.cuts)), 3)
        signs = np.tile([1.0, 1.0, -1.0], len(self.cuts))
        matrix = sparse.csr_matrix((signs, (rows, self.cuts.ravel())), shape=(len(self.cuts), len(self.left)))
        solution = milp(
            -self.gain,
            integrality=np.full(len(self.left), int(whole)),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(matrix, -np.inf, 1.0) if len(self.cuts) else None,
            options={"node_limit": _NODES} if whole else {},
        )
        bound = solution.mip_dual_bound if whole else solution.fun
        if solution.x is None or bound is None:
            return 0.0, None, False
        x = np.eye(self.n)
        x[self.left, self.right] = x[self.right, self.left] = solution.x
        return self.offset + float(bound), x, solution.status == 0

    def add_broken(self, x: FloatArray) -> bool:
        triangles: list[IntArray] = []
        amounts: list[FloatArray] = []
        for middle in range(self.n):
            over = x[:, middle, None] + x[None, middle, :] - x
            over[middle] = over[:, middle] = 0.0
            first, last = np.nonzero(np.triu(over > 1 + _SLACK, k=1))
            cut = (self.place[first, middle], self.place[middle, last], self.place[first, last])
            triangles.append(np.column_stack(cut))
            amounts.append(over[first, last])
        cuts, amount = np.concatenate(triangles), np.concatenate(amounts)
        worst = np.argsort(-amount, kind="stable")[: _CUTS - len(self.cuts)]
        self.cuts = np.concatenate([self.cuts, cuts[worst]])
        return len(cuts) > 0


def relax(weights: FloatArray, *, rounds: int = 40) -> Solution:
    """Bounds the cost by the linear relaxation, best where whole (Grötschel and Wakabayashi 1989)."""
    # Broken triangle inequalities are added round by round; fewer than all still give a valid bound.
    return _by_cuts(_Program(weights), weights, rounds=rounds, whole=False)


def solve_exactly(weights: FloatArray, *, rounds: int = 40) -> Solution:
    """A best clustering by integer programming; labels are None where rounds or branches ran out."""
    program = _Program(weights)
    bound, labels = _by_cuts(program, weights, rounds=rounds, whole=False)
    if labels is not None:
        return bound, labels
    whole, labels = _by_cuts(program, weights, rounds=rounds, whole=True)
    return max(bound, whole), labels


def _by_cuts(program: _Program, weights: FloatArray, *, rounds: int, whole: bool) -> Solution:
    bound = 0.0
    for _ in range(rounds):
        lowest, x, optimal = program.solve(whole=whole)
        bound = max(bound, lowest)
        if x is None or not optimal or len(program.cuts) >= _CUTS:
            break
        if not program.add_broken(x):
            labels = components(x > 0.5)
            cost = disagreement(weights, labels)
            return bound, labels if cost <= bound + _SLACK * max(1.0, cost) else None
    return bound, None


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    labels: IntArray
    cost: FloatArray
    bound: FloatArray

    @property
    def exact(self) -> BoolArray:
        return np.asarray(self.cost <= self.bound + ROUNDING * np.maximum(1.0, self.cost))


def cluster(weights: FloatArray, runtime: Runtime, *, exact_up_to: int) -> Clustering:
    parts = members(weights > 0)
    labels = np.arange(len(weights))
    cost, bound = np.zeros(len(parts)), np.zeros(len(parts))
    for number in runtime.track(range(len(parts)), "Clustering the links"):
        rows = parts[number]
        if len(rows) == 1:
            continue
        inside = weights[np.ix_(rows, rows)]
        groups: IntArray | None = None
        if len(rows) <= exact_up_to:
            bound[number], groups = solve_exactly(inside)
        elif len(rows) <= BOUNDED_UP_TO:
            bound[number], _ = relax(inside)
        if groups is None:
            groups = search(inside)
        labels[rows] = rows[groups]
        cost[number] = disagreement(inside, groups)
    return Clustering(labels, cost, bound)
