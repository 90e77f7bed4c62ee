"""Group numbers that stay when the slider moves and when headlines are added."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.arrays import IntArray
from core.errors import InputError


class _Overlaps(NamedTuple):
    group: IntArray
    other: IntArray
    shared: IntArray
    founder: IntArray


def stable_ids(
    labels: IntArray,
    keys: Sequence[str],
    *,
    reference: IntArray | None = None,
    previous: Mapping[str, int] | None = None,
) -> IntArray:
    """A number from 1 for each headline's group, so that the same group keeps its number.

    The reference, the groups where the slider starts, is numbered by founder, whose key sorts first.
    * At another granularity a group takes the number of the reference group of which it holds more than half
      (or half, with the founder); of several, of the one it shares most with, then of the earliest founder.
    * Any other group has the greatest number of a reference group plus its founder's place among all keys.
    * `previous` gives the numbers of an earlier timeline's reference, taken over one to one, the largest
      overlap first; new groups get numbers above all earlier ones.
    """
    current = np.asarray(labels, dtype=np.int64)
    start = current if reference is None else np.asarray(reference, dtype=np.int64)
    if not len(current) == len(keys) == len(start):
        message = f"There are {len(current)} labels, {len(keys)} keys and {len(start)} reference labels."
        raise InputError(message, hint="Give one of each for every headline.")
    rank = np.empty(len(keys), dtype=np.int64)
    rank[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
    start_numbers = _number_reference(_dense(start), rank, keys, previous or {})
    if reference is None or len(current) == 0:
        return start_numbers
    return _follow(_dense(current), _dense(start), start_numbers, rank, previous or {})


def _number_reference(
    groups: IntArray, rank: IntArray, keys: Sequence[str], previous: Mapping[str, int]
) -> IntArray:
    numbers = np.zeros(int(groups.max(initial=-1)) + 1, dtype=np.int64)
    old = np.array([previous.get(key, 0) for key in keys], dtype=np.int64)
    known = old > 0
    if known.any():
        overlaps = _overlaps(groups[known], old[known], rank[known])
        taken: set[int] = set()
        for at in np.lexsort((overlaps.founder, -overlaps.shared)).tolist():
            group, number = int(overlaps.group[at]), int(overlaps.other[at])
            if numbers[group] == 0 and number not in taken:
                numbers[group] = number
                taken.add(number)
    fresh = np.flatnonzero(numbers == 0)
    by_founder = fresh[np.argsort(_founders(groups, rank)[fresh])]
    numbers[by_founder] = max(previous.values(), default=0) + 1 + np.arange(len(by_founder))
    return numbers[groups]


def _follow(
    groups: IntArray,
    reference: IntArray,
    reference_numbers: IntArray,
    rank: IntArray,
    previous: Mapping[str, int],
) -> IntArray:
    top = max(int(reference_numbers.max()), max(previous.values(), default=0))
    numbers = top + 1 + _founders(groups, rank)
    number_of = np.zeros(int(reference.max()) + 1, dtype=np.int64)
    number_of[reference] = reference_numbers
    overlaps = _overlaps(groups, reference, rank)
    whole = np.bincount(reference)[overlaps.other]
    founds = _founders(reference, rank)[overlaps.other] == overlaps.founder
    holds = (2 * overlaps.shared > whole) | ((2 * overlaps.shared == whole) & founds)
    order = np.lexsort((-overlaps.founder, overlaps.shared))  # the last assignment stands: the largest
    order = order[holds[order]]
    numbers[overlaps.group[order]] = number_of[overlaps.other[order]]
    return numbers[groups]


def _dense(labels: IntArray) -> IntArray:
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _founders(groups: IntArray, rank: IntArray) -> IntArray:
    least = np.full(int(groups.max(initial=-1)) + 1, np.iinfo(np.int64).max, dtype=np.int64)
    np.minimum.at(least, groups, rank)
    return least


def _overlaps(groups: IntArray, others: IntArray, rank: IntArray) -> _Overlaps:
    _, other = np.unique(others, return_inverse=True)
    cell_key = groups * (int(other.max(initial=0)) + 1) + other
    _, first, cell, count = np.unique(cell_key, return_index=True, return_inverse=True, return_counts=True)
    return _Overlaps(groups[first], others[first], count.astype(np.int64), _founders(cell, rank))
