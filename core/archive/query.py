"""What is asked of an archive, and which points lie inside a lasso."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
import numpy.typing as npt

from core.archive.points import UInt16Array

MOST_CORNERS: Final = 64
"""Of a lasso."""
Lasso = tuple[tuple[int, int], ...]
"""Corners on the map, coordinates from 0 to `points.SPAN`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveQuery:
    """Which headlines are wanted: those that meet all that is said.

    Attributes:
        words: All of these stand in the headline, upper or lower case, perhaps as parts of words.
        outlet: Name of the outlet; "" for any.
        first: First day, in UTC; None for any. Headlines without a date are left out where a day is said.
        last: Last day.
        group: Number of the group; 0 for any.
        lasso: The point lies inside; () for anywhere.
    """

    words: str = ""
    outlet: str = ""
    first: date | None = None
    last: date | None = None
    group: int = 0
    lasso: Lasso = ()


class LassoIndex:
    """Points sorted from the bottom up, so that an edge of a lasso looks only at those of its height.

    Args:
        x: From left to right, uint16 [n].
        y: From the bottom up, uint16 [n].
    """

    def __init__(self, x: UInt16Array, y: UInt16Array) -> None:
        self._rows = np.argsort(y, kind="stable")
        self._x = x[self._rows].astype(np.int64)
        self._y = y[self._rows].astype(np.int64)

    def inside(self, lasso: Sequence[tuple[int, int]]) -> npt.NDArray[np.bool_]:
        """Whether each point lies inside by the even-odd rule, bool [n]; exact, in whole numbers."""
        found = np.zeros(len(self._rows), dtype=np.bool_)
        for one, other in itertools.pairwise((*lasso, lasso[0])):
            (low_x, low), (high_x, high) = sorted((one, other), key=lambda corner: corner[1])
            part = slice(*np.searchsorted(self._y, (low, high)).tolist())
            x, y = self._x[part], self._y[part]
            found[part] ^= (x - low_x) * (high - low) < (y - low) * (high_x - low_x)
        inside = np.empty_like(found)
        inside[self._rows] = found
        return inside
