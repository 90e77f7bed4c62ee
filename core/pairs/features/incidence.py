"""Words as rows of sparse matrices, weighted by how rare they are in the timeline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Float32Array

if TYPE_CHECKING:
    from scipy import sparse


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
    """Sum of each row, float32 [n]."""
    return np.asarray(rows.sum(axis=1), dtype=np.float32).ravel()
