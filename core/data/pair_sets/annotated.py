"""Pair sets of annotated timelines, whose groups may be merged from several people's."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import IntArray
from core.data.pair_sets.assembly import from_groups
from core.data.pair_sets.pair_set import PairSet, concatenate
from core.data.pair_sets.sampling import Sampling
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.parts import Part
from core.runtime import igraph_seeded

if TYPE_CHECKING:
    import pandas as pd

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
    both = zip(timelines, each, strict=True)
    sets = [timeline_headlines(timeline, *_groups(timeline, seed), part) for timeline, part in both]
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


def _codes(column: "pd.Series[str]") -> IntArray:
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
