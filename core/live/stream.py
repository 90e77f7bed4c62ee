"""Decides about each headline as it comes: it joins a group or opens one, and groups that it connects merge.

Every so many headlines the recent ones are grouped anew, as a timeline is: that finds the level and the
splits. Between two such times a headline is compared with those of the window alone, so that it costs the
same however long the stream is.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import numpy as np

from core import limits
from core.arrays import Float32Array, IntArray
from core.errors import InputError
from core.events.grouping import Prepared, Settings, prepare
from core.groups.stable_ids import stable_ids
from core.live.changes import Arrival, ChangeKind, StreamBook, StreamChange, StreamRecord, timeline_of
from core.live.window import GroupSums, Window
from core.models.encoders.cache import CachedEncoder, encode_cached
from core.models.encoders.encoder import default_encoder, encoders
from core.pairs.candidates import score_candidates
from core.pairs.scorer import PairContext, pair_scorers
from core.pairs.scorers.event_similarity import EventSimilarity
from core.pairs.scoring import pair_context
from core.runtime import Runtime
from core.similarities import Similarities
from core.text.language import timeline_language

SCORER: Final = EventSimilarity()
"""How alike headlines of a stream are: as in a timeline with the settings to start with."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedHeadlines:
    encoder: str  # signature of what made the vectors
    context: PairContext  # the n headlines with vectors
    similarities: Similarities  # of all pairs


def compare(recent: Sequence[Arrival], runtime: Runtime) -> ComparedHeadlines:
    """Compares headlines as `regrouped` does, without grouping them."""
    timeline = timeline_of(recent, "stream")
    recipe = encoders.parse(default_encoder(timeline_language(timeline.texts)))
    context = pair_context(timeline, encode_cached(timeline.texts, recipe, runtime))
    return ComparedHeadlines(encoders.signature(recipe), context, score_candidates(SCORER, context, runtime))


def regrouped(
    recent: Sequence[Arrival], group_of: Mapping[str, int], *, highest: int, runtime: Runtime
) -> tuple[ComparedHeadlines, float, tuple[StreamChange, ...]]:
    """Groups headlines at the level that they suggest together; groups keep their numbers where they can.

    Gives the headlines as they were compared, the level, and what is different from before.
    """
    settings = Settings(scorer=pair_scorers.signature(SCORER))
    prepared = prepare(timeline_of(recent, "stream"), settings, runtime)
    keys = [one.sort_key for one in recent]
    before = np.array([group_of[one.key] for one in recent], dtype=np.int64)
    # What sorts after every key holds the highest number, so that new groups get numbers above it.
    previous = {**dict(zip(keys, before.tolist(), strict=True)), "\uffff": highest}
    after = stable_ids(prepared.reference, keys, previous=previous)
    changes = _changes(prepared, [one.key for one in recent], before, after, highest=highest)
    context = pair_context(prepared.timeline, prepared.vectors)
    compared = ComparedHeadlines(prepared.encoder, context, prepared.similarities)
    return compared, prepared.start.granularity, tuple(changes)


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
            mergers.append(
                StreamChange(kind=ChangeKind.MERGED, group=new, source=old, alike=alike, line=line)
            )
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
    matrix = similarities.matrix
    if isinstance(matrix, np.ndarray):
        return float(matrix[np.ix_(np.array(rows), others)].mean(dtype=np.float64))
    return float(matrix[rows][:, others].mean())


REGROUP_AFTER: Final = 0.1  # share of the window that has to be new before it is grouped again
_AT_ONCE: Final = 64  # headlines that are encoded together


