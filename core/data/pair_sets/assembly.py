"""Pair sets put together from gold groups, or from pairs that are labelled one by one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.pair_sets.pair_set import PairSet, check
from core.data.pair_sets.sampling import Sampling, draw_pairs
from core.parts import Part

_STRENGTH = {Part.TEST.value: 2, Part.VALIDATION.value: 1, Part.TRAIN.value: 0}


def from_groups(name: str, headlines: PairSet, sampling: Sampling) -> PairSet:
    """Draws the pairs of each part on its own; see `draw_pairs`."""
    pool = replace(headlines, name=name).with_headlines(apart(headlines.texts, headlines.parts))
    drawn = []
    for part in Part:
        rows = np.flatnonzero(pool.parts == part.value)
        left, right, labels = draw_pairs(pool.timelines[rows], pool.days[rows], pool.groups[rows], sampling)
        drawn.append((rows[left], rows[right], labels))
    left, right, labels = (np.concatenate(column) for column in zip(*drawn, strict=True))
    return check(replace(pool, left=left, right=right, labels=labels))


def apart(texts: Sequence[str], parts: npt.NDArray[np.str_]) -> BoolArray:
    """Which headlines may stay so that no wording is in two parts, bool [n]: the stronger part keeps it."""
    strongest: dict[str, int] = {}
    keys = [text.casefold() for text in texts]
    strengths = [_STRENGTH[part] for part in parts.tolist()]
    for key, strength in zip(keys, strengths, strict=True):
        strongest[key] = max(strength, strongest.get(key, 0))
    stay = [strongest[key] == strength for key, strength in zip(keys, strengths, strict=True)]
    return np.array(stay, dtype=np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of the two headlines of m pairs."""

    texts: Sequence[str]
    days: FloatArray  # [m], NaN where unknown
    urls: Sequence[str] = ()
    bodies: Sequence[str] = ()


def from_pairs(
    name: str,
    left: Side,
    right: Side,
    labels: IntArray,
    *,
    parts: Sequence[str],
    timelines: Sequence[str] = (),
    tags: Sequence[tuple[str, ...]] = (),
    keep_apart: bool = True,
) -> PairSet:
    """A pair set of pairs that are labelled one by one, in their order.

    Mentions of one timeline (without `timelines` of one part), wording, date and address are one headline.
    `keep_apart` leaves out pairs with a headline whose wording is also in a stronger part.
    """
    rooms = list(timelines) or [""] * len(labels)
    sides = [_rows(side, parts, rooms) for side in (left, right)]
    seen: dict[tuple[object, ...], int] = {}
    # A headline is never paired with itself: the same mention on both sides is two headlines.
    keyed = ((a, (*b, "again") if a == b else b) for a, b in zip(*sides, strict=True))
    both = [[seen.setdefault(key, len(seen)) for key in pair] for pair in keyed]
    places = np.array(both, dtype=np.int64).reshape(-1, 2).T
    firsts: dict[int, tuple[Side, int]] = {}
    for side, rows in zip((left, right), places, strict=True):
        for pair, row in enumerate(rows.tolist()):
            known = firsts.get(row)
            if known is None or (side.bodies and side.bodies[pair] and not _body(known)):
                firsts[row] = (side, pair)
    mentions = [firsts[row] for row in range(len(seen))]
    keys = list(seen)
    numbers: dict[tuple[object, ...], int] = {}
    bodies = [_body(mention) for mention in mentions]
    result = PairSet(
        name=name,
        texts=[str(side.texts[pair]) for side, pair in mentions],
        days=np.array([side.days[pair] for side, pair in mentions], dtype=np.float64),
        timelines=np.array([numbers.setdefault(key[:2], len(numbers)) for key in keys], dtype=np.int64),
        parts=np.array([str(key[0]) for key in keys], dtype=np.str_),
        left=places[0],
        right=places[1],
        labels=labels.astype(np.int64),
        groups=np.full(len(seen), -1, dtype=np.int64),
        bodies=bodies if any(bodies) else (),
        tags=tags,
    )
    if keep_apart:
        stay = apart(result.texts, result.parts)
        pairs = np.flatnonzero(stay[result.left] & stay[result.right])
        used = np.zeros(len(result.texts), dtype=np.bool_)
        used[result.left[pairs]] = used[result.right[pairs]] = True
        result = result.with_headlines(used)
    return check(result)


def _rows(side: Side, parts: Sequence[str], rooms: Sequence[str]) -> list[tuple[object, ...]]:
    urls = side.urls or [""] * len(parts)
    days = [None if np.isnan(day) else day for day in side.days.tolist()]
    return list(zip(parts, rooms, side.texts, days, urls, strict=True))


def _body(mention: tuple[Side, int]) -> str:
    side, pair = mention
    return side.bodies[pair] if side.bodies else ""
