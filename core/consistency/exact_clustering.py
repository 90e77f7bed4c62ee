"""Correlation clustering as a linear and an integer program with triangle inequalities."""

import numpy as np

from core.arrays import FloatArray, IntArray
from core.consistency.components import components, disagreement

_SLACK = 1e-6
_CUTS = 60_000  # inequalities that a program may hold; past it the bound is left as it is
_NODES = 500  # branches of the integer program: a limit in work, so that results repeat
Solution = tuple[float, IntArray | None]  # a bound, and a best clustering if found


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
    """Bounds the cost by the linear relaxation; where its optimum is whole, that is a best clustering.

    Broken triangle inequalities are added round by round; fewer than all still give a valid bound.
    Source: Grötschel and Wakabayashi (1989), "A Cutting Plane Algorithm for a Clustering Problem".
    """
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
