"""Which pairs are drawn from annotated headlines: all positives, near negatives, down-sampled.

Source: Laban et al. 2021 (HLGD), section 3.5. Every pair of one gold group is a positive. Negatives are
pairs of one timeline that are at most 4 days apart (98 % of HLGD's positives are), down-sampled to
about five for each positive.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from core import limits
from core.arrays import IntArray
from core.data.pair_sets.pair_set import DIFFERENT, SAME, UNKNOWN, PairSet
from core.errors import InputError
from core.parts import Part

WINDOW_DAYS = 4.0
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
_ENUMERATED = 2_000_000
"""Up to this many candidates negatives are listed and drawn from; above it they are drawn by trial."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sampling:
    """How pairs are drawn; a pair with an unknown date counts as inside the window."""

    window_days: float = field(default=WINDOW_DAYS, metadata=WINDOW)
    ratio: float | None = field(
        default=RATIO,
        metadata={
            "label": "Negatives for each positive",
            "help": "at most so many; none keeps all near ones",
            "low": 0.0,
        },
    )
    most_positives: int | None = field(default=None, metadata=POSITIVES)
    seed: int = field(default=0, metadata={"help": "seed of every random draw", "low": 0})


def draw_pairs(
    timelines: IntArray, days: npt.NDArray[np.float64], groups: IntArray, sampling: Sampling
) -> tuple[IntArray, IntArray, IntArray]:
    """Draws labelled pairs; see `Sampling`.

    Args:
        timelines: Number of the timeline of each headline, int64 [n].
        days: Publication time in days, float64 [n]; NaN where unknown. Only the whole day counts.
        groups: Gold group of each headline, int64 [n]; a headline with -1 is in no pair.
        sampling: How many, and how far apart.

    Returns:
        Rows left < right and labels (1 or 0) of the pairs, int64 [m] each, sorted by left, then right.
    """
    _check(sampling)
    rng = np.random.default_rng(sampling.seed)
    rows = np.flatnonzero(groups >= 0)
    rooms, whole = timelines[rows], np.floor(days[rows])
    events = _joint(rooms, groups[rows])
    everywhere = np.full(len(rows), np.nan)

    same = _Candidates.of(events, everywhere, np.inf)
    _check_count(same.count if sampling.most_positives is None else sampling.most_positives)
    positives = _places(same.count, sampling.most_positives, rng)
    near = _Candidates.of(rooms, whole, sampling.window_days)
    available = near.count - _Candidates.of(events, whole, sampling.window_days).count
    wanted = available if sampling.ratio is None else min(available, round(sampling.ratio * len(positives)))
    _check_count(wanted)
    negatives = _draw_negatives(near, events, wanted, rng)

    first, second = (
        np.concatenate(both) for both in zip(same.pairs(positives), near.pairs(negatives), strict=True)
    )
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
    def of(rooms: IntArray, days: npt.NDArray[np.float64], window: float) -> _Candidates:
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
        dated_end = np.searchsorted(room, room, side="left") + np.bincount(room, weights=dated)[room].astype(
            np.int64
        )
        second_start = np.maximum(dated_end, following)
        counts = first_run + room_end - second_start
        return _Candidates(order, first_run, second_start, np.cumsum(counts))

    def pairs(self, places: IntArray) -> tuple[IntArray, IntArray]:
        i = np.searchsorted(self.ends, places, side="right")
        offset = places - np.where(i > 0, self.ends[i - 1], 0)
        run = self.first_run[i]
        j = np.where(offset < run, i + 1 + offset, self.second_start[i] + offset - run)
        one, other = self.order[i], self.order[j]
        return np.minimum(one, other), np.maximum(one, other)


def _joint(rooms: IntArray, groups: IntArray) -> IntArray:
    if not len(rooms):
        return rooms
    both = np.stack([rooms, groups], axis=1)
    return np.asarray(np.unique(both, axis=0, return_inverse=True)[1]).reshape(-1).astype(np.int64)


def _places(count: int, most: int | None, rng: np.random.Generator) -> IntArray:
    if most is None or count <= most:
        return np.arange(count)
    return np.sort(rng.choice(count, most, replace=False, shuffle=False))


def _draw_negatives(near: _Candidates, events: IntArray, wanted: int, rng: np.random.Generator) -> IntArray:
    def different(places: IntArray) -> IntArray:
        first, second = near.pairs(places)
        kept: IntArray = places[events[first] != events[second]]
        return kept

    if wanted == 0:
        return np.empty(0, dtype=np.int64)
    if near.count <= max(_ENUMERATED, 4 * wanted):
        return np.sort(rng.choice(different(np.arange(near.count)), wanted, replace=False, shuffle=False))
    found = np.empty(0, dtype=np.int64)
    while len(found) < wanted:
        drawn = different(rng.integers(0, near.count, size=2 * (wanted - len(found)) + _LEAST_DRAWN))
        found = np.sort(np.concatenate([found, drawn]))
        found = found[np.diff(found, prepend=-1) > 0]
    return np.sort(rng.choice(found, wanted, replace=False, shuffle=False))


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
        raise InputError(
            f"The timelines give {count:,} pairs; at most {most:,} are drawn.",
            hint=f"Give a ratio or a number of positives, or raise {limits.CANDIDATE_PAIRS.variable}.",
        )


