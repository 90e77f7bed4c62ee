"""What average linkage inside the timeline says of a pair: how alike the groups are that unite it.

Two headlines that are hardly alike may be held together by those between them, and two that are
may be kept apart by the company that they keep.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Float32Array, IntArray
from core.pairs.selection import Selection


@dataclass(frozen=True, slots=True, eq=False)
class Linkage:
    """A tree of average linkage, ready to be asked about pairs.

    The leaves stand in an order in which every cluster is a run. The similarity at which two leaves
    unite is then the least of those between neighbours from the one to the other, and minima over runs
    of 1, 2, 4, … answer for any run (Bender and Farach-Colton 2000).

    Attributes:
        places: Place of each headline in the order of the leaves, int64 [n].
        lowest: Least similarity over the runs of 2^k neighbours from each place on, float32 [k, n].
    """

    places: IntArray
    lowest: Float32Array

    @staticmethod
    def of(similarities: Float32Array) -> Linkage:
        """Builds the tree (UPGMA, Sokal and Michener 1958).

        Args:
            similarities: float32 [n, n], symmetric, 0 to 1; its memory may be given up.
        """
        from scipy.cluster.hierarchy import leaves_list, linkage

        n = len(similarities)
        if n < 2:
            return Linkage(np.arange(n), np.ones((1, n), dtype=np.float32))
        # Row by row as scipy's condensed form has it, without an [n, n] mask.
        distances = np.concatenate(
            [1.0 - similarities[row, row + 1 :].astype(np.float64) for row in range(n)]
        )
        tree = linkage(np.maximum(distances, 0.0, out=distances), "average")
        places = np.empty(n, dtype=np.int64)
        places[leaves_list(tree)] = np.arange(n)
        return Linkage(places, _minima(_between_neighbours(tree, places)))

    def at(self, selection: Selection) -> Float32Array:
        """The similarity at which the two headlines of each pair are united, float32; 1 for itself."""
        left, right = selection.sides(self.places)
        first, last = np.minimum(left, right), np.maximum(left, right)
        length = np.maximum(last - first, 1)
        level = np.frexp(length.astype(np.float32))[1] - 1
        found = np.minimum(self.lowest[level, first], self.lowest[level, last - (1 << level)])
        found[last == first] = 1.0
        return np.asarray(found, dtype=np.float32)


def _between_neighbours(
    tree: np.ndarray[tuple[int, int], np.dtype[np.float64]], places: IntArray
) -> Float32Array:
    n = len(places)
    starts = np.concatenate([places, np.empty(n - 1, dtype=np.int64)])
    between = np.empty(n - 1, dtype=np.float32)
    for merge, (one, other, distance, _) in enumerate(tree):
        left, right = starts[int(one)], starts[int(other)]
        starts[n + merge] = min(left, right)
        between[max(left, right) - 1] = 1.0 - distance
    return between


def _minima(between: Float32Array) -> Float32Array:
    levels = [np.append(between, between[-1])]
    reach = 1
    while 2 * reach <= len(between):
        shifted = np.append(levels[-1][reach:], np.repeat(levels[-1][-1], reach))
        levels.append(np.minimum(levels[-1], shifted))
        reach *= 2
    return np.stack(levels).astype(np.float32)
