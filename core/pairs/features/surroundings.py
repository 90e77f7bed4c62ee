"""What stands around two headlines: probabilities of all pairs as columns of a second look."""

from typing import Final

import numpy as np

from core.arrays import Float32Array
from core.pairs.features.additive import Linkage
from core.pairs.features.families import Family, Values
from core.pairs.features.overlap import share
from core.pairs.selection import Selection

_NEAREST: Final = 15  # neighbours of a headline by which a way leads to another one
_LEAST: Final = np.float32(1e-3)


def surroundings(first: Float32Array) -> Family:
    """Columns from probabilities that each two headlines are one event, float32 [n, n], symmetric."""
    alone = first.copy()
    np.fill_diagonal(alone, 0.0)
    ways, common, joins, ranks = _ways(alone), alone @ alone, Linkage.of(alone), _ranks(alone)
    nearest, expected = alone.max(axis=1), alone.sum(axis=1)
    places, mean = np.arange(len(first)), np.float32(expected.mean())

    def values(at: Selection) -> Values:
        pairs = at.sides(places)
        probability, shared = alone[pairs], common[pairs]
        yield "probability", probability
        yield "best way over a third", ways[pairs]
        yield "join of average linkage", joins.at(at)
        left, right = at.sides(expected)
        yield from _ordered(
            "share of neighbours",
            share(shared, left - probability, _LEAST),
            share(shared, right - probability, _LEAST),
        )
        yield "neighbours in common", share(shared, left + right - 2 * probability - shared, _LEAST)
        yield from _ordered("expected headlines", left, right)
        left, right = at.sides(nearest)
        yield from _ordered("nearest", left, right)
        yield from _ordered(
            "share of the nearest", share(probability, left, _LEAST), share(probability, right, _LEAST)
        )
        yield from _ordered("rank", ranks[pairs], ranks[pairs[::-1]])
        yield "expected headlines of all", np.full(probability.shape, mean, dtype=np.float32)

    return values


def _ordered(name: str, one: Float32Array, other: Float32Array) -> Values:
    yield f"{name}, less", np.minimum(one, other)
    yield f"{name}, more", np.maximum(one, other)


def _ways(first: Float32Array) -> Float32Array:
    """Of all ways over a near neighbour the best one's less probable step, float32 [n, n], symmetric."""
    count = min(_NEAREST, len(first) - 1)
    near = np.argpartition(-first, count - 1, axis=1)[:, :count] if count else np.zeros((len(first), 0), int)
    best, rows = np.zeros_like(first), np.arange(len(first))
    for step in near.T:
        np.maximum(best, np.minimum(first[rows, step][:, None], first[step]), out=best)
    np.fill_diagonal(best, 0.0)
    return np.maximum(best, best.T)


def _ranks(first: Float32Array) -> Float32Array:
    """How many headlines are nearer to each than each other one, float32 [n, n]."""
    order = np.argsort(-first, axis=1, kind="stable")
    ranks = np.empty(first.shape, dtype=np.float32)
    np.put_along_axis(ranks, order, np.arange(len(first), dtype=np.float32)[None, :], axis=1)
    return ranks
