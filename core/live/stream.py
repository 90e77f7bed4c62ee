"""Decides about each headline as it comes, and groups the recent ones anew every so many (docs/live.md)."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core import limits
from core.arrays import Float32Array, IntArray
from core.errors import InputError
from core.events.grouping import Prepared, Settings, prepare
from core.groups.stable_ids import stable_ids
from core.live.changes import Arrival, ChangeKind, StreamBook, StreamChange, StreamRecord, timeline_of
from core.models.encoders.cached import CachedEncoder, encode_cached
from core.models.encoders.encoder import default_encoder, encoders
from core.pairs.candidates import score_candidates
from core.pairs.features.overlap import headline_words
from core.pairs.scorer import PairContext, pair_scorers, time_factor
from core.pairs.scorers.event_similarity import LEAST_NEIGHBOURHOOD, EventSimilarity, apart
from core.pairs.scoring import pair_context
from core.runtime import Runtime
from core.similarities import Similarities
from core.text.language import headline_languages, language_number, likeliest, timeline_language
from core.text.reading import unread

SCORER: Final = EventSimilarity()  # as in a timeline with the settings to start with


Compared = tuple[str, PairContext, Similarities]  # the encoder's signature; the headlines; all pairs


def compare(recent: Sequence[Arrival], runtime: Runtime) -> Compared:
    """Compares headlines as `regrouped` does, without grouping them."""
    timeline = timeline_of(recent, "stream")
    recipe = encoders.parse(default_encoder(timeline_language(timeline.texts)))
    context = pair_context(timeline, encode_cached(timeline.texts, recipe, runtime))
    return encoders.signature(recipe), context, score_candidates(SCORER, context, runtime)


def regrouped(
    recent: Sequence[Arrival], group_of: Mapping[str, int], *, highest: int, runtime: Runtime
) -> tuple[Compared, float, tuple[StreamChange, ...]]:
    """Groups headlines at the level that they suggest together; groups keep their numbers where they can.

    Gives the headlines as they were compared, the level, and what is different from before.
    """
    settings = Settings(scorer=pair_scorers.signature(SCORER))
    prepared = prepare(timeline_of(recent, "stream"), settings, runtime)
    keys = [arrival.sort_key for arrival in recent]
    before = np.array([group_of[arrival.key] for arrival in recent], dtype=np.int64)
    # What sorts after every key holds the highest number, so that new groups get numbers above it.
    previous = {**dict(zip(keys, before.tolist(), strict=True)), "\uffff": highest}
    after = stable_ids(prepared.reference, keys, previous=previous)
    changes = _changes(prepared, [arrival.key for arrival in recent], before, after, highest=highest)
    context = pair_context(prepared.timeline, prepared.vectors)
    return (prepared.encoder, context, prepared.similarities), prepared.start.granularity, tuple(changes)


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
        self, runtime: Runtime, records: Iterable[StreamRecord] = (), *, regroup_after: float = REGROUP_AFTER
    ) -> None:
        self.book = StreamBook()
        self._runtime = runtime.quietly()
        self._regroup_after = regroup_after
        self._encoder: tuple[str, CachedEncoder] | None = None
        self._encoded: dict[str, Float32Array] = {}
        self._fitted: tuple[Window, GroupSums] | None = None
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
            if arrival.key in self.book.headlines:
                continue
            if self.is_due:
                yield self._regrouped()
            headlines, most = len(self.book.headlines), limits.STREAM_HEADLINES.value
            if headlines >= most:
                raise InputError(
                    f"The stream holds {headlines:,} headlines; it takes no more than {most:,}.",
                    hint="Begin a new one with another --state file, or raise "
                    f"{limits.STREAM_HEADLINES.variable}.",
                )
            changes = self._placed(arrival, new[at : at - at % _AT_ONCE + _AT_ONCE])
            yield self._record(headline=arrival, changes=changes)

    def regroup(self) -> StreamRecord:
        """Ends a look: groups the recent headlines as a timeline would group them."""
        return self._regrouped(ends_look=True)

    def _regrouped(self, *, ends_look: bool = False) -> StreamRecord:
        recent = self._recent()
        compared, level, changes = regrouped(
            recent, self.book.group_of, highest=self.book.highest, runtime=self._runtime
        )
        failed: dict[str, tuple[str, ...]] = {}
        for row, what in unread([arrival.text for arrival in recent]):
            failed[what] = (*failed.get(what, ()), recent[row].key)
        record = self._record(level=level, changes=changes, ends_look=ends_look, unread=failed)
        self._fit(compared, [self.book.group_of[arrival.key] for arrival in recent])
        return record

    @property
    def is_behind(self) -> bool:
        """Whether headlines came since the last look ended."""
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
        line = 1.0 - (self.book.level or 0.0)
        if self._fitted is None:
            number = self.book.highest + 1
            return (StreamChange(kind=ChangeKind.OPENED, group=number, keys=(arrival.key,), line=line),)
        window, groups = self._fitted
        similarities = window.push(arrival.text, self._vector(arrival, waiting), arrival.day)
        sums, means = groups.means(similarities)
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
            changes.append(
                StreamChange(kind=ChangeKind.MERGED, group=number, source=drop, alike=alike, line=line)
            )
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
        groups = GroupSums(similarities, np.array(numbers, dtype=np.int64))
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


_SPARE: Final = 64  # places by which arrays grow at least


class _Words:
    def __init__(self, texts: Sequence[str]) -> None:
        counted = [headline_words(text) for text in texts]
        self.total, self.having = len(texts), Counter(word for words in counted for word in words)
        self.rows: defaultdict[str, list[int]] = defaultdict(list)
        self.weights: defaultdict[str, list[float]] = defaultdict(list)
        for row, words in enumerate(counted):
            self.add(row, self.weighted(words))

    def weighted(self, words: Counter[str]) -> dict[str, float]:
        raw = {
            word: (math.log(times) + 1) * (math.log((self.total + 1) / (self.having[word] + 1)) + 1)
            for word, times in words.items()
        }
        length = math.sqrt(sum(weight**2 for weight in raw.values()))
        return {word: weight / length for word, weight in raw.items()} if length else {}

    def add(self, row: int, weighted: dict[str, float]) -> None:
        for word, weight in weighted.items():
            self.rows[word].append(row)
            self.weights[word].append(weight)

    def shared(self, weighted: dict[str, float], size: int) -> Float32Array:
        sums = np.zeros(size, dtype=np.float32)
        for word, weight in weighted.items():
            if word in self.rows:  # no row holds a word twice
                weights = np.asarray(self.weights[word], dtype=np.float32)
                sums[self.rows[word]] += weights * np.float32(weight)
        return sums


class Window:
    def __init__(self, context: PairContext, scorer: EventSimilarity, runtime: Runtime) -> None:
        _, around = scorer.neighbourhoods(context, runtime)
        self._scorer = scorer
        self._nearest = around.nearest
        self._mean = float(around.near.mean())
        self._words = _Words(context.texts)
        self._size = len(context)
        self._vectors = np.array(context.vectors, dtype=np.float32)
        self._days = np.array(context.days, dtype=np.float64)
        self._weights = around.weights(scorer.strength)
        codes = headline_languages(tuple(context.texts))
        self._common = set(codes) - {None}
        self._languages = np.array(list(map(language_number, codes)), dtype=np.int64)

    def push(self, text: str, vector: Float32Array, day: float) -> Float32Array:
        """Takes a headline in; gives its similarity to each that was there before, float32 [n], 0 to 1."""
        size = self._size
        weighted = self._words.weighted(headline_words(text))
        meaning = self._vectors[:size] @ vector
        blend = meaning * np.float32(1 - self._scorer.lexical)
        blend += self._words.shared(weighted, size) * np.float32(self._scorer.lexical)
        languages, language = self._languages[:size], np.int64(-1)
        if self._common:
            language = np.int64(language_number(likeliest(text, self._common)))
            np.maximum(blend, meaning, out=blend, where=apart(languages, language))
        k = min(self._nearest, len(blend))
        near = max(float(np.partition(blend, len(blend) - k)[len(blend) - k :].mean()), LEAST_NEIGHBOURHOOD)
        weight = np.float32((near / self._mean) ** (-self._scorer.strength / 2))
        gap = np.floor(self._days[:size]) - np.floor(day)
        similarities = blend * self._weights[:size] * weight * time_factor(gap, self._scorer.tau_days)
        np.clip(similarities, 0.0, 1.0, out=similarities)
        # False where a date is missing.
        similarities[np.abs(self._days[:size] - day) > self._scorer.window_days] = 0.0
        self._grow()
        self._vectors[size], self._days[size], self._weights[size] = vector, day, weight
        self._languages[size] = language
        self._words.add(size, weighted)
        self._size += 1
        return np.asarray(similarities, dtype=np.float32)

    def _grow(self) -> None:
        if self._size < len(self._days):
            return
        more = max(_SPARE, len(self._days) // 4)
        self._vectors = np.concatenate((self._vectors, np.zeros((more, self._vectors.shape[1]), np.float32)))
        self._days = np.concatenate((self._days, np.zeros(more)))
        self._weights = np.concatenate((self._weights, np.zeros(more, np.float32)))
        self._languages = np.concatenate((self._languages, np.zeros(more, np.int64)))


class GroupSums:
    """Sums of similarities between the groups of a window."""

    def __init__(self, similarities: Similarities, groups: IntArray) -> None:
        from scipy import sparse

        numbers, slots = np.unique(groups, return_inverse=True)
        self._numbers: list[int] = numbers.tolist()
        self._slot_of = {number: slot for slot, number in enumerate(self._numbers)}
        self._slots = slots.astype(np.int64)
        self._rows = len(slots)
        member = sparse.csr_matrix((np.ones(len(slots), np.float32), (slots, np.arange(len(slots)))))
        half = member @ similarities.matrix
        whole = member @ (half.T if isinstance(half, np.ndarray) else half.T.tocsr())
        self._sums = np.array(whole if isinstance(whole, np.ndarray) else whole.toarray(), dtype=np.float32)
        self._sizes = np.bincount(slots).astype(np.int64)

    def means(self, similarities: Float32Array) -> tuple[Float32Array, npt.NDArray[np.float64]]:
        """Sums and means of a new headline's similarities to each group, by slot, [groups]; -1 for none."""
        used = len(self._numbers)
        sums = np.bincount(self._slots[: self._rows], weights=similarities, minlength=used)
        sizes = self._sizes[:used]
        return sums.astype(np.float32), np.where(sizes > 0, sums / np.maximum(sizes, 1), -1.0)

    def number(self, slot: int) -> int:
        return self._numbers[slot]

    def add(self, group: int, sums: Float32Array) -> None:
        """Takes a new headline into a group, which may be new, with its sums by slot."""
        slot = self._slot_of.get(group)
        if slot is None:
            slot = self._open(group)
            sums = np.append(sums, np.float32(0))
        if self._rows == len(self._slots):
            self._slots = np.concatenate((self._slots, np.zeros(max(_SPARE, self._rows // 4), np.int64)))
        self._slots[self._rows] = slot
        self._rows += 1
        self._sizes[slot] += 1
        self._sums[slot, : len(sums)] += sums
        self._sums[: len(sums), slot] += sums

    def nearest(self, group: int) -> tuple[int, float]:
        """The group that is most like a group on average, and how much; 0 and 0 where there is no other."""
        used, slot = len(self._numbers), self._slot_of[group]
        sizes = self._sizes[:used]
        means = self._sums[slot, :used] / np.maximum(sizes * sizes[slot], 1)
        means[sizes == 0] = means[slot] = -1.0
        best = int(means.argmax())
        return (self._numbers[best], float(means[best])) if means[best] >= 0 else (0, 0.0)

    def size(self, group: int) -> int:
        return int(self._sizes[self._slot_of[group]])

    def merge(self, keep: int, drop: int) -> None:
        slot, dropped = self._slot_of[keep], self._slot_of.pop(drop)
        self._sums[slot] += self._sums[dropped]
        self._sums[:, slot] += self._sums[:, dropped]
        self._sums[dropped] = self._sums[:, dropped] = 0.0
        self._sizes[slot] += self._sizes[dropped]
        self._sizes[dropped] = 0
        rows = self._slots[: self._rows]
        rows[rows == dropped] = slot

    def _open(self, group: int) -> int:
        slot = len(self._numbers)
        if slot == len(self._sizes):
            more = max(_SPARE, slot // 4)
            sums = np.zeros((slot + more, slot + more), dtype=np.float32)
            sums[:slot, :slot] = self._sums
            self._sums = sums
            self._sizes = np.concatenate((self._sizes, np.zeros(more, np.int64)))
        self._numbers.append(group)
        self._slot_of[group] = slot
        return slot
