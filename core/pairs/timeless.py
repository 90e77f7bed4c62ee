"""What all scorers share in which dates play no part."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from core.similarities import Float32Array


class Timeless:
    """Base of scorers in which dates play no part: every pair is compared, and nothing fades."""

    __slots__ = ()

    @property
    def window_days(self) -> float:
        """Infinite: every pair is compared."""
        return math.inf

    def fade(self, left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> Float32Array:
        """1: dates play no part."""
        return np.ones(np.broadcast_shapes(left.shape, right.shape), dtype=np.float32)
