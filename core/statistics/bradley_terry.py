"""Bradley and Terry's model (1952) of choices between two, as evalica fits it, and triples that go round."""

from collections.abc import Iterator
from itertools import combinations, pairwise

import numpy as np

from core.arrays import FloatArray, IntArray


def fit(first: IntArray, second: IntArray, gained: FloatArray) -> FloatArray:
    """Strengths, 0 in the mean, from choices whose first side `gained` 1, a half or 0."""
    import evalica

    winners = [evalica.Winner.Y, evalica.Winner.Draw, evalica.Winner.X]
    chosen = [winners[half] for half in (2 * gained).astype(np.int64).tolist()]
    fitted = evalica.bradley_terry(first.tolist(), second.tolist(), chosen, tolerance=1e-9, limit=10_000)
    logs = np.log(fitted.scores.sort_index().to_numpy(dtype=np.float64))
    return np.asarray(logs - logs.mean())


def influence(logs: FloatArray, first: IntArray, second: IntArray, gained: FloatArray) -> FloatArray:
    chance = 1 / (1 + np.exp(logs[second] - logs[first]))
    information = np.zeros((len(logs), len(logs)))
    weight = chance * (1 - chance)
    for left, right in ((first, second), (second, first)):
        np.add.at(information, (left, left), weight)
        np.add.at(information, (left, right), -weight)
    inverse = np.linalg.pinv(information, hermitian=True)
    return np.asarray((inverse[first] - inverse[second]) * (gained - chance)[:, None])


def triples_of(ahead: FloatArray) -> tuple[int, int]:
    beats = (ahead > 0).astype(np.int64)
    differ = beats + beats.T
    return int(np.trace(differ @ differ @ differ)) // 6, int(np.trace(beats @ beats @ beats)) // 3


def rings(points: FloatArray) -> Iterator[tuple[int, ...]]:
    for first, second, third in combinations(range(len(points)), 3):
        for ring in ((first, second, third), (first, third, second)):
            if all(points[two] > points[two[::-1]] for two in pairwise((*ring, first))):
                yield ring
