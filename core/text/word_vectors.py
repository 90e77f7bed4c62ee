"""TF-IDF vectors of headlines, fitted inside their timeline."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from core.arrays import IntArray
from core.text.reading import reads
from core.text.tokens import STOP_WORDS

if TYPE_CHECKING:
    from scipy import sparse

WORD: Final = r"(?u)\b\w[\w'.-]*\b"  # a word keeps inner apostrophes, points and hyphens: U.S., 3.5
_WORD: Final = re.compile(WORD)
FUNCTION_WORDS: Final = STOP_WORDS["en"] | STOP_WORDS["ru"] | STOP_WORDS["it"]
"""German's are not among them: "die", "war" and "man" are telling words of an English headline."""


def word_vectors(texts: Sequence[str]) -> sparse.csr_matrix:
    """TF-IDF of unit length, fitted inside the timeline (Salton and Buckley 1988), float32 CSR [n, words]."""
    from scipy import sparse

    counts = word_counts(texts)
    vocabulary = {word: column for column, word in enumerate(sorted(counts.words))}
    if not vocabulary:
        return sparse.csr_matrix((len(texts), 1), dtype=np.float32)
    columns = np.array([vocabulary[word] for word in counts.words])[counts.word]
    ends = np.searchsorted(counts.row, np.arange(len(texts) + 1))
    times = counts.times.astype(np.float32)
    holding = np.bincount(columns, minlength=len(vocabulary)).astype(np.float32)
    rarity = np.log(np.float32(len(texts) + 1) / (holding + 1)) + 1
    weights = sparse.csr_matrix(
        ((np.log(times) + 1) * rarity[columns], columns, ends), shape=(len(texts), len(vocabulary))
    )
    weights.sort_indices()
    squares = sparse.csr_matrix(((weights.data**2).astype(np.float64), weights.indices, ends))
    # Added and divided in double precision, so that what is rounded is rounded once.
    lengths = np.sqrt(np.asarray(squares.sum(axis=1)).ravel())
    weights.data = (weights.data / np.repeat(lengths, np.diff(ends))).astype(np.float32)
    return weights


class WordCounts(NamedTuple):
    """The words of headlines, headline after headline in the order in which they stand."""

    words: Sequence[str]
    row: IntArray
    word: IntArray
    times: IntArray


def word_counts(texts: Sequence[str]) -> WordCounts:
    places: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    every: list[int] = []
    ends = [0]
    for text in texts:
        every += map(places.__getitem__, _WORD.findall(text.lower()))
        ends.append(len(every))
    words = list(places)
    telling = np.array([word not in FUNCTION_WORDS for word in words], dtype=np.bool_)
    renamed = np.cumsum(telling) - 1
    word = np.array(every, dtype=np.int64)
    counted = telling[word]
    row = np.repeat(np.arange(len(texts)), np.diff(ends))[counted]
    _, first, times = np.unique(row * len(words) + word[counted], return_index=True, return_counts=True)
    order = np.argsort(first)
    first = first[order]
    return WordCounts(
        list(itertools.compress(words, telling)), row[first], renamed[word[counted][first]], times[order]
    )


@reads("words", lambda text: Counter())
def headline_words(text: str) -> Counter[str]:
    """The words of a headline in lower case, function words left out, and how often each is there."""
    return Counter(word for word in _WORD.findall(text.lower()) if word not in FUNCTION_WORDS)
