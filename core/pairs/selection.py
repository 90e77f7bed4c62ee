"""Which pairs are scored: a list of them, or all pairs of two ranges of headlines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray

if TYPE_CHECKING:
    from scipy import sparse

Kind = TypeVar("Kind", bound=np.generic)


class Selection(Protocol):
    """Pairs of headlines; everything taken from it has their shape."""

    def inner(self, vectors: Float32Array) -> Float32Array:
        """Inner products of the two rows of each pair, float32.

        Args:
            vectors: A row a headline, float32 [n, d].
        """
        ...

    def shared(self, first: sparse.csr_matrix, second: sparse.csr_matrix) -> Float32Array:
        """Inner products of the left headline's row of one matrix with the right one's of another.

        Args:
            first: A row a headline, float32 CSR [n, w].
            second: The same shape; what the two say of a pair must not depend on its order.
        """
        ...

    def sides(self, values: npt.NDArray[Kind]) -> tuple[npt.NDArray[Kind], npt.NDArray[Kind]]:
        """The left and the right headline's value of each pair, as arrays that broadcast.

        Args:
            values: One a headline, [n].
        """
        ...

    def renumbered(self, places: IntArray) -> Selection:
        """The same pairs of headlines that stand in another order, the order inside a pair lost.

        Args:
            places: Where each headline stands now, int64 [n].
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class PairList:
    """The pairs (left[k], right[k])."""

    left: IntArray
    right: IntArray

    @staticmethod
    def of(left: IntArray, right: IntArray) -> PairList:
        """The pairs with the lower row first: the order inside a pair is lost, so that it cannot matter."""
        return PairList(np.minimum(left, right), np.maximum(left, right))

    def inner(self, vectors: Float32Array) -> Float32Array:
        return np.asarray(np.einsum("md,md->m", vectors[self.left], vectors[self.right]), dtype=np.float32)

    def shared(self, first: sparse.csr_matrix, second: sparse.csr_matrix) -> Float32Array:
        found = first[self.left].multiply(second[self.right]).sum(axis=1)
        return np.asarray(found, dtype=np.float32).ravel()

    def sides(self, values: npt.NDArray[Kind]) -> tuple[npt.NDArray[Kind], npt.NDArray[Kind]]:
        return values[self.left], values[self.right]

    def renumbered(self, places: IntArray) -> PairList:
        return PairList.of(places[self.left], places[self.right])


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """All pairs of two ranges of headlines, [rows, columns]."""

    rows: Any
    columns: Any

    def inner(self, vectors: Float32Array) -> Float32Array:
        return np.asarray(vectors[self.rows] @ vectors[self.columns].T, dtype=np.float32)

    def shared(self, first: sparse.csr_matrix, second: sparse.csr_matrix) -> Float32Array:
        return np.asarray((first[self.rows] @ second[self.columns].T).toarray(), dtype=np.float32)

    def sides(self, values: npt.NDArray[Kind]) -> tuple[npt.NDArray[Kind], npt.NDArray[Kind]]:
        return values[self.rows][:, None], values[self.columns][None, :]

    def renumbered(self, places: IntArray) -> Tile:
        return Tile(places[self.rows], places[self.columns])
