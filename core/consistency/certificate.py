"""The transitive test, all triplets by their linked pairs, and bounds of the fewest changes that mend it."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, IntArray
from core.consistency.components import disagreement, members, packed_triangles
from core.consistency.exact_clustering import relax, solve_exactly
from core.consistency.local_search import search
from core.runtime import Runtime

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
    """Counts all triplets of symmetric decisions [n, n] exactly; one with an unscored pair does not count.

    Headlines that two others are both linked to are counted by population counts of packed rows. Where every
    pair was scored only the triangles are; with m links and degrees d the other counts follow.

    Source: HLGD (Laban, Bandarkar and Hearst 2021), section 5.2.
    """
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


@dataclass(frozen=True, slots=True, eq=False)
class LeastChanges:
    """Groups that change the fewest decisions of those found; how many, and how few any must."""

    labels: IntArray
    known: int
    at_least: int


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """What a repair changed, against what was needed. Pairs between components need no change."""

    changed: int
    known: int
    at_least: int

    @property
    def exact(self) -> bool:
        """Whether the smallest known repair is proved to be the smallest."""
        return self.known == self.at_least

    @property
    def gap(self) -> int:
        """No more than this many changes were needless."""
        return self.changed - self.at_least


def least_changes(
    links: BoolArray,
    scored: BoolArray,
    runtime: Runtime,
    *,
    exact_up_to: int = 40,
    relaxed_up_to: int = 20_000,
) -> LeastChanges:
    """The clustering that changes fewest decisions, by component, and a bound of any transitive repair."""
    labels = np.arange(len(links))
    known = at_least = 0
    for rows in runtime.track(members(links), "Finding the fewest changes"):
        inside = np.ix_(rows, rows)
        linked, denied = links[inside], scored[inside] & ~links[inside]
        if denied.any():
            parts, bound = _smallest(linked, denied, (exact_up_to, relaxed_up_to))
            known += _changes(linked, denied, parts)
            at_least += bound
            labels[rows] = rows[parts]
        else:
            labels[rows] = rows[0]
    return LeastChanges(labels, known, at_least)


def _smallest(linked: BoolArray, denied: BoolArray, sizes: tuple[int, int]) -> tuple[IntArray, int]:
    exact_up_to, relaxed_up_to = sizes
    weights = linked.astype(np.float64) - denied
    labels = search(weights)
    bound = packed_triangles(linked, denied)
    programs = (
        (relax, census(linked, scored=linked | denied).two <= relaxed_up_to),
        (solve_exactly, len(linked) <= exact_up_to),
    )
    for program, small in programs:
        if small and bound < _changes(linked, denied, labels):
            lowest, best = program(weights)
            bound = max(bound, math.ceil(lowest - 1e-4))
            labels = labels if best is None else best
    return labels, bound


def _changes(linked: BoolArray, denied: BoolArray, labels: IntArray) -> int:
    return round(disagreement(linked.astype(np.float64) - denied, labels))


def certify(before: BoolArray, after: BoolArray, least: LeastChanges) -> Certificate:
    changed = int(np.count_nonzero(np.triu(before != after, k=1)))
    # A search can be beaten by luck; then the luckier repair is the smallest known.
    return Certificate(changed, min(changed, least.known), least.at_least)
