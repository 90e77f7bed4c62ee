"""Groups the recent headlines of a stream as a timeline is grouped, and says what that changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.events.grouping import Settings, prepare
from core.groups.stable_ids import stable_ids
from core.live.arrival import Arrival, timeline_of
from core.live.changes import ChangeKind, StreamChange
from core.models.encoders.cache import encode_cached
from core.models.encoders.encoder import default_encoder, encoders
from core.pairs.candidates import score_candidates
from core.pairs.scorer import PairContext, pair_scorers
from core.pairs.scorers.event_similarity import EventSimilarity
from core.pairs.scoring.contexts import pair_context
from core.runtime import Runtime
from core.similarities import IntArray, Similarities
from core.text.language import timeline_language

SCORER: Final = EventSimilarity()
"""How alike headlines of a stream are: as in a timeline with the settings to start with."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedHeadlines:
    """The recent headlines and how alike they are.

    Attributes:
        encoder: Signature of what made the vectors.
        context: The n headlines with vectors.
        similarities: Of all pairs.
    """

    encoder: str
    context: PairContext
    similarities: Similarities


@dataclass(frozen=True, slots=True, eq=False)
class Regrouping:
    """The recent headlines, grouped anew.

    Attributes:
        compared: The headlines.
        level: Granularity that they suggest, 0 to 1.
        changes: What is different from before.
    """

    compared: ComparedHeadlines
    level: float
    changes: tuple[StreamChange, ...]


def compare(recent: Sequence[Arrival], runtime: Runtime) -> ComparedHeadlines:
    """Compares headlines as `regrouped` does, without grouping them.

    Args:
        recent: n headlines, at least one.
        runtime: Progress and stop.
    """
    timeline = timeline_of(recent, "stream")
    recipe = encoders.parse(default_encoder(timeline_language(timeline.texts)))
    context = pair_context(timeline, encode_cached(timeline.texts, recipe, runtime))
    return ComparedHeadlines(encoders.signature(recipe), context, score_candidates(SCORER, context, runtime))


def regrouped(
    recent: Sequence[Arrival], group_of: Mapping[str, int], *, highest: int, runtime: Runtime
) -> Regrouping:
    """Groups headlines at the level that they suggest together; groups keep their numbers where they can."""
    settings = Settings(scorer=pair_scorers.signature(SCORER))
    prepared = prepare(timeline_of(recent, "stream"), settings, runtime)
    keys = [one.sort_key for one in recent]
    before = np.array([group_of[one.key] for one in recent], dtype=np.int64)
    # What sorts after every key holds the highest number, so that new groups get numbers above it.
    previous = {**dict(zip(keys, before.tolist(), strict=True)), "\uffff": highest}
    after = stable_ids(prepared.reference, keys, previous=previous)
    rows = _Rows([one.key for one in recent], before, after)
    changes = _changes(rows, highest, prepared.similarities, 1.0 - prepared.start.granularity)
    context = pair_context(prepared.timeline, prepared.vectors)
    compared = ComparedHeadlines(prepared.encoder, context, prepared.similarities)
    return Regrouping(compared, prepared.start.granularity, tuple(changes))


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Headlines with the numbers of their groups before and after."""

    keys: Sequence[str]
    before: IntArray
    after: IntArray


def _changes(rows: _Rows, highest: int, similarities: Similarities, line: float) -> list[StreamChange]:
    before, after = rows.before, rows.after
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
            others = np.flatnonzero((after == new) & (before != old))
            mergers.append(
                StreamChange(
                    kind=ChangeKind.MERGED,
                    group=new,
                    source=old,
                    alike=_mean(similarities, part, others),
                    line=line,
                )
            )
            continue
        moved = StreamChange(
            kind=ChangeKind.SPLIT if new > highest else ChangeKind.MOVED,
            group=new,
            source=old,
            keys=tuple(rows.keys[row] for row in part),
            alike=_mean(similarities, part, np.flatnonzero((before == old) & (after != new))),
            line=line,
        )
        (splits if new > highest else moves).append(moved)
    return [*splits, *moves, *mergers]


def _mean(similarities: Similarities, rows: Sequence[int], others: IntArray) -> float | None:
    if not rows or not len(others):
        return None
    matrix = similarities.matrix
    if isinstance(matrix, np.ndarray):
        return float(matrix[np.ix_(np.array(rows), others)].mean(dtype=np.float64))
    return float(matrix[rows][:, others].mean())
