"""Pair sets of labelled pairs, or drawn from gold groups. Source: Laban et al. 2021, section 3.5."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core import limits
from core.arrays import IntArray
from core.data.pair_sets.pair_set import WINDOW_DAYS, PairSet, check, concatenate
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.parts import Part
from core.registry import told
from core.runtime import igraph_seeded

if TYPE_CHECKING:
    import pandas as pd

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
    timelines: IntArray, days: npt.NDArray[np.float64], groups: IntArray, sampling: Sampling
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
        message = f"The timelines give {count:,} pairs; at most {most:,} are drawn."
        hint = f"Give a ratio or a number of positives, or raise {limits.CANDIDATE_PAIRS.variable}."
        raise InputError(message, hint=hint)


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


def apart(texts: Sequence[str], parts: npt.NDArray[np.str_]) -> npt.NDArray[np.bool_]:
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
    days: npt.NDArray[np.float64]  # [m], NaN where unknown
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
    days = [
        None if unknown else day
        for day, unknown in zip(side.days.tolist(), np.isnan(side.days).tolist(), strict=True)
    ]
    return list(zip(parts, rooms, side.texts, days, urls, strict=True))


def _body(mention: tuple[Side, int]) -> str:
    side, pair = mention
    return side.bodies[pair] if side.bodies else ""


PAPER = Sampling()  # four days, five negatives for each positive, all positives


def build_pair_set(
    timelines: Sequence[Timeline], *, name: str = "built", sampling: Sampling = PAPER
) -> PairSet:
    """Draws the pairs of annotated timelines; all are test."""
    return from_groups(name, annotated_headlines(timelines, Part.TEST, seed=sampling.seed), sampling)


def annotated_headlines(timelines: Sequence[Timeline], parts: Sequence[Part] | Part, *, seed: int) -> PairSet:
    """The headlines of annotated timelines with their groups, as `build_pair_set` draws pairs of them."""
    if not timelines:
        raise InputError("There is no timeline to draw pairs from.", hint="Give at least one.")
    each = [parts] * len(timelines) if isinstance(parts, Part) else list(parts)
    sets = [
        timeline_headlines(timeline, *_groups(timeline, seed), part)
        for timeline, part in zip(timelines, each, strict=True)
    ]
    return concatenate(sets, name="")


def timeline_headlines(timeline: Timeline, groups: IntArray, annotators: IntArray, part: Part) -> PairSet:
    """The headlines of a timeline as a pair set without pairs, all in one part."""
    bodies = [body if isinstance(body, str) else "" for body in timeline.table[Field.BODY]]
    return PairSet(
        timeline.name,
        timeline.texts,
        timeline.days,
        np.zeros(len(timeline), dtype=np.int64),
        np.full(len(timeline), part.value),
        groups,
        bodies=bodies if any(bodies) else (),
        annotators=annotators,
    )


def timeline_groups(timeline: Timeline) -> tuple[IntArray, IntArray]:
    """Gold groups, int64 [n], and annotators' groups, int64 [n, k], -1 for none; [0, 0] for no annotators."""
    people = [_codes(timeline.table[name]) for name in timeline.annotators]
    annotators = np.stack(people, axis=1) if people else np.empty((0, 0), dtype=np.int64)
    return _codes(timeline.table[Field.GOLD]), annotators


def _groups(timeline: Timeline, seed: int) -> tuple[IntArray, IntArray]:
    gold, annotators = timeline_groups(timeline)
    if (gold >= 0).any():
        return gold, annotators
    if not annotators.shape[1]:
        message = f"The timeline {timeline.name[:80]!r} has neither gold groups nor annotators' groups."
        hint = "Add a column `gold_group`, or columns `annot_1_group`, `annot_2_group` and so on."
        raise InputError(message, hint=hint)
    return merge_annotators(annotators, seed=seed), annotators


def _codes(column: pd.Series[str]) -> npt.NDArray[np.int64]:
    import pandas as pd

    return np.asarray(pd.factorize(column)[0], dtype=np.int64)


def merge_annotators(annotators: IntArray, *, quorum: float | None = None, seed: int = 0) -> IntArray:
    """Global groups, int64 [n]: communities (Louvain's) of what a majority, or the `quorum`, puts together.

    `annotators` has the group that each of k people gave, int64 [n, k], -1 for none.

    Source: Laban et al. 2021, section 3.4; Blondel et al. 2008 for the communities.
    """
    if not annotators.shape[1]:
        raise InputError("There are no annotators to merge.", hint="Give at least one annotator's groups.")
    if quorum is not None and not 0 < quorum <= 1:
        raise InputError(f"A quorum of {quorum:g} is no share of people.", hint="Give a number above 0 to 1.")
    left, right, together, asked = pairs_together(annotators)
    joined = 2 * together > asked if quorum is None else together >= quorum * asked - 1e-9
    edges = np.stack([left, right], axis=1)[joined]
    n = len(annotators)
    import igraph

    graph = igraph.Graph(n=n, edges=edges.tolist())
    with igraph_seeded(seed):
        communities = graph.community_multilevel()
    first: dict[int, int] = {}
    return np.array([first.setdefault(c, len(first)) for c in communities.membership], dtype=np.int64)


def pairs_together(annotators: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """i < j of the pairs that somebody put together, how many did, how many grouped both; int64 [pairs]."""
    from scipy import sparse

    n, given = len(annotators), annotators >= 0
    together = sparse.csr_array((n, n), dtype=np.int64)
    for groups, own in zip(annotators.T, given.T, strict=True):
        rows = np.flatnonzero(own)
        shape = (n, int(groups.max(initial=0)) + 1)
        member = sparse.csr_array((np.ones(len(rows), dtype=np.int64), (rows, groups[rows])), shape=shape)
        together = together + member @ member.T
    upper = sparse.triu(together, k=1).tocoo()
    left, right = upper.row.astype(np.int64), upper.col.astype(np.int64)
    return left, right, upper.data.astype(np.int64), (given[left] & given[right]).sum(axis=1)
