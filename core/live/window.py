"""The recent headlines of a stream, to which a new one is compared."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np

from core.arrays import Float32Array
from core.pairs.context import PairContext
from core.pairs.fading import time_factor
from core.pairs.scorers.event_similarity import LEAST_NEIGHBOURHOOD, EventSimilarity
from core.runtime import Runtime
from core.text.language import language_number, languages_differ, likeliest
from core.text.word_vectors import headline_words

SPARE: Final = 64  # places by which arrays grow at least


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
        self._common = frozenset(filter(None, context.reading.languages))
        self._languages = np.array(context.languages)

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
            np.maximum(blend, meaning, out=blend, where=languages_differ(languages, language))
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
        more = max(SPARE, len(self._days) // 4)
        self._vectors = np.concatenate((self._vectors, np.zeros((more, self._vectors.shape[1]), np.float32)))
        self._days = np.concatenate((self._days, np.zeros(more)))
        self._weights = np.concatenate((self._weights, np.zeros(more, np.float32)))
        self._languages = np.concatenate((self._languages, np.zeros(more, np.int64)))
