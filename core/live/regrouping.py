"""The recent headlines of a stream grouped anew."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from core.arrays import IntArray
from core.events.grouping import Prepared, Settings, prepare
from core.groups.stable_ids import stable_ids
from core.live.arrivals import Arrival, timeline_of
from core.live.changes import ChangeKind, StreamChange
from core.live.group_sums import joining_line
from core.models.encoders.encoder import AUTOMATIC, encoders
from core.pairs import candidates
from core.pairs.context import PairContext
from core.pairs.scorers.event_similarity import EventSimilarity
from core.pairs.timeline_context import encoder_of, scorer_of, timeline_context
from core.runtime import Runtime
from core.similarities import Similarities

SCORER: Final = EventSimilarity()
"""By what a headline is compared until the next regrouping; that groups as a timeline is grouped."""

Compared = tuple[str, PairContext, Similarities]  # the encoder's signature; the headlines; all pairs


def compare(recent: Sequence[Arrival], runtime: Runtime) -> Compared:
    """Compares headlines for those that come after them, with the encoder that groups them."""
    timeline = timeline_of(recent, "stream")
    reading = timeline.reading
    recipe = encoder_of(reading, AUTOMATIC, scorer_of(AUTOMATIC, reading=reading))
    context = timeline_context(timeline, recipe, runtime)
    return encoders.signature(recipe), context, candidates.score_candidates(SCORER, context, runtime)


def regrouped(
    recent: Sequence[Arrival], group_of: Mapping[str, int], *, highest: int, runtime: Runtime
) -> tuple[Compared, float, float, tuple[StreamChange, ...]]:
    """Groups headlines at the level that they suggest together; groups keep their numbers where they can.

    With what the next headlines are compared to, level, mean similarity from which they join, and changes.
    """
    prepared = prepare(timeline_of(recent, "stream"), Settings(), runtime)
    keys = [arrival.sort_key for arrival in recent]
    before = np.array([group_of[arrival.key] for arrival in recent], dtype=np.int64)
    # What sorts after every key holds the highest number, so that new groups get numbers above it.
    previous = {**dict(zip(keys, before.tolist(), strict=True)), "\uffff": highest}
    after = stable_ids(prepared.reference, keys, previous=previous)
    changes = _changes(prepared, [arrival.key for arrival in recent], before, after, highest=highest)
    similarities = candidates.score_candidates(SCORER, prepared.context, runtime)
    compared = prepared.encoder, prepared.context, similarities
    return compared, prepared.start.granularity, joining_line(similarities, after), tuple(changes)


def _changes(
    prepared: Prepared, keys: Sequence[str], before: IntArray, after: IntArray, *, highest: int
) -> list[StreamChange]:
    similarities, line = prepared.similarities, 1.0 - prepared.start.granularity
    parts: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row, (old, new) in enumerate(zip(before.tolist(), after.tolist(), strict=True)):
        if old != new:
            parts[old, new].append(row)
    staying = set(after.tolist())
    heir: dict[int, int] = {}
    # The largest part of a group that is gone, of equal ones the group with the least number.
    for old, new in sorted(parts, key=lambda pair: (-len(parts[pair]), pair[1])):
        if old not in staying:
            heir.setdefault(old, new)
    splits: list[StreamChange] = []
    moves: list[StreamChange] = []
    mergers: list[StreamChange] = []
    for (old, new), part in sorted(parts.items()):
        if heir.get(old) == new and new <= highest:
            alike = _mean(similarities, part, np.flatnonzero((after == new) & (before != old)))
            merged = StreamChange(kind=ChangeKind.MERGED, group=new, source=old, alike=alike, line=line)
            mergers.append(merged)
            continue
        moved = StreamChange(
            kind=ChangeKind.SPLIT if new > highest else ChangeKind.MOVED,
            group=new,
            source=old,
            keys=tuple(keys[row] for row in part),
            alike=_mean(similarities, part, np.flatnonzero((before == old) & (after != new))),
            line=line,
        )
        (splits if new > highest else moves).append(moved)
    return [*splits, *moves, *mergers]


def _mean(similarities: Similarities, rows: Sequence[int], others: IntArray) -> float | None:
    if not rows or not len(others):
        return None
    return float(similarities.between(np.array(rows), others).mean(dtype=np.float64))