class Stream:
    def __init__(
        self,
        runtime: Runtime,
        records: Iterable[StreamRecord] = (),
        *,
        regroup_after: float = REGROUP_AFTER,
    ) -> None:
        self.book = StreamBook()
        self._runtime = runtime.quietly()
        self._regroup_after = regroup_after
        self._encoder: tuple[str, CachedEncoder] | None = None
        self._encoded: dict[str, Float32Array] = {}
        self._fitted: tuple[Window, GroupSums] | None = None
        self._resume(records)

    def add(self, arrivals: Sequence[Arrival]) -> Iterator[StreamRecord]:
        """Takes headlines in; those that the stream has are left out.

        A record is what is to be stored before the next is asked for: then nothing is lost or doubled.
        """
        new = [one for one in arrivals if one.key not in self.book.headlines]
        for first in range(0, len(new), _AT_ONCE):
            some = new[first : first + _AT_ONCE]
            for at, one in enumerate(some):
                if one.key in self.book.headlines:
                    continue
                if self._due():
                    yield self._regrouped()
                headlines, most = len(self.book.headlines), limits.STREAM_HEADLINES.value
                if headlines >= most:
                    raise InputError(
                        f"The stream holds {headlines:,} headlines; it takes no more than {most:,}.",
                        hint="Begin a new one with another --state file, or raise "
                        f"{limits.STREAM_HEADLINES.variable}.",
                    )
                yield self._record(headline=one, changes=self._placed(one, some[at:]))

    def regroup(self) -> StreamRecord:
        """Ends a look: groups the recent headlines as a timeline would group them."""
        return self._regrouped(ends_look=True)

    def _regrouped(self, *, ends_look: bool = False) -> StreamRecord:
        recent = self._recent()
        compared, level, changes = regrouped(
            recent, self.book.group_of, highest=self.book.highest, runtime=self._runtime
        )
        record = self._record(level=level, changes=changes, ends_look=ends_look)
        self._fit(compared, [self.book.group_of[one.key] for one in recent])
        return record

    @property
    def is_behind(self) -> bool:
        """Whether headlines came since the last look ended."""
        return self.book.looked_at < len(self.book.headlines)

    def _due(self) -> bool:
        total = len(self.book.headlines)
        window = min(total, limits.STREAM_WINDOW.value)
        return total - self.book.regrouped >= max(1, math.ceil(self._regroup_after * window))

    def _recent(self) -> list[Arrival]:
        return list(self.book.headlines.values())[-limits.STREAM_WINDOW.value :]

    def _record(
        self,
        *,
        headline: Arrival | None = None,
        level: float | None = None,
        changes: tuple[StreamChange, ...],
        ends_look: bool = False,
    ) -> StreamRecord:
        record = StreamRecord(
            number=self.book.records + 1,
            time=datetime.now(UTC),
            headline=headline,
            level=level,
            changes=changes,
            ends_look=ends_look,
        )
        self.book.apply(record)
        return record

    def _placed(self, one: Arrival, waiting: Sequence[Arrival]) -> tuple[StreamChange, ...]:
        line = 1.0 - (self.book.level or 0.0)
        if self._fitted is None:
            number = self.book.highest + 1
            return (StreamChange(kind=ChangeKind.OPENED, group=number, keys=(one.key,), line=line),)
        window, groups = self._fitted
        similarities = window.push(one.text, self._vector(one, waiting), one.day)
        sums, means = groups.means(similarities)
        best = int(means.argmax())
        alike = float(means[best])
        kind, number = ChangeKind.JOINED, groups.number(best)
        if alike < line:
            kind, number = ChangeKind.OPENED, self.book.highest + 1
        groups.add(number, sums)
        changes = [StreamChange(kind=kind, group=number, keys=(one.key,), alike=alike, line=line)]
        while kind is ChangeKind.JOINED:
            other, alike = groups.nearest(number)
            if not other or alike < line:
                break
            # The larger keeps its number, of two as large the one that was first.
            number, drop = sorted((number, other), key=lambda group: (-groups.size(group), group))
            groups.merge(number, drop)
            changes.append(
                StreamChange(kind=ChangeKind.MERGED, group=number, source=drop, alike=alike, line=line)
            )
        return tuple(changes)

    def _vector(self, one: Arrival, waiting: Sequence[Arrival]) -> Float32Array:
        if one.key not in self._encoded and self._encoder is not None:
            vectors = self._encoder[1].encode([each.text for each in waiting])
            self._encoded = {each.key: vector for each, vector in zip(waiting, vectors, strict=True)}
        return self._encoded[one.key]

    def _fit(self, compared: ComparedHeadlines, numbers: Sequence[int]) -> None:
        if self._encoder is None or self._encoder[0] != compared.encoder:
            recipe = encoders.parse(compared.encoder)
            self._encoder, self._encoded = (compared.encoder, CachedEncoder(recipe, self._runtime)), {}
        groups = GroupSums(compared.similarities, np.array(numbers, dtype=np.int64))
        self._fitted = Window(compared.context, SCORER, self._runtime), groups

    def _resume(self, records: Iterable[StreamRecord]) -> None:
        numbers: dict[str, int] = {}
        since: list[StreamRecord] = []
        for record in records:
            self.book.apply(record)
            if record.level is not None:
                recent = self._recent()
                numbers, since = {one.key: self.book.group_of[one.key] for one in recent}, []
            else:
                since.append(record)
        if not numbers:
            return
        recent = [self.book.headlines[key] for key in numbers]
        self._fit(compare(recent, self._runtime), list(numbers.values()))
        for record in since:
            self._replay(record)

    def _replay(self, record: StreamRecord) -> None:
        if self._fitted is None or record.headline is None:
            return
        window, groups = self._fitted
        one = record.headline
        similarities = window.push(one.text, self._vector(one, [one]), one.day)
        sums, _ = groups.means(similarities)
        for change in record.changes:
            if change.kind is ChangeKind.MERGED:
                groups.merge(change.group, change.source)
            else:
                groups.add(change.group, sums)
