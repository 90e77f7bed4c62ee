"""The transitive test: all triplets by their linked pairs."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray

Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Census:
    headlines: int
    three: int  # with three links (111)
    two: int  # with two links and the third denied (110): these break transitivity
    one: int  # with one link (100)
    none: int  # with no link (000)

    @property
    def triplets(self) -> int:
        return self.three + self.two + self.one + self.none

    @property
    def linked_twice(self) -> int:
        """Triplets with at least two links, on which the paper's test is made."""
        return self.three + self.two

    @property
    def consistent_share(self) -> float | None:
        """111 over 111 and 110, 0 to 1; None where no triplet has two links."""
        return self.three / self.linked_twice if self.linked_twice else None


def census(links: BoolArray, *, scored: BoolArray | None = None) -> Census:
    """Counts all triplets of scored symmetric decisions [n, n]; HLGD (Laban et al. 2021), section 5.2."""
    # Headlines that two others are both linked to are counted by population counts of packed rows. Where
    # every pair was scored only the triangles are; with m links and degrees d the other counts follow.
    n = len(links)
    linked = _packed(links)
    three = _common(links, linked) // 3
    if scored is None or int(np.count_nonzero(scored)) == n * (n - 1):
        degrees = np.count_nonzero(links, axis=1).astype(np.int64)
        two = int((degrees * (degrees - 1) // 2).sum()) - 3 * three
        single = int(degrees.sum()) // 2 * max(n - 2, 0) - 2 * two - 3 * three
        return Census(n, three, two, single, math.comb(n, 3) - three - two - single)
    denied = scored & ~links
    np.fill_diagonal(denied, False)
    apart = _packed(denied)
    return Census(n, three, _common(denied, linked), _common(links, apart), _common(denied, apart) // 3)


def _packed(relation: BoolArray) -> Words:
    octets = np.packbits(relation, axis=1)
    return np.pad(octets, ((0, 0), (0, -octets.shape[1] % 8))).view(np.uint64)


def _common(pairs: BoolArray, neighbours: Words) -> int:
    total = 0
    for row in range(len(pairs)):
        others = np.flatnonzero(pairs[row, :row])
        shared = neighbours[others] & neighbours[row]
        total += int(np.bitwise_count(shared).sum(dtype=np.int64))
    return total
