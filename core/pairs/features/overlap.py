"""Which features (words, pieces of words) each headline has, and how many two headlines share.

The tokenizer puts "▁" in place of a space, as SentencePiece does, so that no piece goes past a word's end.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from core.arrays import Float32Array, Int32Array, IntArray
from core.pairs.scorer import Selection
from core.text.reading import reads
from core.text.tokens import STOP_WORDS

if TYPE_CHECKING:
    from scipy import sparse
    from tokenizers import Tokenizer

Ratio = Callable[[Float32Array, Float32Array], Float32Array]
"""Features shared and features of both added, to a score; arrays of one shape."""


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """Scores that depend on how many features two headlines have, and share."""

    has: sparse.csr_matrix
    counts: Float32Array
    ratio: Ratio

    def score(self, at: Selection) -> Float32Array:
        return self.ratio(at.shared(self.has, self.has), np.add(*at.sides(self.counts)))


def overlap(features: Iterable[frozenset[str]], ratio: Ratio) -> Overlap:
    """Counts the features of every headline once."""
    has = incidence(list(features))
    return Overlap(has, sums(has), ratio)


def dice(shared: Float32Array, both: Float32Array) -> Float32Array:
    """Twice the features shared over those of both added, 0 to 1; 0 where neither has any (Dice 1945)."""
    return np.asarray(2 * shared / np.maximum(both, 1), dtype=np.float32)


def jaccard(shared: Float32Array, both: Float32Array) -> Float32Array:
    """Features shared over those that either has, 0 to 1; 0 where neither has any (Jaccard 1912)."""
    return np.asarray(shared / np.maximum(both - shared, 1), dtype=np.float32)


def incidence(words: Sequence[Iterable[str]]) -> sparse.csr_matrix:
    """1 where a headline has a word, float32 CSR [n, words]; one empty column where there are none."""
    columns: dict[str, int] = {}
    places = [[columns.setdefault(word, len(columns)) for word in sorted(set(row))] for row in words]
    return ones(places, len(columns))


def ones(rows: Sequence[Sequence[int]], columns: int) -> sparse.csr_matrix:
    """1 in the given columns of each row, float32 CSR [n, columns]; one empty column where there are none."""
    from scipy import sparse

    places = [sorted(set(row)) for row in rows]
    ends = np.cumsum([0, *map(len, places)])
    flat = np.array([place for row in places for place in row], dtype=np.int64)
    values = np.ones(len(flat), dtype=np.float32)
    return sparse.csr_matrix((values, flat, ends), shape=(len(rows), max(1, columns)))


def rarity(rows: sparse.csr_matrix) -> Float32Array:
    """ln((n + 1) / (headlines with the word + 1/2)) of each word, float32 [words], above 0."""
    having = np.bincount(rows.indices, minlength=rows.shape[1])
    return np.asarray(np.log((rows.shape[0] + 1) / (having + 0.5)), dtype=np.float32)


def scaled(rows: sparse.csr_matrix, weights: Float32Array) -> sparse.csr_matrix:
    """The rows with every column multiplied by its weight."""
    from scipy import sparse

    return sparse.csr_matrix(
        (rows.data * weights[rows.indices], rows.indices, rows.indptr), shape=rows.shape, dtype=np.float32
    )


def unit(rows: sparse.csr_matrix) -> sparse.csr_matrix:
    """The rows at length 1; empty rows stay empty."""
    from scipy import sparse

    length = np.sqrt(sums(rows.multiply(rows)))
    length[length == 0] = 1.0
    return sparse.csr_matrix(sparse.diags(1.0 / length) @ rows, dtype=np.float32)


def sums(rows: sparse.spmatrix) -> Float32Array:
    return np.asarray(rows.sum(axis=1), dtype=np.float32).ravel()


_SPACE: Final = "▁"
_WORDS_AT_ONCE: Final = 64  # words that the tokenizer is given as one text: one by one costs more


class FoundPieces(NamedTuple):
    """Numbers of word pieces, text after text."""

    ids: Int32Array
    ends: IntArray


class WordPieces:
    """Finds word pieces."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        vocabulary = tokenizer.get_vocab(with_added_tokens=True)
        self._begins = np.zeros(max(vocabulary.values()) + 1, dtype=np.bool_)
        self._begins[[at for piece, at in vocabulary.items() if piece.startswith(_SPACE)]] = True
        added = tokenizer.get_added_tokens_decoder().values()  # they are found before anything is split
        self._whole = re.compile("|".join(map(re.escape, (_SPACE, *(token.content for token in added)))))

    def of(self, texts: Sequence[str]) -> FoundPieces:
        """The pieces of texts, as the tokenizer finds them in each by itself."""
        words: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        odd: dict[str, int] = {}
        parts: list[int] = []
        ends = [0]
        for text in texts:
            of_text = text.split(" ")
            if "" in of_text or self._whole.search(text):  # runs of spaces have pieces of their own
                parts.append(~odd.setdefault(text, len(odd)))
            else:
                parts += map(words.__getitem__, of_text)
            ends.append(len(parts))
        pieces = _joined(self._words(list(words)), self._texts(list(odd)))
        at = np.array(parts, dtype=np.int64)
        at[at < 0] = len(words) + ~at[at < 0]
        length = np.diff(pieces.ends)[at]
        until = np.concatenate(([0], np.cumsum(length)))
        inside = np.arange(until[-1]) + np.repeat(pieces.ends[at] - until[:-1], length)
        return FoundPieces(pieces.ids[inside], until[ends])

    def _words(self, words: Sequence[str]) -> FoundPieces:
        starts = range(0, len(words), _WORDS_AT_ONCE)
        pieces = self._texts([" ".join(words[start : start + _WORDS_AT_ONCE]) for start in starts])
        return FoundPieces(pieces.ids, np.append(np.flatnonzero(self._begins[pieces.ids]), len(pieces.ids)))

    def _texts(self, texts: list[str]) -> FoundPieces:
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch_fast(texts, add_special_tokens=False)]
        ends = np.cumsum([0, *map(len, ids)])
        return FoundPieces(np.fromiter(itertools.chain.from_iterable(ids), np.int32, ends[-1]), ends)


def _joined(left: FoundPieces, right: FoundPieces) -> FoundPieces:
    ends = np.concatenate((left.ends, left.ends[-1] + right.ends[1:]))
    return FoundPieces(np.concatenate((left.ids, right.ids)), ends)


WORD = r"(?u)\b\w[\w'.-]*\b"  # a word keeps inner apostrophes, points and hyphens: U.S., 3.5, twenty-first


_WORD = re.compile(WORD)


FUNCTION_WORDS: Final = STOP_WORDS["en"] | STOP_WORDS["ru"] | STOP_WORDS["it"]
"""German's are not among them: "die", "war" and "man" are telling words of an English headline."""


def word_vectors(texts: Sequence[str]) -> sparse.csr_matrix:
    """TF-IDF vectors of unit length, fitted inside the timeline; float32 CSR [n, words].

    Counts are damped (1 + ln), function words of English, Russian and Italian left out; empty rows stay
    empty.

    Source: Salton and Buckley (1988), with the smoothed weights of scikit-learn's TfidfVectorizer, which
    costs more.
    """
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
    """The `headline_words` of many headlines, each word looked at once."""
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


@lru_cache(maxsize=4)
def timeline_words(texts: tuple[str, ...]) -> sparse.csr_matrix:
    """`word_vectors` of a whole timeline, kept for those who ask about one pair after another."""
    return word_vectors(texts)
