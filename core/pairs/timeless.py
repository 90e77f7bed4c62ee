"""What all scorers share in which dates are no factor of the score."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from core.similarities import Float32Array


class Timeless:
    """Base of scorers in which dates are no factor: every pair is compared, and nothing fades."""

    __slots__ = ()

    @property
    def window_days(self) -> float:
        """Infinite: every pair is compared."""
        return math.inf

    def fade(self, left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> Float32Array:
        """1: dates are no factor."""
        return np.ones(np.broadcast_shapes(left.shape, right.shape), dtype=np.float32)
