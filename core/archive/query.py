"""What is asked of an archive, and which points lie in a lasso."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import numpy as np

from core.archive.points import SPAN, UInt16Array
from core.arrays import BoolArray

MOST_CORNERS: Final = 64  # of a lasso
Lasso = tuple[tuple[int, int], ...]  # corners on the map, coordinates from 0 to `points.SPAN`


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveQuery:
    words: str = ""  # all of these stand in the headline, upper or lower case, perhaps as parts of words
    meaning: bool = False  # instead, the headlines are those nearest in meaning to the words
    outlet: str = ""  # name of the outlet; "" for any
    first: date | None = None  # first day, in UTC
    last: date | None = None  # last day
    group: int = 0  # number of the group; 0 for any
    lasso: Lasso = ()  # the point lies inside; () for anywhere


def corners_of(drawn: Any) -> Lasso:
    """What a browser says is a lasso; () where it is none."""
    try:
        corners = tuple((int(x), int(y)) for x, y in drawn)
    except (TypeError, ValueError, OverflowError):
        return ()
    known = all(0 <= side <= SPAN for corner in corners for side in corner)
    return corners if known and 2 < len(corners) <= MOST_CORNERS else ()


class LassoIndex:
    """Points sorted from the bottom up, so that an edge of a lasso looks only at those of its height."""

    def __init__(self, x: UInt16Array, y: UInt16Array) -> None:
        self._rows = np.argsort(y, kind="stable")
        self._x = x[self._rows].astype(np.int64)
        self._y = y[self._rows].astype(np.int64)

    def inside(self, lasso: Sequence[tuple[int, int]]) -> BoolArray:
        """Whether each point lies inside by the even-odd rule, bool [n]; exact, in whole numbers."""
        lasso = [(x + (x == SPAN), y + (y == SPAN)) for x, y in lasso]  # what lies on the edge is inside
        by_height = np.zeros(len(self._rows), dtype=np.bool_)
        for start, other in itertools.pairwise((*lasso, lasso[0])):
            (low_x, low), (high_x, high) = sorted((start, other), key=lambda corner: corner[1])
            part = slice(*np.searchsorted(self._y, (low, high)).tolist())
            x, y = self._x[part], self._y[part]
            by_height[part] ^= (x - low_x) * (high - low) < (y - low) * (high_x - low_x)
        inside = np.empty_like(by_height)
        inside[self._rows] = by_height
        return inside
