"""The pairs of a training run: several sets as one, with a validation part."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from core.data.pair_sets import division, pair_set
from core.errors import InputError
from core.parts import Part

VALIDATION_SHARE: Final = 0.2
DRAW_SEED: Final = 0  # of parts and sub-samples, whatever the seed of training: all see the same pairs


def concatenate(pair_sets: Sequence[pair_set.PairSet]) -> pair_set.PairSet:
    """Several sets as one; each keeps its parts, and timelines and groups get numbers of their own."""
    if not pair_sets:
        raise InputError("There are no pairs to train on.", hint="Name a pair set or a file of pairs.")
    if len(pair_sets) == 1:
        return pair_sets[0]
    joined = pair_set.concatenate(pair_sets, name="+".join(pairs.name for pairs in pair_sets))
    return replace(joined, annotators=np.empty((0, 0), dtype=np.int64))  # nobody's groups are learned from


def ready(pair_sets: Sequence[pair_set.PairSet]) -> tuple[pair_set.PairSet, tuple[str, ...]]:
    """Training and validation pairs labelled 1 and 0, and one sentence on each thing that was excluded."""
    notes: list[str] = []
    usable = []
    for given in pair_sets:
        clashes = pair_set.contradictions(given)
        clear = np.ones(len(given), dtype=np.bool_)
        clear[[*clashes, *clashes.values()]] = False
        if clashes:
            count = int(np.sum(~clear))
            notes.append(f"{count:,} pairs of {given.name} labelled both 1 and 0 were left out.")
        unknown = given.labels == pair_set.UNKNOWN
        if unknown.any():
            notes.append(f"{int(unknown.sum()):,} pairs of {given.name} without a label were left out.")
        usable.append(given.with_pairs(clear & ~unknown))
    learned = concatenate(usable).part(Part.TRAIN)
    if len(learned):
        # Before a part of it is drawn for validation: a file with one pair is told of as it was given.
        pair_set.require_both_classes(learned)
    pairs = concatenate([split(pairs) for pairs in usable]).part(Part.TRAIN, Part.VALIDATION)
    train = pairs.part(Part.TRAIN)
    if not len(train):
        hint = "Give pairs labelled 1 (same event) or 0 (different) that are not marked as test; "
        hint += "the ISS sample is for testing alone."
        raise InputError(f"The pair set {pairs.name} has no training pairs with a label.", hint=hint)
    pair_set.require_both_classes(train)
    return pairs, tuple(notes)


def split(pairs: pair_set.PairSet) -> pair_set.PairSet:
    """The set itself if it has a validation part; else a fifth of the training part becomes one."""
    inside = pairs.parts == Part.TRAIN.value
    if np.any(pairs.parts == Part.VALIDATION.value) or not np.any(inside[pairs.left]):
        return pairs
    few = len(np.unique(pairs.timelines[inside])) < division.FEWEST_TIMELINES
    units = division.events(pairs) if few else pairs.timelines
    names = np.unique(units[inside])
    count = max(round(VALIDATION_SHARE * len(names)), 1)
    drawn = np.random.default_rng(DRAW_SEED).permutation(names)[:count]
    parts = pairs.parts.astype("<U10")
    parts[inside & np.isin(units, drawn)] = Part.VALIDATION.value
    together = parts[pairs.left] == parts[pairs.right]
    return replace(pairs.with_pairs(together), parts=parts)


def sample(pairs: pair_set.PairSet, most: int | None) -> pair_set.PairSet:
    """At most so many of the pairs, drawn once and for all; their order stays."""
    if most is None or len(pairs) <= most:
        return pairs
    drawn = np.random.default_rng(DRAW_SEED).choice(len(pairs), most, replace=False)
    return pairs.with_pairs(np.sort(drawn))


def used_headlines(pairs: pair_set.PairSet) -> pair_set.PairSet:
    used = np.zeros(len(pairs.texts), dtype=np.bool_)
    used[pairs.left] = used[pairs.right] = True
    return pairs.with_headlines(used)
