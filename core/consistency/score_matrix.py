"""Scores of all pairs of headlines in both orders, checked: what every test and repair reads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, Float32Array
from core.consistency.clustering.cutting_planes import components
from core.errors import InputError

ROWS_AT_ONCE = 1_024
"""Bounds the scratch memory of a scan over a full matrix."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreMatrix:
    """Scores of n headlines against each other; made by `score_matrix`.

    Attributes:
        probabilities: float32 [n, n], 0 to 1; [i, j] is the score of the pair with headline i first. 0 on
            the diagonal and where a pair is not scored.
        scored: Which pairs have a score, bool [n, n], symmetric, false on the diagonal.
        threshold: Score from which two headlines are called the same event.
    """

    probabilities: Float32Array
    scored: BoolArray
    threshold: float

    def __len__(self) -> int:
        return len(self.probabilities)

    @property
    def decisions(self) -> BoolArray:
        """The decision in each order, bool [n, n]; may differ from its transpose."""
        return np.asarray(self.scored & (self.probabilities >= np.float32(self.threshold)))

    @property
    def listed(self) -> Float32Array:
        """One score a pair, that of the earlier row first, float32 [n, n], symmetric.

        This is how the transitive test of the paper reads an asymmetric model: one prediction a pair.
        """
        upper = np.triu(self.probabilities, k=1)
        return np.asarray(upper + upper.T, dtype=np.float32)

    @property
    def links(self) -> BoolArray:
        """One decision a pair, that of the earlier row first, bool [n, n], symmetric."""
        return np.asarray(self.scored & (self.listed >= np.float32(self.threshold)))

    @property
    def pairs(self) -> int:
        """How many pairs have a score, each counted once."""
        return int(np.count_nonzero(self.scored)) // 2


def score_matrix(
    probabilities: npt.ArrayLike, threshold: float, *, mask: BoolArray | None = None
) -> ScoreMatrix:
    """Checks scores and makes them a `ScoreMatrix`.

    Args:
        probabilities: [n, n] numbers from 0 to 1; the diagonal and pairs outside the mask are not read.
        threshold: A number above 0 and at most 1; at 0 every pair would be linked.
        mask: bool [n, n], the pairs that were scored; a pair counts where both orders are. None for all.

    Raises:
        InputError: The matrix is not square, the mask has another shape, a score is not a number from 0
            to 1, or the threshold is not.
    """
    values = np.array(probabilities, dtype=np.float32)
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise InputError(
            f"Scores of all pairs are a square table, not one of shape {values.shape}.",
            hint="Give one row and one column a headline.",
        )
    if not 0.0 < threshold <= 1.0:
        raise InputError(
            f"The threshold is {threshold}, not a number above 0 and at most 1.",
            hint="Give a score such as 0.5.",
        )
    scored = _scored(len(values), mask)
    bad = scored & ~((values >= 0) & (values <= 1))
    if bad.any():
        row, column = (int(place) for place in np.argwhere(bad)[0])
        raise InputError(
            f"The score of headlines {row} and {column} is {values[row, column]}, not a number from 0 to 1.",
            hint="Leave pairs without a score out by a mask.",
        )
    values[~scored] = 0
    return ScoreMatrix(values, scored, float(threshold))


def _scored(n: int, mask: BoolArray | None) -> BoolArray:
    if mask is None:
        return ~np.eye(n, dtype=np.bool_)
    if mask.shape != (n, n) or mask.dtype != np.bool_:
        raise InputError(
            f"The mask has shape {mask.shape}, the scores have {(n, n)}.",
            hint="Give one true or false for each score.",
        )
    scored = mask & mask.T
    np.fill_diagonal(scored, False)
    return np.asarray(scored)


def is_transitive(decisions: BoolArray, scored: BoolArray) -> bool:
    labels = components(decisions)
    together = labels[:, None] == labels[None, :]
    return not bool(np.any(together & scored & ~decisions))