RATIO_BINS = 20  # bins of Levenshtein ratios over 0 to 1

_LONGEST_GAP = 366  # days between that are counted one by one; what is further apart is counted with the last


@dataclass(frozen=True, slots=True)
class PartCounts:
    part: Part
    headlines: int
    same: int
    different: int
    unknown: int

    @property
    def pairs(self) -> int:
        return self.same + self.different + self.unknown

    @property
    def balance(self) -> float | None:
        """Pairs labelled 0 for each labelled 1; None where there is none labelled 1."""
        return self.different / self.same if self.same else None


@dataclass(frozen=True, slots=True, eq=False)
class PairStatistics:
    timelines: int  # how many timelines there are
    parts: tuple[PartCounts, ...]  # counts of the parts that have headlines
    same_by_day: IntArray  # pairs labelled 1 so many whole days apart, [d]; further ones in the last of 367
    different_by_day: IntArray  # those labelled 0, of the same length
    undated: int  # pairs with an unknown date
    window_days: float  # the window below
    inside: float | None  # share of the dated pairs labelled 1 that are inside the window; None without any
    ratios: npt.NDArray[np.float64]  # levenshtein ratio of each pair labelled 1, float64 [p]

    @property
    def mean_ratio(self) -> float | None:
        return float(self.ratios.mean()) if len(self.ratios) else None


def pair_statistics(pairs: PairSet, *, window_days: float = WINDOW_DAYS) -> PairStatistics:
    gaps = pairs.days_apart
    dated = ~np.isnan(gaps)
    same, different = pairs.labels == SAME, pairs.labels == DIFFERENT
    length = int(min(gaps[dated].max(initial=-1), _LONGEST_GAP)) + 1
    near = gaps[dated & same] <= window_days
    return PairStatistics(
        timelines=len(np.unique(pairs.timelines)),
        parts=tuple(_counts(pairs, part) for part in Part if (pairs.parts == part.value).any()),
        same_by_day=_by_day(gaps[dated & same], length),
        different_by_day=_by_day(gaps[dated & different], length),
        undated=int((~dated).sum()),
        window_days=window_days,
        inside=float(near.mean()) if len(near) else None,
        ratios=levenshtein_ratios(pairs, np.flatnonzero(same)),
    )


def levenshtein_ratios(pairs: PairSet, places: IntArray) -> npt.NDArray[np.float64]:
    """Levenshtein ratio of some pairs, float64 [p], 0 to 1.

    (|a| + |b| - d) / (|a| + |b|) over characters, where d counts inserted and deleted characters and
    replaced ones twice; case counts. Source: HLGD, eq. 1, as `Levenshtein.ratio` has it.
    """
    from Levenshtein import ratio

    left, right = pairs.left[places].tolist(), pairs.right[places].tolist()
    texts = pairs.texts
    return np.array([ratio(texts[a], texts[b]) for a, b in zip(left, right, strict=True)], dtype=np.float64)


def as_object(statistics: PairStatistics) -> dict[str, object]:
    edges = np.linspace(0.0, 1.0, RATIO_BINS + 1)
    return {
        "timelines": statistics.timelines,
        "parts": {
            counts.part.value: {
                "headlines": counts.headlines,
                "pairs": counts.pairs,
                "same": counts.same,
                "different": counts.different,
                "unknown": counts.unknown,
                "different_per_same": counts.balance,
            }
            for counts in statistics.parts
        },
        "same_by_day": statistics.same_by_day.tolist(),
        "different_by_day": statistics.different_by_day.tolist(),
        "undated_pairs": statistics.undated,
        "window_days": statistics.window_days,
        "same_inside_window": statistics.inside,
        "levenshtein_mean": statistics.mean_ratio,
        "levenshtein_histogram": np.histogram(statistics.ratios, edges)[0].tolist(),
    }


def _counts(pairs: PairSet, part: Part) -> PartCounts:
    labels = pairs.labels[pairs.pair_parts == part.value]
    same, different, unknown = (int((labels == label).sum()) for label in (SAME, DIFFERENT, UNKNOWN))
    return PartCounts(part, int((pairs.parts == part.value).sum()), same, different, unknown)


def _by_day(gaps: npt.NDArray[np.float64], length: int) -> IntArray:
    cut = np.minimum(gaps, _LONGEST_GAP).astype(np.int64)
    return np.bincount(cut, minlength=length).astype(np.int64)
