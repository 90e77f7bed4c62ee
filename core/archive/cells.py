"""Crowded windows as cells of near headlines (inverted files, Jégou et al. 2011)."""

from collections.abc import Sequence
from typing import Any, Final

import numba
import numpy as np

from core.archive.cluster import ArchivePart, Backend
from core.archive.folder import CELLS, MIDDLES, ArchiveFolder, Array
from core.archive.vectors import joined
from core.arrays import Float16Array, Float32Array, Int32Array, IntArray
from core.maps.direct_layout import unit_rows
from core.models.networks.precision import in_half
from core.runtime import Runtime

PROBED: Final = 32
_MEMBERS: Final = 24  # headlines in a cell on average
_ROUNDS: Final = 2
_ROWS: Final = 4_096


def lay_out(parts: int, folder: ArchiveFolder, runtime: Runtime, backend: Backend) -> None:
    """Makes `middles/N`, float16 [cells, d], and `cells/N`, int32, each headline's cell, where missing."""
    for work, name, reads in ((_middles, MIDDLES, ("vectors",)), (_homes, CELLS, ("vectors", MIDDLES))):
        wanted = [
            ArchivePart(name=f"{name}/{part}", given=None, reads=tuple(f"{array}/{part}" for array in reads))
            for part in range(parts)
        ]
        for _ in backend(work, wanted, folder, runtime, "Laying out cells"):
            pass


class NearCells:
    def __init__(
        self, rows: Float32Array, parts: Sequence[tuple[Array, Array]], near: slice, runtime: Runtime
    ) -> None:
        before = np.cumsum([0, *(len(middles) for _, middles in parts)])
        home = joined([cells + first for (cells, _), first in zip(parts, before[:-1], strict=True)], near)
        self._members = np.argsort(home, kind="stable")
        self._ends = np.searchsorted(home[self._members], np.arange(before[-1] + 1))
        middles = np.concatenate([part for _, part in parts])
        self._nearest = _nearest(rows, middles, PROBED, runtime).astype(np.int32)

    def may_reach(self, rows: slice, columns: slice, _: float) -> tuple[IntArray, IntArray]:
        """The pairs of two ranges of rows that are worth comparing, the first before the second."""
        span = columns.start, columns.stop
        return _near(self._nearest[rows], rows.start, span, self._members, self._ends)


def _middles(_: Any, parts: Sequence[Array], runtime: Runtime) -> Float16Array:
    """Unit vectors in the middle of cells of headlines, by k-means, float16 [cells, d]."""
    rows = parts[0].astype(np.float32)
    middles = rows[::_MEMBERS]
    for _ in range(_ROUNDS):
        home = _nearest(rows, middles, 1, runtime)[:, 0]
        order = np.argsort(home, kind="stable")
        _, begin = np.unique(home[order], return_index=True)
        middles = unit_rows(np.add.reduceat(rows[order], begin, axis=0))
    return middles.astype(np.float16)


def _homes(_: Any, parts: Sequence[Array], runtime: Runtime) -> Int32Array:
    return _nearest(parts[0], parts[1], 1, runtime)[:, 0].astype(np.int32)


def _nearest(rows: Array, middles: Array, most: int, runtime: Runtime) -> IntArray:
    import torch

    kind = torch.bfloat16 if in_half(runtime) else torch.float32
    with torch.inference_mode():
        vectors, other = (
            torch.from_numpy(np.asarray(part, dtype=np.float32)).to(device=runtime.device, dtype=kind)
            for part in (rows, middles)
        )
        nearest = [
            torch.topk(vectors[at : at + _ROWS] @ other.T, min(most, len(other))).indices.cpu()
            for at in range(0, len(vectors), _ROWS)
        ]
    return torch.cat(nearest).numpy()


@numba.njit(cache=True, nogil=True)
def _near(
    nearest: Int32Array, start: int, span: tuple[int, int], members: IntArray, ends: IntArray
) -> tuple[IntArray, IntArray]:
    begin = np.empty(nearest.shape, np.int64)
    many = np.zeros(nearest.shape, np.int64)
    for row in range(nearest.shape[0]):
        for place in range(nearest.shape[1]):
            cell = nearest[row, place]
            inside = members[ends[cell] : ends[cell + 1]]
            # In a product of a day with itself, a row may have nothing after it.
            first = np.searchsorted(inside, min(max(span[0], start + row + 1), span[1]))
            begin[row, place] = ends[cell] + first
            many[row, place] = np.searchsorted(inside, span[1]) - first
    left, right = np.empty(many.sum(), np.int64), np.empty(many.sum(), np.int64)
    at = 0
    for row in range(nearest.shape[0]):
        for place in range(nearest.shape[1]):
            for number in range(begin[row, place], begin[row, place] + many[row, place]):
                left[at], right[at] = start + row, members[number]
                at += 1
    return left, right


@numba.njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def reaching(
    vectors: Float32Array, left: IntArray, right: IntArray, floor: np.float32, fade: float
) -> Int32Array:
    """The pairs, the first before the second, whose cosine reaches a floor; int32 [3, m] as in `compare`."""
    # Added up in double precision and rounded once, so that processors differ in no bit but by rare chance.
    pairs = np.empty((3, len(left)), np.int32)
    scores = np.empty(len(left), np.float32)
    count = 0
    for pair in range(len(left)):
        row, other = left[pair], right[pair]
        if row >= other:
            continue
        total = 0.0
        for axis in range(vectors.shape[1]):
            total += np.float64(vectors[row, axis]) * np.float64(vectors[other, axis])
        cosine = np.float32(total)
        if cosine >= floor:
            pairs[0, count], pairs[1, count] = row, other
            scores[count] = np.float32(cosine * fade)
            count += 1
    pairs[2] = scores.view(np.int32)
    return pairs[:, :count].copy()
