"""Pairs drawn from gold groups. Source: Laban et al. 2021, section 3.5."""

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from core import limits
from core.arrays import FloatArray, IntArray
from core.data.pair_sets.pair_statistics import WINDOW_DAYS
from core.errors import InputError
from core.registry import told

RATIO = 5.0
WINDOW: Final = {
    "label": "Days apart, at most",
    "help": "days that the headlines of a negative are apart at most",
    "low": 0.0,
}
POSITIVES: Final = {
    "label": "Positives of a part",
    "help": "at most so many, drawn at random; none keeps all",
    "low": 1,
}

_LEAST_DRAWN = 1_000
_ENUMERATED = 2_000_000  # candidates up to which negatives are listed and drawn from; above, drawn by trial


@dataclass(frozen=True, kw_only=True, slots=True)
class Sampling:
    """How pairs are drawn; a pair with an unknown date counts as inside the window."""

    window_days: float = field(default=WINDOW_DAYS, metadata=WINDOW)
    ratio: float | None = told(
        RATIO, "at most so many; none keeps all near ones", label="Negatives for each positive", low=0.0
    )
    most_positives: int | None = field(default=None, metadata=POSITIVES)
    seed: int = field(default=0, metadata={"help": "seed of every random draw", "low": 0})


def draw_pairs(
    timelines: IntArray, days: FloatArray, groups: IntArray, sampling: Sampling
) -> tuple[IntArray, IntArray, IntArray]:
    """Rows left < right and labels (1 or 0) of pairs, int64 [m] each, sorted by left, then right.

    Arguments are as in `PairSet`; only whole days count. Every pair of one gold group is a positive, near
    pairs of one timeline are negatives, and what has group -1 is in no pair.
    """
    _check(sampling)
    rng = np.random.default_rng(sampling.seed)
    rows = np.flatnonzero(groups >= 0)
    rooms, whole = timelines[rows], np.floor(days[rows])
    both = np.stack([rooms, groups[rows]], axis=1)
    events = np.unique(both, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    everywhere = np.full(len(rows), np.nan)

    same = _Candidates.of(events, everywhere, np.inf)
    _check_count(same.count if sampling.most_positives is None else sampling.most_positives)
    positives = _places(same.count, sampling.most_positives, rng)
    near = _Candidates.of(rooms, whole, sampling.window_days)
    available = near.count - _Candidates.of(events, whole, sampling.window_days).count
    wanted = available if sampling.ratio is None else min(available, round(sampling.ratio * len(positives)))
    _check_count(wanted)
    negatives = _draw_negatives(near, events, wanted, rng)

    drawn = zip(same.pairs(positives), near.pairs(negatives), strict=True)
    first, second = map(np.concatenate, drawn)
    labels = np.repeat(np.array([1, 0], dtype=np.int64), [len(positives), len(negatives)])
    order = np.lexsort((second, first))
    return rows[first[order]], rows[second[order]], labels[order]


@dataclass(frozen=True, slots=True, eq=False)
class _Candidates:
    """All pairs of a room that are near in time, numbered from 0 without being listed."""

    order: IntArray
    first_run: IntArray
    second_start: IntArray
    ends: IntArray

    @property
    def count(self) -> int:
        return int(self.ends[-1]) if len(self.ends) else 0

    @staticmethod
    def of(rooms: IntArray, days: FloatArray, window: float) -> "_Candidates":
        n = len(rooms)
        unknown = np.isnan(days)
        order = np.lexsort((np.where(unknown, 0.0, days), unknown, rooms))
        _, room = np.unique(rooms[order], return_inverse=True)
        dated = ~unknown[order]
        since = np.zeros(n)
        if dated.any():
            since[dated] = days[order][dated] - np.nanmin(days)
        span = float(since.max(initial=0.0))
        # One increasing key over all rooms: undated headlines stand past every window of their room.
        reach = min(window, span)
        key = room * (span + reach + 2.0) + np.where(dated, since, span + reach + 1.0)
        following = np.arange(1, n + 1)
        near_end = np.searchsorted(key, key + reach, side="right")
        first_run = np.where(dated, near_end - following, 0)
        room_end = np.searchsorted(room, room, side="right")
        dated_of = np.bincount(room, weights=dated).astype(np.int64)
        dated_end = np.searchsorted(room, room, side="left") + dated_of[room]
        second_start = np.maximum(dated_end, following)
        counts = first_run + room_end - second_start
        return _Candidates(order, first_run, second_start, np.cumsum(counts))

    def pairs(self, places: IntArray) -> tuple[IntArray, IntArray]:
        i = np.searchsorted(self.ends, places, side="right")
        offset = places - np.where(i > 0, self.ends[i - 1], 0)
        run = self.first_run[i]
        j = np.where(offset < run, i + 1 + offset, self.second_start[i] + offset - run)
        left, right = self.order[i], self.order[j]
        return np.minimum(left, right), np.maximum(left, right)


def _places(count: int, most: int | None, rng: np.random.Generator) -> IntArray:
    if most is None or count <= most:
        return np.arange(count)
    return np.sort(rng.choice(count, most, replace=False, shuffle=False))


def _draw_negatives(near: _Candidates, events: IntArray, wanted: int, rng: np.random.Generator) -> IntArray:
    def different(places: IntArray) -> IntArray:
        first, second = near.pairs(places)
        differing: IntArray = places[events[first] != events[second]]
        return differing

    if wanted == 0:
        return np.empty(0, dtype=np.int64)
    if near.count <= max(_ENUMERATED, 4 * wanted):
        return np.sort(rng.choice(different(np.arange(near.count)), wanted, replace=False, shuffle=False))
    negatives = np.empty(0, dtype=np.int64)
    while len(negatives) < wanted:
        drawn = different(rng.integers(0, near.count, size=2 * (wanted - len(negatives)) + _LEAST_DRAWN))
        negatives = np.sort(np.concatenate([negatives, drawn]))
        negatives = negatives[np.diff(negatives, prepend=-1) > 0]
    return np.sort(rng.choice(negatives, wanted, replace=False, shuffle=False))


def _check(sampling: Sampling) -> None:
    for name, value, low in (
        ("window", sampling.window_days, 0.0),
        ("ratio", sampling.ratio, 0.0),
        ("number of positives", sampling.most_positives, 1),
    ):
        if value is not None and not value >= low:
            raise InputError(f"The {name} cannot be {value}.", hint=f"Give at least {low:g}.")
    if sampling.ratio is not None and math.isinf(sampling.ratio):
        raise InputError("The ratio cannot be infinite.", hint="Give a great number such as 1000000.")


def _check_count(count: int) -> None:
    most = limits.CANDIDATE_PAIRS.value
    if count > most:
        hint = f"Give a ratio or a number of positives, or raise {limits.CANDIDATE_PAIRS.variable}."
        raise InputError(f"The timelines give {count:,} pairs; at most {most:,} are drawn.", hint=hint)
