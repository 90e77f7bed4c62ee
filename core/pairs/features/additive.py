"""Log odds of one event: a sum of features whose weights have known signs and may change at set places."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import Float32Array


@dataclass(frozen=True, slots=True)
class Additive:
    """Log odds = bias + sum of weight × (value - usual).

    Attributes:
        weights: Log odds for each unit of a feature, by its name.
        usual: Mean of the feature over training pairs: what adds nothing.
        bias: Log odds of a pair whose features are all as usual.
    """

    weights: Mapping[str, float]
    usual: Mapping[str, float]
    bias: float

    def __post_init__(self) -> None:
        if not self.weights or self.weights.keys() != self.usual.keys():
            raise ValueError("weights and means do not fit together")

    def amounts(self, values: Iterable[tuple[str, Float32Array]]) -> Iterator[tuple[str, Float32Array]]:
        """What each feature that has a weight adds; the values may be overwritten."""
        for name, value in values:
            if name in self.weights:
                amount = np.subtract(value, np.float32(self.usual[name]), out=value)
                yield name, np.multiply(amount, np.float32(self.weights[name]), out=amount)

    def log_odds(self, values: Iterable[tuple[str, Float32Array]]) -> Float32Array:
        amounts = (amount for _, amount in self.amounts(values))
        total = next(amounts)
        for amount in amounts:
            total += amount
        total += np.float32(self.bias)
        return total


def probability(log_odds: Float32Array) -> Float32Array:
    """1 / (1 + exp(-log odds)), float32, 0 to 1."""
    cut = np.clip(log_odds, np.float32(-30), np.float32(30))
    return np.asarray(1 / (1 + np.exp(-cut)), dtype=np.float32)


_FROM: Final = " from "
Bends = Mapping[str, tuple[float, ...]]
"""Where each feature that has bends has them, in rising order."""


def bent(values: Iterable[tuple[str, Float32Array]], bends: Bends) -> Iterator[tuple[str, Float32Array]]:
    """Every feature, in pieces where it has bends; the pieces of a feature sum up to it.

    With bends a < b the pieces of x are min(x, a), what x has between a and b, and what it has above b. A sum
    whose weights of all pieces have one sign rises or falls with x everywhere.
    """
    for name, value in values:
        places = bends.get(name, ())
        for low, high in itertools.pairwise((*places, np.inf)):
            yield f"{name}{_FROM}{low:g}", np.clip(value, low, high) - np.float32(low)
        yield name, np.minimum(value, np.float32(places[0])) if places else value


def pieces(signs: Mapping[str, int], bends: Bends) -> dict[str, int]:
    """Names of all pieces with the sign of their feature."""
    return {
        piece: sign
        for name, sign in signs.items()
        for piece in (*(f"{name}{_FROM}{low:g}" for low in bends.get(name, ())), name)
    }


def whole(amounts: Mapping[str, float]) -> dict[str, float]:
    """What each feature adds, from what its pieces add."""
    found: dict[str, float] = {}
    for piece, amount in amounts.items():
        name = piece.partition(_FROM)[0]
        found[name] = found.get(name, 0.0) + amount
    return found
