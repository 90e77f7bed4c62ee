"""Annotators who do not exist: gold groups with faults put in, to try the procedure without people."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np

from core.arrays import IntArray
from core.data.pair_sets.assembly import timeline_groups
from core.data.timelines.timeline import Timeline
from core.errors import InputError

SPLIT: Final = 0.15
"""Chance that an annotator cuts a group in two at a moment in time."""
JOINED: Final = 0.1
"""Chance that an annotator takes a group for the one that began before it."""
ALONE: Final = 0.05
"""Chance that an annotator leaves a headline alone."""
MOST: Final = 100


def with_simulated(timeline: Timeline, people: int, *, seed: int = 0) -> Timeline:
    """The timeline with simulated annotators instead of its own, named so.

    Each starts from the gold groups, in which every group may be cut in two, joined to the one that began
    before it, or lose headlines, with the chances above. They are no estimate of what people do.
    """
    if not 2 <= people <= MOST:
        raise InputError(f"{people} annotators cannot be simulated.", hint=f"Choose from 2 to {MOST}.")
    gold, _ = timeline_groups(timeline)
    if len(gold) == 0 or (gold < 0).any():
        raise InputError(
            f"{timeline.name[:80] or 'The timeline'} lacks gold groups, from which annotators are simulated.",
            hint="Add a column `gold_group` with a group for each headline.",
        )
    order = np.argsort(timeline.days, kind="stable")
    generator = np.random.default_rng(seed)
    table = timeline.table.drop(columns=timeline.annotators)
    for person in range(1, people + 1):
        groups = np.empty_like(gold)
        groups[order] = _faulty(gold[order], generator)
        table[f"annotator_{person}"] = [str(group) for group in groups]
    return replace(timeline, table=table, name=f"{timeline.name} (simulated annotators)")


def _faulty(groups: IntArray, generator: np.random.Generator) -> IntArray:
    found = groups.copy()
    names = list(dict.fromkeys(groups.tolist()))
    fresh = int(groups.max()) + 1
    for before, name in pairwise(names):
        if generator.random() < JOINED:
            found[groups == name] = found[groups == before][0]
    for name in names:
        rows = np.flatnonzero(groups == name)
        if len(rows) > 1 and generator.random() < SPLIT:
            found[rows[generator.integers(1, len(rows)) :]] = fresh
            fresh += 1
    alone = np.flatnonzero(generator.random(len(groups)) < ALONE)
    found[alone] = np.arange(fresh, fresh + len(alone))
    return found
