"""Putting a pair set together: from headlines with gold groups, or from labelled pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.data.pair_sets.drawing import Sampling, draw_pairs
from core.data.pair_sets.pair_set import PairSet, check
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.parts import Part
from core.runtime import igraph_seeded

if TYPE_CHECKING:
    import pandas as pd

_STRENGTH = {Part.TEST.value: 2, Part.VALIDATION.value: 1, Part.TRAIN.value: 0}


def from_groups(name: str, headlines: PairSet, sampling: Sampling) -> PairSet:
    """Draws the pairs of each part on its own; see `drawing.draw_pairs`."""
    kept = replace(headlines, name=name).with_headlines(apart(headlines.texts, headlines.parts))
    drawn = []
    for part in Part:
        rows = np.flatnonzero(kept.parts == part.value)
        left, right, labels = draw_pairs(kept.timelines[rows], kept.days[rows], kept.groups[rows], sampling)
        drawn.append((rows[left], rows[right], labels))
    left, right, labels = (np.concatenate(column) for column in zip(*drawn, strict=True))
    return check(replace(kept, left=left, right=right, labels=labels))


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

    Mentions with the same timeline, wording, date and address are one headline; without `timelines` each part
    is one timeline. `keep_apart` leaves out pairs with a headline whose wording is also in a stronger part.
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
    return check(_without_repeats(result) if keep_apart else result)


def _without_repeats(pairs: PairSet) -> PairSet:
    stay = apart(pairs.texts, pairs.parts)
    kept = np.flatnonzero(stay[pairs.left] & stay[pairs.right])
    used = np.zeros(len(pairs.texts), dtype=np.bool_)
    used[pairs.left[kept]] = used[pairs.right[kept]] = True
    return pairs.with_headlines(used)


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


def concatenate(sets: Sequence[PairSet], *, name: str) -> PairSet:
    """Several pair sets as one; their timelines and groups stay apart."""
    rows = np.cumsum([0, *(len(one.texts) for one in sets)])[:-1]
    k = max(one.annotators.shape[1] for one in sets)
    return check(
        PairSet(
            name=name,
            texts=[text for one in sets for text in one.texts],
            days=np.concatenate([one.days for one in sets]),
            timelines=_stacked([one.timelines for one in sets]),
            parts=np.concatenate([one.parts for one in sets]),
            left=np.concatenate([one.left + first for one, first in zip(sets, rows, strict=True)]),
            right=np.concatenate([one.right + first for one, first in zip(sets, rows, strict=True)]),
            labels=np.concatenate([one.labels for one in sets]),
            groups=_stacked([one.groups for one in sets]),
            bodies=_filled([one.bodies for one in sets], sets),
            annotators=np.concatenate([_widened(one, k) for one in sets]) if k else sets[0].annotators,
            tags=[tags for one in sets for tags in (one.tags or [()] * len(one))]
            if any(one.tags for one in sets)
            else (),
        )
    )


def _stacked(columns: Sequence[IntArray]) -> IntArray:
    result, first = [], 0
    for column in columns:
        result.append(np.where(column < 0, -1, column + first))
        first += int(column.max(initial=-1)) + 1
    return np.concatenate(result).astype(np.int64)


def _filled(columns: Sequence[Sequence[str]], sets: Sequence[PairSet]) -> Sequence[str]:
    if not any(columns):
        return ()
    return [
        text for one, column in zip(sets, columns, strict=True) for text in column or [""] * len(one.texts)
    ]


def _widened(pairs: PairSet, k: int) -> IntArray:
    wide = np.full((len(pairs.texts), k), -1, dtype=np.int64)
    if pairs.annotators.shape[1]:
        wide[:, : pairs.annotators.shape[1]] = pairs.annotators
    return wide


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
    both = [_groups(timeline, seed) for timeline in timelines]
    return concatenate(
        [
            timeline_headlines(timeline, groups, people, part)
            for timeline, (groups, people), part in zip(timelines, both, each, strict=True)
        ],
        name="",
    )


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
        raise InputError(
            f"The timeline {timeline.name[:80]!r} has neither gold groups nor annotators' groups.",
            hint="Add a column `gold_group`, or columns `annot_1_group`, `annot_2_group` and so on.",
        )
    return merge_annotators(annotators, seed=seed), annotators


def _codes(column: pd.Series[str]) -> npt.NDArray[np.int64]:
    import pandas as pd

    return np.asarray(pd.factorize(column)[0], dtype=np.int64)


def merge_annotators(annotators: IntArray, *, quorum: float | None = None, seed: int = 0) -> IntArray:
    """Global groups: communities of the graph in which a majority puts two headlines together.

    Two headlines are joined where more than half of the annotators who grouped both (three of five) gave
    them one group, or at least the quorum; who left one of them out said nothing of the pair. Communities
    are found by modularity with Louvain's method, as HLGD merged its five.

    Source: Laban et al. 2021, section 3.4; Blondel et al. 2008 for the communities.

    Args:
        annotators: Group number that each of k people gave, int64 [n, k], -1 for none.
        quorum: Least share of those who grouped both that joins them, above 0 to 1; None for more than half.
        seed: Of the order in which headlines are visited.

    Returns:
        int64 [n], groups from 0 in order of first appearance; who is joined to nobody is a group alone.
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
        found = graph.community_multilevel()
    first: dict[int, int] = {}
    return np.array([first.setdefault(c, len(first)) for c in found.membership], dtype=np.int64)


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
