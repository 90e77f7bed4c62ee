"""Pairs of headlines that are asked for together: a list of them, or all of two ranges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray

if TYPE_CHECKING:
    from scipy import sparse

Kind = TypeVar("Kind", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class PairList:
    """The pairs (left[k], right[k]); what is taken from them is [m]. See `Selection`."""

    left: IntArray
    right: IntArray

    def inner(self, vectors: Float32Array) -> Float32Array:
        return np.asarray(np.einsum("md,md->m", vectors[self.left], vectors[self.right]), dtype=np.float32)

    def shared(self, first: sparse.csr_matrix, second: sparse.csr_matrix) -> Float32Array:
        products = first[self.left].multiply(second[self.right]).sum(axis=1)
        return np.asarray(products, dtype=np.float32).ravel()

    def sides(self, values: npt.NDArray[Kind]) -> tuple[npt.NDArray[Kind], npt.NDArray[Kind]]:
        return values[self.left], values[self.right]

    def renumbered(self, places: IntArray) -> PairList:
        left, right = places[self.left], places[self.right]
        return PairList(np.minimum(left, right), np.maximum(left, right))


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """All pairs of two ranges of headlines; what is taken from them is [rows, columns]. See `Selection`."""

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


Selection = PairList | Tile
"""Pairs of headlines. Of a row or a value a headline it gives

- `inner`: inner products of the two rows of each pair, from float32 [n, d];
- `shared`: those of the left headline's row of one CSR matrix with the right one's of another; what the two
  say of a pair must not depend on its order;
- `sides`: the left and the right headline's value of each pair, as arrays that broadcast;
- `renumbered`: the same pairs where headlines stand in other places; the order inside a pair is lost.
"""
