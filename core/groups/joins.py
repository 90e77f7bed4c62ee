"""The joins of a tree, and the headlines that speak for each."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.errors import InputError
from core.groups.dendrogram import Dendrogram
from core.groups.grouper import Hierarchy
from core.similarities import Similarities

NO_TREE: Final = "This grouping method builds no tree, so its events have no links to review."
_COMPARED: Final = 500  # headlines of a side, evenly spaced, among which those that speak for it are found


class TreeJoins:
    """The joins of a tree, each known by the place of its gap between two neighbouring leaves."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        if not isinstance(hierarchy, Dendrogram):
            raise InputError(NO_TREE, hint="Choose the method “average linkage”.")
        self.tree = hierarchy
        self.heights = hierarchy.gaps
        self.ends, self.parents = _ends_and_parents(hierarchy.gaps)
        """First and last leaf of each join, int64 [n - 1, 2]; the join above it, -1 for none, [n - 1]."""

    @cached_property
    def _place_of_row(self) -> IntArray:
        return np.argsort(self.tree.leaves)

    def between(self, left: int, right: int) -> int:
        low, high = sorted((int(self._place_of_row[left]), int(self._place_of_row[right])))
        return self._highest(low, high)

    def height(self, left: int, right: int) -> float:
        """Distance at which the tree joins two headlines, 0 to 1."""
        return 0.0 if left == right else float(self.heights[self.between(left, right)])

    def sides(self, join: int) -> tuple[IntArray, IntArray]:
        first, last = self.ends[join].tolist()
        return self.tree.leaves[first : join + 1], self.tree.leaves[join + 1 : last + 1]

    def _highest(self, first: int, last: int) -> int:
        return last - 1 - int(self.heights[first:last][::-1].argmax())

    def around(self, rows: Sequence[int]) -> tuple[int | None, int | None] | None:
        """The highest join inside an event and the next one, if any; None where no level has that event."""
        places = np.sort(self._place_of_row[list(rows)])
        first, last = int(places[0]), int(places[-1])
        inside = self._highest(first, last) if first < last else None
        outer = [place for place in (first - 1, last) if 0 <= place < len(self.heights)]
        outside = min(outer, key=lambda place: float(self.heights[place]), default=None)
        cut_off = inside is None or outside is None or self.heights[inside] < self.heights[outside]
        return (inside, outside) if cut_off and last - first + 1 == len(places) else None


def speakers(similarities: Similarities, left: IntArray, right: IntArray) -> tuple[int, int]:
    """The headline of either side that is on average most similar to the other side."""
    left, right = (side[:: len(side) // _COMPARED + 1] for side in (left, right))
    block = similarities.between(left, right)
    return int(left[block.mean(axis=1).argmax()]), int(right[block.mean(axis=0).argmax()])


def _ends_and_parents(gaps: FloatArray) -> tuple[IntArray, IntArray]:
    ends, parents = np.empty((len(gaps), 2), dtype=np.int64), np.full(len(gaps), -1, dtype=np.int64)
    open_: list[tuple[float, int, int]] = []  # height, place, first leaf
    for place, height in enumerate([*gaps.tolist(), np.inf]):
        first, inner = place, -1
        while open_ and open_[-1][0] <= height:
            if inner >= 0:
                parents[inner] = open_[-1][1]
            _, inner, first = open_.pop()
            ends[inner] = first, place
        if inner >= 0 and place < len(gaps):
            parents[inner] = place
        open_.append((height, place, first))
    return ends, parents
