"""Which features (words, names, numbers) each headline has, and how many two headlines share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.arrays import Float32Array
from core.pairs.selection import Selection

if TYPE_CHECKING:
    from scipy import sparse

Ratio = Callable[[Float32Array, Float32Array], Float32Array]
"""Features shared and features of both added, to a score; arrays of one shape."""

LEAST: Final = np.float32(1e-6)


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


def share(part: Float32Array, whole: Float32Array, least: np.float32 = LEAST) -> Float32Array:
    """A part of a whole, which counts as `least` where it is less."""
    return np.asarray(part / np.maximum(whole, least), dtype=np.float32)
