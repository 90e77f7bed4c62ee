"""How alike a new headline is to the recent ones, and the means between their groups.

The similarity is that of `event_similarity.v1`. What it takes from a whole timeline is measured when the
window is grouped, and kept until the next time: how rare words are, and how crowded it is on average.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from core.pairs.features.overlap import headline_words
from core.pairs.scorer import PairContext, time_factor
from core.pairs.scorers.event_similarity import LEAST_NEIGHBOURHOOD, EventSimilarity
from core.runtime import Runtime
from core.similarities import Similarities

_SPARE: Final = 64  # places by which arrays grow at least


@dataclass(slots=True)
class _Words:
    total: int
    having: Counter[str]
    rows: defaultdict[str, list[int]]
    weights: defaultdict[str, list[float]]

    @classmethod
    def of(cls, texts: Sequence[str]) -> _Words:
        counted = [headline_words(text) for text in texts]
        having = Counter(word for words in counted for word in words)
        found = cls(len(texts), having, defaultdict(list), defaultdict(list))
        for row, words in enumerate(counted):
            found.add(row, found.weighted(words))
        return found

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
        found = np.zeros(size, dtype=np.float32)
        for word, weight in weighted.items():
            if word in self.rows:  # no row holds a word twice
                found[self.rows[word]] += np.asarray(self.weights[word], dtype=np.float32) * np.float32(
                    weight
                )
        return found


class Window:
    def __init__(self, context: PairContext, scorer: EventSimilarity, runtime: Runtime) -> None:
        _, around = scorer.neighbourhoods(context, runtime)
        self._scorer = scorer
        self._nearest = around.nearest
        self._mean = float(around.near.mean())
        self._words = _Words.of(context.texts)
        self._size = len(context)
        self._vectors = np.array(context.vectors, dtype=np.float32)
        self._days = np.array(context.days, dtype=np.float64)
        self._weights = around.weights(scorer.strength)

    def __len__(self) -> int:
        return self._size

    def push(self, text: str, vector: Float32Array, day: float) -> Float32Array:
        """Takes a headline in; gives its similarity to each that was there before, float32 [n], 0 to 1."""
        size = self._size
        weighted = self._words.weighted(headline_words(text))
        blend = self._vectors[:size] @ vector * np.float32(1 - self._scorer.lexical)
        blend += self._words.shared(weighted, size) * np.float32(self._scorer.lexical)
        k = min(self._nearest, len(blend))
        near = max(float(np.partition(blend, len(blend) - k)[len(blend) - k :].mean()), LEAST_NEIGHBOURHOOD)
        weight = np.float32((near / self._mean) ** (-self._scorer.strength / 2))
        gap = np.floor(self._days[:size]) - np.floor(day)
        found = blend * self._weights[:size] * weight * time_factor(gap, self._scorer.tau_days)
        np.clip(found, 0.0, 1.0, out=found)
        # False where a date is missing.
        found[np.abs(self._days[:size] - day) > self._scorer.window_days] = 0.0
        self._grow()
        self._vectors[size], self._days[size], self._weights[size] = vector, day, weight
        self._words.add(size, weighted)
        self._size += 1
        return np.asarray(found, dtype=np.float32)

    def _grow(self) -> None:
        if self._size < len(self._days):
            return
        more = max(_SPARE, len(self._days) // 4)
        self._vectors = np.concatenate((self._vectors, np.zeros((more, self._vectors.shape[1]), np.float32)))
        self._days = np.concatenate((self._days, np.zeros(more)))
        self._weights = np.concatenate((self._weights, np.zeros(more, np.float32)))


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
        kept, dropped = self._slot_of[keep], self._slot_of.pop(drop)
        self._sums[kept] += self._sums[dropped]
        self._sums[:, kept] += self._sums[:, dropped]
        self._sums[dropped] = self._sums[:, dropped] = 0.0
        self._sizes[kept] += self._sizes[dropped]
        self._sizes[dropped] = 0
        rows = self._slots[: self._rows]
        rows[rows == dropped] = kept

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
