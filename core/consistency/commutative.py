"""The commutative test: does the answer change when the two headlines change places?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Float32Array, IntArray
from core.consistency.score_matrix import ROWS_AT_ONCE, ScoreMatrix


@dataclass(frozen=True, slots=True, eq=False)
class FlippedPairs:
    """Pairs whose decision depends on the order, the largest change of score first."""

    left: IntArray
    right: IntArray
    forward: Float32Array
    backward: Float32Array

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True, slots=True, eq=False)
class CommutativeTest:
    """Both orders of every pair compared."""

    pairs: int
    flips: int
    mean_change: float | None
    worst: FlippedPairs

    @property
    def flip_rate(self) -> float | None:
        """Flips over pairs, 0 to 1; None without pairs."""
        return self.flips / self.pairs if self.pairs else None


def commutative_test(scores: ScoreMatrix, *, most: int = 50) -> CommutativeTest:
    """Compares both orders of every scored pair.

    Where the decision holds, the probability of the predicted class changes by |p(a, b) - p(b, a)|
    whichever class that is.

    Source: HLGD (Laban, Bandarkar and Hearst 2021), section 5.1.
    """
    threshold = np.float32(scores.threshold)
    pairs = flips = 0
    change = 0.0
    found: list[tuple[IntArray, IntArray, Float32Array, Float32Array]] = []
    for start in range(0, len(scores), ROWS_AT_ONCE):
        forward = scores.probabilities[start : start + ROWS_AT_ONCE, start:]
        backward = scores.probabilities[start:, start : start + ROWS_AT_ONCE].T
        counted = np.triu(scores.scored[start : start + ROWS_AT_ONCE, start:], k=1)
        flipped = counted & ((forward >= threshold) != (backward >= threshold))
        pairs += int(np.count_nonzero(counted))
        flips += int(np.count_nonzero(flipped))
        change += float(np.abs(forward - backward)[counted & ~flipped].sum(dtype=np.float64))
        rows, columns = np.nonzero(flipped)
        found.append((rows + start, columns + start, forward[rows, columns], backward[rows, columns]))
    held = pairs - flips
    return CommutativeTest(pairs, flips, change / held if held else None, _worst(found, most))


def _worst(found: list[tuple[IntArray, IntArray, Float32Array, Float32Array]], most: int) -> FlippedPairs:
    if not found:
        rows, score = np.empty(0, np.int64), np.empty(0, np.float32)
        return FlippedPairs(rows, rows, score, score)
    left, right, forward, backward = (np.concatenate(part) for part in zip(*found, strict=True))
    order = np.argsort(-np.abs(forward - backward), kind="stable")[:most]
    return FlippedPairs(left[order], right[order], forward[order], backward[order])
