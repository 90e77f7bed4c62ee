"""Pair sets from annotated timelines, as HLGD was made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.data.pair_sets.assembly import GroupedHeadlines, concatenate, from_groups
from core.data.pair_sets.drawing import Sampling
from core.data.pair_sets.merging import merge_annotators
from core.data.pair_sets.pair_set import PairSet
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.parts import Part
from core.similarities import IntArray

if TYPE_CHECKING:
    import pandas as pd

PAPER = Sampling()
"""Four days, five negatives for each positive, all positives."""


def build_pair_set(
    timelines: Sequence[Timeline],
    *,
    name: str = "built",
    parts: Sequence[Part] | Part = Part.TEST,
    sampling: Sampling = PAPER,
) -> PairSet:
    """Draws the pairs of annotated timelines.

    Gold groups are taken where a timeline has them; otherwise annotators' groups are merged
    (see `merge_annotators`). The ratio holds for each part as a whole.

    Args:
        timelines: At least one, each with gold or annotators' groups. A headline without a gold group in
            a timeline that has some is in no pair.
        name: Short name of the pair set.
        parts: Part of each timeline, or of all.
        sampling: See `Sampling`.

    Raises:
        InputError: There is no timeline, one is not annotated, or as `draw_pairs`.
    """
    if not timelines:
        raise InputError("There is no timeline to draw pairs from.", hint="Give at least one.")
    each = [parts] * len(timelines) if isinstance(parts, Part) else list(parts)
    groups, annotators = zip(*(_groups(timeline, sampling.seed) for timeline in timelines), strict=True)
    undrawn = concatenate(
        [
            _headlines(timeline, number_of, people, part)
            for timeline, number_of, people, part in zip(timelines, groups, annotators, each, strict=True)
        ],
        name=name,
    )
    headlines = GroupedHeadlines(
        texts=undrawn.texts,
        days=undrawn.days,
        timelines=undrawn.timelines,
        parts=undrawn.parts,
        groups=undrawn.groups,
        bodies=undrawn.bodies,
        annotators=undrawn.annotators,
    )
    return from_groups(name, headlines, sampling)


def _headlines(timeline: Timeline, groups: IntArray, annotators: IntArray, part: Part) -> PairSet:
    """The headlines of a timeline as a pair set without pairs."""
    nothing = np.empty(0, dtype=np.int64)
    bodies = [body if isinstance(body, str) else "" for body in timeline.table[Field.BODY]]
    return PairSet(
        name=timeline.name,
        texts=timeline.texts,
        days=timeline.days,
        timelines=np.zeros(len(timeline), dtype=np.int64),
        parts=np.full(len(timeline), part.value),
        left=nothing,
        right=nothing,
        labels=nothing,
        groups=groups,
        bodies=bodies if any(bodies) else (),
        annotators=annotators,
    )


def _groups(timeline: Timeline, seed: int) -> tuple[IntArray, IntArray]:
    """Gold groups, int64 [n], and annotators' groups, int64 [n, k]."""
    people = [_codes(timeline.table[name]) for name in timeline.annotators]
    annotators = np.stack(people, axis=1) if people else np.empty((0, 0), dtype=np.int64)
    gold = _codes(timeline.table[Field.GOLD])
    if (gold >= 0).any():
        return gold, annotators
    if not people:
        raise InputError(
            f"The timeline {timeline.name[:80]!r} has neither gold groups nor annotators' groups.",
            hint="Add a column gold_group, or columns annot_1_group, annot_2_group and so on.",
        )
    return merge_annotators(annotators, seed=seed), annotators


def _codes(column: pd.Series[str]) -> npt.NDArray[np.int64]:
    """Group names as numbers in order of first appearance, -1 where there is none."""
    import pandas as pd

    return np.asarray(pd.factorize(column)[0], dtype=np.int64)
