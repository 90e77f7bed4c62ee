"""Made-up annotators, who err as people do."""

from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from core.arrays import IntArray
from core.data.pair_sets.annotated import timeline_groups
from core.data.timelines.timeline import Timeline
from core.errors import InputError

MOST: Final = 100
SIMULATED: Final = "annotator_simulated "  # begins the name of the column of one who is made up


class Faults(NamedTuple):
    split: float  # a group is cut in two at a moment in time
    joined: float  # a group is taken for the one that began before it
    alone: float  # a headline is left alone


FAULTS: Final = Faults(0.15, 0.1, 0.05)


def with_simulated(timeline: Timeline, people: int, *, seed: int = 0) -> Timeline:
    """The timeline with annotators made by putting faults into gold groups; no estimate of what people do."""
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
        groups[order] = with_faults(gold[order], generator)
        table[f"{SIMULATED}{person}"] = [str(group) for group in groups]
    return replace(timeline, table=table, name=f"{timeline.name} (simulated annotators)")


def with_faults(groups: IntArray, generator: np.random.Generator, faults: Faults = FAULTS) -> IntArray:
    split, joined, alone = faults
    changed = groups.copy()
    names = list(dict.fromkeys(groups.tolist()))
    fresh = int(groups.max()) + 1
    for before, name in pairwise(names):
        if generator.random() < joined:
            changed[groups == name] = changed[groups == before][0]
    for name in names:
        rows = np.flatnonzero(groups == name)
        if len(rows) > 1 and generator.random() < split:
            changed[rows[generator.integers(1, len(rows)) :]] = fresh
            fresh += 1
    single = np.flatnonzero(generator.random(len(groups)) < alone)
    changed[single] = np.arange(fresh, fresh + len(single))
    return changed
