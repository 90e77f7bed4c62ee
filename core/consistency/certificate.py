"""How much a repair changed against the least that any transitive repair must change."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.consistency.census import census
from core.consistency.clustering.components import components, disagreement, members
from core.consistency.clustering.cutting_planes import relax, solve_exactly
from core.consistency.clustering.local_search import search
from core.consistency.clustering.packing import packed_triangles
from core.consistency.score_matrix import BoolArray
from core.errors import InputError
from core.runtime import Runtime
from core.similarities import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class LeastChanges:
    """A lower bound on how many decisions any transitive repair must change.

    Attributes:
        component: Number of the set of headlines that links connect, int64 [n], from 0.
        at_least: Bound of each, int64 [c]; 0 where nothing is broken.
        exact: Whether a repair is known that changes no more, bool [c].
    """

    component: IntArray
    at_least: IntArray
    exact: BoolArray

    @property
    def total(self) -> int:
        """The bound for all headlines: pairs between components need no change."""
        return int(self.at_least.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """What a repair changed, against the bound.

    Attributes:
        changed: Pairs whose decision the repair changed.
        at_least: Pairs that any transitive repair must change.
        exact: `at_least` is reached by some repair, so that nothing better exists.
    """

    changed: int
    at_least: int
    exact: bool

    @property
    def most_needless(self) -> int:
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
    """Bounds from below how many decisions any transitive repair must change.

    That is correlation clustering with a weight of 1 for each decision, split into the components of
    the links. The bound of a component is the best of: broken triangles that share no pair; the
    linear relaxation; the integer program. It is exact where a clustering is known that changes no
    more, from the programs or from local search.

    Args:
        links: Decisions, bool [n, n], symmetric.
        scored: Pairs that have a decision, bool [n, n], symmetric; a pair without one changes for nothing.
        runtime: Progress is reported component by component.
        exact_up_to: Components of at most this many headlines are given to the integer program.
        relaxed_up_to: Those with at most this many broken triangles to the linear one.
    """
    component = components(links)
    parts = members(component)
    at_least, exact = np.zeros(len(parts), dtype=np.int64), np.ones(len(parts), dtype=np.bool_)
    for number in runtime.track(range(len(parts)), "Finding the least changes"):
        inside = np.ix_(parts[number], parts[number])
        linked, denied = links[inside], scored[inside] & ~links[inside]
        if denied.any():
            sizes = (exact_up_to, relaxed_up_to)
            at_least[number], exact[number] = _bound(linked, denied, sizes)
    return LeastChanges(component, at_least, exact)


def _bound(linked: BoolArray, denied: BoolArray, sizes: tuple[int, int]) -> tuple[int, bool]:
    """Least changes within one component, and whether some repair changes no more."""
    exact_up_to, relaxed_up_to = sizes
    weights = linked.astype(np.float64) - denied
    reached = round(disagreement(weights, search(weights)))
    found = packed_triangles(linked, denied)
    if found < reached and census(linked, scored=linked | denied).two <= relaxed_up_to:
        found = max(found, _whole(relax(weights).bound))
    if found < reached and len(linked) <= exact_up_to:
        solution = solve_exactly(weights)
        found = max(found, _whole(solution.bound))
        if solution.labels is not None:
            reached = round(disagreement(weights, solution.labels))
    return found, found == reached


def _whole(bound: float) -> int:
    """The least whole number of changes that a bound allows; the solver's rounding is forgiven."""
    return math.ceil(bound - 1e-4)


def certify(before: BoolArray, after: BoolArray, least: LeastChanges) -> Certificate:
    """Compares decisions before and after a repair.

    Args:
        before: Links, bool [n, n], symmetric; those that `least` was found for.
        after: Links of the repair, bool [n, n], symmetric.
        least: The lower bound.

    Raises:
        InputError: The tables are not of one size.
    """
    if before.shape != after.shape or len(before) != len(least.component):
        raise InputError(
            "The decisions before and after are not about the same headlines.", hint="Repair them again."
        )
    return Certificate(
        changed=int(np.count_nonzero(np.triu(before != after, k=1))),
        at_least=least.total,
        exact=bool(least.exact.all()),
    )
