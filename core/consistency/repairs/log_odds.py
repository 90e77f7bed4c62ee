"""Scores as evidence for and against a link."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.consistency.score_matrix import BoolArray
from core.similarities import Float32Array

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
