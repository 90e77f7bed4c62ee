"""How alike the headlines of one timeline are: the type that pair scorers hand to grouping."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Float32Array, IntArray

if TYPE_CHECKING:
    from scipy import sparse

_ROWS_AT_ONCE = 1_024  # bounds the scratch memory of a scan over a full matrix


@dataclass(frozen=True, slots=True, eq=False)
class Similarities:
    """Symmetric similarities between n headlines, 0 to 1; a pair that is absent counts as 0."""

    # Full, float32 [n, n], or CSR with (i, j) and (j, i) of every pair worth keeping. The diagonal is 1.
    matrix: "Float32Array | sparse.csr_matrix"

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    @property
    def is_dense(self) -> bool:
        return isinstance(self.matrix, np.ndarray)

    def of(self, left: int, right: int) -> float:
        return float(self.matrix[left, right])

    def row(self, index: int) -> Float32Array:
        """Similarities of one headline to all, float32 [n]."""
        row: Float32Array = self.matrix[index] if self.is_dense else self.matrix[index].toarray().ravel()
        return row

    def between(self, rows: IntArray, columns: IntArray) -> Float32Array:
        """Similarities of some headlines to some, float32 [rows, columns]."""
        if isinstance(self.matrix, np.ndarray):
            return self.matrix[np.ix_(rows, columns)]
        block: Float32Array = self.matrix[rows][:, columns].toarray()
        return block

    def raised_within(self, groups: Sequence[IntArray], least: float) -> "Similarities":
        """With at least `least` between any two rows of a group; a row may be in several."""
        if isinstance(self.matrix, np.ndarray):
            for rows in groups:
                within = np.ix_(rows, rows)
                self.matrix[within] = np.maximum(self.matrix[within], np.float32(least))
            return self
        from scipy import sparse

        rows, group = np.concatenate(groups), np.repeat(np.arange(len(groups)), [*map(len, groups)])
        shape = len(self), len(groups)
        members = sparse.csr_matrix((np.ones(len(rows), dtype=np.float32), (rows, group)), shape=shape)
        together = members @ members.T
        together.data[:] = least
        return Similarities(self.matrix.maximum(together))

    def edges(self, floor: float) -> tuple[IntArray, IntArray, Float32Array]:
        """Pairs i < j from a similarity up, by i, then j, int64 [m] each, and similarities, float32 [m]."""
        if not isinstance(self.matrix, np.ndarray):
            from scipy import sparse

            upper = sparse.triu(self.matrix, k=1, format="csr").tocoo()
            alike = (upper.data >= floor) & (upper.data > 0)
            rows, columns = (places[alike].astype(np.int64) for places in (upper.row, upper.col))
            return rows, columns, upper.data[alike].astype(np.float32)
        parts = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))]
        for start in range(0, len(self), _ROWS_AT_ONCE):
            block = self.matrix[start : start + _ROWS_AT_ONCE, start:]
            rows, columns = np.nonzero(np.triu((block >= floor) & (block > 0), k=1))
            parts.append((rows + start, columns + start, block[rows, columns]))
        left, right, values = (np.concatenate(part) for part in zip(*parts, strict=True))
        return left, right, values
