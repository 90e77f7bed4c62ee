"""What a repair is, what it gives, and the list of all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.consistency.certificate import LeastChanges
from core.consistency.score_matrix import BoolArray, ScoreMatrix
from core.groups.grouper import by_first_appearance
from core.registry import Registry
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class RepairInput:
    """What is repaired.

    Attributes:
        scores: Of n headlines.
        groups: Group of each headline in the chosen grouping, int64 [n]; None where there is none.
        least: The fewest changes, where they are known already; None has them found.
    """

    scores: ScoreMatrix
    groups: IntArray | None = None
    least: LeastChanges | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Repair:
    """Decisions after a repair.

    Attributes:
        decisions: Links, bool [n, n], symmetric, false on the diagonal and where a pair was not scored.
        probabilities: Scores after the repair, float32 [n, n], symmetric; those from the threshold on are
            the links. Where groups decide, a score on the wrong side is moved to the threshold's near side.
        labels: Group of each headline, int64 [n], numbered by first appearance; None where the decisions
            are not transitive.
        note: What people should know about this result; "" mostly.
    """

    decisions: BoolArray
    probabilities: Float32Array
    labels: IntArray | None
    note: str = ""


class Repairer(ABC):
    """Base of all repairs: frozen dataclasses; the result never depends on the order of a pair.

    Attributes:
        summary: One line for people.
        transitive: The decisions are transitive whatever the scores are, as is the default.
        needs_groups: It reads `RepairInput.groups`.
    """

    __slots__ = ()
    summary: ClassVar[str]
    transitive: ClassVar[bool] = True
    needs_groups: ClassVar[bool] = False

    @abstractmethod
    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        """Repairs."""


repairs: Registry[Repairer] = Registry("repair", "core.consistency.repairs")


def averaged(scores: ScoreMatrix) -> Float32Array:
    """Mean of both orders, float32 [n, n], symmetric.

    Source: HLGD (Laban, Bandarkar and Hearst 2021), eq. 5.
    """
    values = scores.probabilities
    return np.asarray((values + values.T) / np.float32(2), dtype=np.float32)


def from_labels(scores: ScoreMatrix, probabilities: Float32Array, labels: IntArray, note: str = "") -> Repair:
    """The repair in which two headlines are linked where they share a group.

    Args:
        scores: What was repaired.
        probabilities: Symmetric scores, float32 [n, n].
        labels: Any numbers, int64 [n].
        note: As in `Repair`.
    """
    together = labels[:, None] == labels[None, :]
    threshold = np.float32(scores.threshold)
    below = np.nextafter(threshold, np.float32(-1))
    moved = np.where(together, np.maximum(probabilities, threshold), np.minimum(probabilities, below))
    moved = np.where(scores.scored, moved, np.float32(0)).astype(np.float32)
    return Repair(together & scores.scored, moved, by_first_appearance(labels), note)


CLIPPED = 0.01
"""Scores nearer to 0 or 1 than this count as this near, so that no pair outweighs all others."""


def log_odds(probabilities: Float32Array, scored: BoolArray, threshold: float) -> npt.NDArray[np.float64]:
    """Log-odds of each score less those of the threshold, float64 [n, n]: 0 at the threshold.

    Args:
        probabilities: Symmetric scores, float32 [n, n], 0 to 1.
        scored: Pairs that count; the others weigh 0.
        threshold: Score from which two headlines are the same event.
    """
    clipped = np.clip(probabilities.astype(np.float64), CLIPPED, 1 - CLIPPED)
    middle = min(max(threshold, CLIPPED), 1 - CLIPPED)
    weights = np.log(clipped / (1 - clipped)) - np.log(middle / (1 - middle))
    return np.asarray(np.where(scored, weights, 0.0))
