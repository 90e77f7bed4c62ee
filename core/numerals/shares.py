"""Scores as shares of one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def shares_of(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Softmax, float64 [n]; [0] of no scores."""
    if not len(scores):
        return np.zeros(0)
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum())
