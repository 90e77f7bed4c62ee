"""Which part whole stories, claims or topics go to."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from core.data.pair_sets.pair_set import SAME, PairSet
from core.data.timelines.duplicates import components
from core.parts import Part
from core.similarities import IntArray

FEWEST_TIMELINES = 5
"""With fewer timelines, parts are drawn of whole events."""

K = TypeVar("K", bound=Hashable)


def drawn(names: Sequence[K], shares: tuple[float, float, float], *, seed: int) -> dict[K, Part]:
    """Parts of names drawn at random; the draw does not depend on their order.

    Args:
        names: Distinct names that can be sorted.
        shares: Train, validation, test; they sum to 1.
        seed: Of the draw.
    """
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
    """The part of each name, str [n]."""
    return np.array([parts[name].value for name in names], dtype=np.str_)


def numbers(names: Sequence[Hashable]) -> npt.NDArray[np.int64]:
    """Names as numbers from 0 in order of first appearance, int64 [n]."""
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(name, len(seen)) for name in names], dtype=np.int64)


def events(pairs: PairSet) -> IntArray:
    """The event of each headline, int64 [n]: its gold group, or what pairs of the same event join."""
    same = pairs.labels == SAME
    joined = components(
        len(pairs.texts), zip(pairs.left[same].tolist(), pairs.right[same].tolist(), strict=True)
    )
    # Groups come first, so that a component never has the number of a group.
    return np.where(pairs.groups >= 0, pairs.groups, joined + int(pairs.groups.max(initial=-1)) + 1)


def by_event(pairs: PairSet, shares: tuple[float, float, float], *, seed: int) -> PairSet:
    """The pairs with parts drawn of whole timelines, or of whole events where there are few timelines.

    A headline that is alone with its event goes where the first headline that it is paired with goes.
    Pairs that would join two parts are left out, so that no headline is in both.
    """
    few = len(np.unique(pairs.timelines)) < FEWEST_TIMELINES
    units = (_with_neighbours(pairs, events(pairs)) if few else pairs.timelines).tolist()
    parts = parts_of(units, drawn(sorted(set(units)), shares, seed=seed))
    return replace(pairs.with_pairs(parts[pairs.left] == parts[pairs.right]), parts=parts)


def _with_neighbours(pairs: PairSet, units: IntArray) -> IntArray:
    _, place, sizes = np.unique(units, return_inverse=True, return_counts=True)
    alone = sizes[place] == 1
    moved = units.copy()
    for one, other in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True):
        for lone, beside in ((one, other), (other, one)):
            if alone[lone] and not alone[beside] and moved[lone] == units[lone]:
                moved[lone] = units[beside]
    return moved
