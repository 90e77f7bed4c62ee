"""Decides about each headline of a stream as it comes (docs/live.md)."""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
import numpy as np

from core import limits
from core.arrays import Float32Array
from core.errors import InputError
from core.live import book, group_sums
from core.live.arrivals import Arrival
from core.live.changes import ChangeKind, StreamChange, StreamRecord
from core.live.regrouping import SCORER, Compared, compare, regrouped
from core.live.window import Window
from core.models.encoders.cached import CachedEncoder
from core.models.encoders.encoder import encoders
from core.runtime import Runtime
from core.text.normalise import comparison_key
from core.text.reading import unread

REGROUP_AFTER: Final = 0.1  # share of the window that has to be new before it is grouped again
_AT_ONCE: Final = 64  # headlines that are encoded together


class Stream:
    def __init__(
        self, runtime: Runtime, records: Iterable[StreamRecord] = (), *, regroup_after: float = REGROUP_AFTER
    ) -> None:
        self.book = book.StreamBook()
        self._runtime = runtime.quietly()
        self._regroup_after = regroup_after
        self._encoder: tuple[str, CachedEncoder] | None = None
        self._encoded: dict[str, Float32Array] = {}
        self._fitted: tuple[Window, group_sums.GroupSums] | None = None
        numbers: dict[str, int] = {}
        since: list[StreamRecord] = []
        for record in records:
            self.book.apply(record)
            if record.level is not None:
                recent = self._recent()
                numbers, since = {arrival.key: self.book.group_of[arrival.key] for arrival in recent}, []
            else:
                since.append(record)
        if not numbers:
            return
        recent = [self.book.headlines[key] for key in numbers]
        self._fit(compare(recent, self._runtime), list(numbers.values()))
        for record in since:
            self._replay(record)

    def add(self, arrivals: Sequence[Arrival]) -> Iterator[StreamRecord]:
        """Takes new headlines in; each record is to be stored before the next is asked for."""
        new = [arrival for arrival in arrivals if arrival.key not in self.book.headlines]
        for at, arrival in enumerate(new):
            before = self.book.version_before(arrival)
            edited = before is not None and comparison_key(before.text) != comparison_key(arrival.text)
            # A feed that only dates its entry anew brings nothing.
            dated_anew = before is not None and arrival.entry is not None and not edited
            if arrival.key in self.book.headlines or dated_anew:
                continue
            if self.is_due:
                yield self._regrouped()
            headlines, most = len(self.book.headlines), limits.STREAM_HEADLINES.value
            if headlines >= most:
                raise InputError(
                    f"The stream holds {headlines:,} headlines; it takes no more than {most:,}.",
                    hint="Begin a new one (with another --state file), or raise "
                    f"{limits.STREAM_HEADLINES.variable}.",
                )
            came = msgspec.structs.replace(arrival, edits=before.key) if before and edited else arrival
            changes = self._placed(came, new[at : at - at % _AT_ONCE + _AT_ONCE])
            yield self._record(headline=came, changes=changes)

    def regroup(self) -> StreamRecord:
        """Ends a look: groups the recent headlines as a timeline would group them."""
        return self._regrouped(ends_look=True)

    def _regrouped(self, *, ends_look: bool = False) -> StreamRecord:
        recent = self._recent()
        compared, level, line, changes = regrouped(
            recent, self.book.group_of, highest=self.book.highest, runtime=self._runtime
        )
        failed: dict[str, tuple[str, ...]] = {}
        for row, what in unread([arrival.text for arrival in recent]):
            failed[what] = (*failed.get(what, ()), recent[row].key)
        record = self._record(level=level, line=line, changes=changes, ends_look=ends_look, unread=failed)
        self._fit(compared, [self.book.group_of[arrival.key] for arrival in recent])
        return record

    @property
    def is_behind(self) -> bool:
        return self.book.looked_at < len(self.book.headlines)

    @property
    def is_due(self) -> bool:
        total = len(self.book.headlines)
        window = min(total, limits.STREAM_WINDOW.value)
        return total - self.book.regrouped >= max(1, math.ceil(self._regroup_after * window))

    def _recent(self) -> list[Arrival]:
        return list(self.book.headlines.values())[-limits.STREAM_WINDOW.value :]

    def _record(self, **decided: Any) -> StreamRecord:
        record = StreamRecord(number=self.book.records + 1, time=datetime.now(UTC), **decided)
        self.book.apply(record)
        return record

    def _placed(self, arrival: Arrival, waiting: Sequence[Arrival]) -> tuple[StreamChange, ...]:
        line = self.book.line
        kind, number = ChangeKind.OPENED, self.book.highest + 1
        if arrival.edits is not None:
            kind, number = ChangeKind.EDITED, self.book.group_of[arrival.edits]
        alone = StreamChange(kind=kind, group=number, keys=(arrival.key,), line=line)
        if self._fitted is None:
            return (alone,)
        window, groups = self._fitted
        similarities = window.push(arrival.text, self._vector(arrival, waiting), arrival.day)
        sums, means = groups.means(similarities)
        if arrival.edits is not None:
            groups.add(number, sums)
            return (alone,)
        best = int(means.argmax())
        alike = float(means[best])
        kind, number = ChangeKind.JOINED, groups.number(best)
        if alike < line:
            kind, number = ChangeKind.OPENED, self.book.highest + 1
        groups.add(number, sums)
        changes = [StreamChange(kind=kind, group=number, keys=(arrival.key,), alike=alike, line=line)]
        while kind is ChangeKind.JOINED:
            other, alike = groups.nearest(number)
            if not other or alike < line:
                break
            # The larger keeps its number, of two as large the one that was first.
            number, drop = sorted((number, other), key=lambda group: (-groups.size(group), group))
            groups.merge(number, drop)
            merged = StreamChange(kind=ChangeKind.MERGED, group=number, source=drop, alike=alike, line=line)
            changes.append(merged)
        return tuple(changes)

    def _vector(self, arrival: Arrival, waiting: Sequence[Arrival]) -> Float32Array:
        if arrival.key not in self._encoded and self._encoder is not None:
            vectors = self._encoder[1].encode([each.text for each in waiting])
            self._encoded = {each.key: vector for each, vector in zip(waiting, vectors, strict=True)}
        return self._encoded[arrival.key]

    def _fit(self, compared: Compared, numbers: Sequence[int]) -> None:
        encoder, context, similarities = compared
        if self._encoder is None or self._encoder[0] != encoder:
            self._encoder = encoder, CachedEncoder(encoders.parse(encoder), self._runtime)
            self._encoded = {}
        groups = group_sums.GroupSums(similarities, np.array(numbers, dtype=np.int64))
        self._fitted = Window(context, SCORER, self._runtime), groups

    def _replay(self, record: StreamRecord) -> None:
        if self._fitted is None or record.headline is None:
            return
        window, groups = self._fitted
        arrival = record.headline
        similarities = window.push(arrival.text, self._vector(arrival, [arrival]), arrival.day)
        sums, _ = groups.means(similarities)
        for change in record.changes:
            if change.kind is ChangeKind.MERGED:
                groups.merge(change.group, change.source)
            else:
                groups.add(change.group, sums)
