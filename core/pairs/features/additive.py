"""Log odds of one event: a sum of features whose weights have known signs and may change at set places."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.pairs.selection import Selection

SHARPNESS: Final = 1.5
DOUBT: Final = 1.2
"""The share is found from SHARPNESS × ratio − DOUBT: only clear evidence counts. Of nine values tried these
lost least on unseen families of timelines (docs/decisions/0017-level-of-a-timeline.md)."""
USUAL_SHARE: Final = 1 / 7
USUAL_PAIRS: Final = 100
"""The level of the usual share, one to six as in HLGD, counts as much as a hundred pairs."""
_EDGE: Final = 25.0
_BINS: Final = 5_000
_STEPS: Final = 500
_LEAST: Final = 1e-8
_NEAR: Final = 1e-6
_FROM: Final = " from "
Bends = Mapping[str, tuple[float, ...]]  # where each feature that has bends has them, in rising order


@dataclass(frozen=True, slots=True)
class Additive:
    """Log odds = bias + sum of weight × (value - usual)."""

    weights: Mapping[str, float]  # log odds for each unit of a feature
    usual: Mapping[str, float]  # mean of the feature over training pairs: what adds nothing
    bias: float  # log odds of a pair whose features are all as usual

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


def level_of(log_ratios: Float32Array) -> float:
    """What makes log likelihood ratios, of any shape, the log odds of one event on a timeline.

    The share of pairs of one event is found by expectation-maximisation: with r the ratio of a pair, it is
    the mean of r s / (r s + 1 - s), again and again. The level makes the mean probability that share; few
    pairs draw it towards the usual one.

    Source: Saerens, Latinne and Decaestecker (2002), "Adjusting the outputs of a classifier to new a priori
    probabilities".
    """
    counts, edges = np.histogram(np.clip(log_ratios, -_EDGE, _EDGE), _BINS, (-_EDGE, _EDGE))
    filled = counts > 0
    if not filled.any():
        return log_odds(USUAL_SHARE)
    ratios, weights = ((edges[:-1] + edges[1:]) / 2)[filled], counts[filled] / counts.sum()
    share = _share(SHARPNESS * ratios - DOUBT, weights)
    low, high = -2 * _EDGE, 2 * _EDGE
    while high - low > _NEAR:
        level = (low + high) / 2
        if weights @ (1 / (1 + np.exp(-ratios - level))) > share:
            high = level
        else:
            low = level
    pairs = int(counts.sum())
    return ((low + high) / 2 * pairs + log_odds(USUAL_SHARE) * USUAL_PAIRS) / (pairs + USUAL_PAIRS)


def _share(ratios: FloatArray, weights: FloatArray) -> float:
    share = 0.01
    for _ in range(_STEPS):
        update = float(np.clip(weights @ (1 / (1 + np.exp(-ratios - log_odds(share)))), _LEAST, 1 - _LEAST))
        if abs(update - share) <= _NEAR * share:
            return update
        share = update
    return share


def log_odds(share: float) -> float:
    """ln(share / (1 - share)); the share is above 0 and below 1."""
    return float(np.log(share) - np.log1p(-share))


def bent(values: Iterable[tuple[str, Float32Array]], bends: Bends) -> Iterator[tuple[str, Float32Array]]:
    """Every feature; with bends a < b in pieces: min(x, a), what x has between a and b, and above b."""
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
    sums: dict[str, float] = {}
    for piece, amount in amounts.items():
        name = piece.partition(_FROM)[0]
        sums[name] = sums.get(name, 0.0) + amount
    return sums


@dataclass(frozen=True, slots=True, eq=False)
class Linkage:
    """A tree of average linkage, ready to be asked about pairs."""

    # Every cluster is a run of leaves, so two unite at the least similarity of neighbours between them;
    # minima over runs of 1, 2, 4, … answer for any run (Bender and Farach-Colton 2000).

    places: IntArray
    lowest: Float32Array

    @staticmethod
    def of(similarities: Float32Array) -> Linkage:
        """The tree (UPGMA, Sokal and Michener 1958) of symmetric similarities, float32 [n, n]."""
        from scipy.cluster.hierarchy import leaves_list, linkage

        n = len(similarities)
        if n < 2:
            return Linkage(np.arange(n), np.ones((1, n), dtype=np.float32))
        # Row by row as scipy's condensed form has it, without an [n, n] mask.
        distances = np.concatenate(
            [1.0 - similarities[row, row + 1 :].astype(np.float64) for row in range(n)]
        )
        tree = linkage(np.maximum(distances, 0.0, out=distances), "average")
        places = np.empty(n, dtype=np.int64)
        places[leaves_list(tree)] = np.arange(n)
        starts = np.concatenate([places, np.empty(n - 1, dtype=np.int64)])
        between = np.empty(n - 1, dtype=np.float32)  # similarities of neighbours
        for merge, (low, other, distance, _) in enumerate(tree):
            left, right = starts[int(low)], starts[int(other)]
            starts[n + merge] = min(left, right)
            between[max(left, right) - 1] = 1.0 - distance
        levels, reach = [np.append(between, between[-1])], 1
        while 2 * reach <= len(between):
            shifted = np.append(levels[-1][reach:], np.repeat(levels[-1][-1], reach))
            levels.append(np.minimum(levels[-1], shifted))
            reach *= 2
        return Linkage(places, np.stack(levels).astype(np.float32))

    def at(self, selection: Selection) -> Float32Array:
        """The similarity at which the two headlines of each pair are united, float32; 1 for itself."""
        left, right = selection.sides(self.places)
        first, last = np.minimum(left, right), np.maximum(left, right)
        length = np.maximum(last - first, 1)
        level = np.frexp(length.astype(np.float32))[1] - 1
        lowest = np.minimum(self.lowest[level, first], self.lowest[level, last - (1 << level)])
        lowest[last == first] = 1.0
        return np.asarray(lowest, dtype=np.float32)
