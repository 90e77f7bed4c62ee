"""How alike the headlines of one timeline are: the type that pair scorers hand to grouping."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

Float32Array = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Similarities:
    """Symmetric similarities between n headlines, 0 to 1; a pair that is absent counts as 0.

    Attributes:
        matrix: Either a full float32 [n, n] array, or a float32 CSR matrix that holds both
            (i, j) and (j, i) of every pair worth keeping. The diagonal is 1.
    """

    matrix: Float32Array | sparse.csr_matrix

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    @property
    def is_dense(self) -> bool:
        """Whether every pair is held."""
        return isinstance(self.matrix, np.ndarray)

    def of(self, left: int, right: int) -> float:
        """The similarity of one pair."""
        return float(self.matrix[left, right])

    def row(self, index: int) -> Float32Array:
        """Similarities of one headline to all, float32 [n]."""
        if isinstance(self.matrix, np.ndarray):
            return self.matrix[index]
        row: Float32Array = self.matrix[index].toarray().ravel()
        return row

    def edges(self, floor: float) -> tuple[IntArray, IntArray, Float32Array]:
        """Pairs i < j with similarity of at least `floor` (above 0): i, j and similarity."""
        if isinstance(self.matrix, np.ndarray):
            left, right = np.nonzero(np.triu(self.matrix >= floor, k=1))
            return left.astype(np.int64), right.astype(np.int64), self.matrix[left, right]
        upper = sparse.triu(self.matrix, k=1, format="coo")
        keep = upper.data >= floor
        return (
            upper.row[keep].astype(np.int64),
            upper.col[keep].astype(np.int64),
            upper.data[keep].astype(np.float32),
        )
