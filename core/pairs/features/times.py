"""How far apart in time two headlines are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.pairs.selection import Selection
from core.similarities import Float32Array

FARTHEST = 60.0
"""Days beyond which it makes no more difference how many they are."""

UNKNOWN_GAP = 1.0
"""Days that are assumed where a date is missing; a feature of its own says that it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """Publication days.

    Attributes:
        days: Whole days as float64 [n]; NaN where unknown.
    """

    days: npt.NDArray[np.float64]

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """See `Family`: whether they are of one day, days apart on two scales, 1 where that is not known."""
        left, right = at.sides(self.days)
        gap = np.abs(left - right).astype(np.float32)
        unknown = np.isnan(gap)
        gap[unknown] = UNKNOWN_GAP
        yield (
            "another day",
            np.where(unknown, np.float32(0.5), np.minimum(np.ceil(gap), 1)).astype(np.float32),
        )
        np.minimum(gap, np.float32(FARTHEST), out=gap)
        yield "days apart", np.log1p(gap)
        yield "weeks apart", gap / np.float32(7)
        yield "date missing", unknown.astype(np.float32)
