"""A sum of weighted features as the log odds of one event, fitted with signs that are known beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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
        """Raises ValueError unless each feature has a weight and a mean."""
        if not self.weights or self.weights.keys() != self.usual.keys():
            raise ValueError("weights and means do not fit together")

    def amounts(self, values: Iterable[tuple[str, Float32Array]]) -> Iterator[tuple[str, Float32Array]]:
        """What each feature that has a weight adds; the values may be overwritten."""
        for name, value in values:
            if name in self.weights:
                amount = np.subtract(value, np.float32(self.usual[name]), out=value)
                yield name, np.multiply(amount, np.float32(self.weights[name]), out=amount)

    def log_odds(self, values: Iterable[tuple[str, Float32Array]]) -> Float32Array:
        """Log odds, float32 of the values' shape."""
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
