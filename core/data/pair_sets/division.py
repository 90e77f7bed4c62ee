"""Parts drawn of whole timelines, or of whole events."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.data.pair_sets.pair_set import SAME, PairSet
from core.data.timelines.duplicates import components
from core.parts import Part

FEWEST_TIMELINES = 5  # with fewer timelines, parts are drawn of whole events

K = TypeVar("K", bound=Hashable)


def drawn(names: Sequence[K], shares: tuple[float, float, float], *, seed: int) -> dict[K, Part]:
    """Parts of distinct names, drawn at random for shares of train, validation and test that sum to 1."""
    ordered = sorted(names, key=str)
    shuffled = np.random.default_rng(seed).permutation(len(ordered))
    return in_order([ordered[place] for place in shuffled.tolist()], shares)


def in_order(names: Sequence[K], shares: tuple[float, float, float]) -> dict[K, Part]:
    """Parts of names in the given order: the first are train, the last test."""
    first = round(shares[0] * len(names))
    second = round((shares[0] + shares[1]) * len(names))
    return {
        name: Part.TRAIN if place < first else Part.VALIDATION if place < second else Part.TEST
        for place, name in enumerate(names)
    }


def parts_of(names: Sequence[K], parts: dict[K, Part]) -> npt.NDArray[np.str_]:
    return np.array([parts[name].value for name in names], dtype=np.str_)


def numbers(names: Sequence[Hashable]) -> IntArray:
    """Names as numbers from 0 in order of first appearance, int64 [n]."""
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(name, len(seen)) for name in names], dtype=np.int64)


def joined_groups(pairs: PairSet) -> IntArray:
    """Gold groups that follow from the labels, int64 [n]: what pairs labelled 1 join, directly or not."""
    same = pairs.labels == SAME
    edges = zip(pairs.left[same].tolist(), pairs.right[same].tolist(), strict=True)
    return components(len(pairs.texts), edges)


def events(pairs: PairSet) -> IntArray:
    """The event of each headline, int64 [n]: its gold group, or what pairs of the same event join."""
    joined = joined_groups(pairs)
    # Groups come first, so that a component never has the number of a group.
    return np.where(pairs.groups >= 0, pairs.groups, joined + int(pairs.groups.max(initial=-1)) + 1)


def by_event(pairs: PairSet, shares: tuple[float, float, float], *, seed: int) -> PairSet:
    """The pairs with parts drawn of whole timelines, or of whole events where there are few timelines."""
    few = len(np.unique(pairs.timelines)) < FEWEST_TIMELINES
    units = (_with_neighbours(pairs, events(pairs)) if few else pairs.timelines).tolist()
    parts = parts_of(units, drawn(sorted(set(units)), shares, seed=seed))
    return replace(pairs.with_pairs(parts[pairs.left] == parts[pairs.right]), parts=parts)


def _with_neighbours(pairs: PairSet, units: IntArray) -> IntArray:
    _, place, sizes = np.unique(units, return_inverse=True, return_counts=True)
    alone = sizes[place] == 1
    moved = units.copy()
    for left, right in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True):
        for lone, beside in ((left, right), (right, left)):
            if alone[lone] and not alone[beside] and moved[lone] == units[lone]:
                moved[lone] = units[beside]
    return moved
