"""Crowded windows: cells of near headlines (inverted files, Jégou et al. 2011), and links; compiled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numba
import numpy as np

from core.archive.cluster import ArchivePart, Backend
from core.archive.layout import joined
from core.archive.reading import CELLS, MIDDLES, ArchiveFolder, Array
from core.arrays import BoolArray, Float16Array, Float32Array, Int32Array, IntArray
from core.maps.direct_layout import unit_rows
from core.models.networks.precision import in_half
from core.pairs.scorers.event_similarity import SAME_EVENT, EventSimilarity
from core.runtime import Runtime

if TYPE_CHECKING:
    from scipy import sparse

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
    """The pairs, the first before the second, whose cosine reaches a floor; int32 [3, m] as in `compare`.

    Added up in double precision and rounded once, so that processors differ in no bit but by rare chance.
    """
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


LINKED: Final = 0.30  # least similarity of a pair that is linked
_MOST_NEAREST: Final = 100  # bounds the memory of neighbourhoods


class Links:
    """Similarities of all headlines, symmetric, without diagonal, values `LINKED` to 1.

    Scaled down in crowded neighbourhoods as by `event_similarity`; what was not found counts as `found`.
    """

    def __init__(self, count: int, dated: int, block: int, found: float, folder: ArchiveFolder) -> None:
        self._count, self._dated, self._block, self._folder = count, dated, block, folder
        self._found = np.float32(found)
        near = self._neighbourhoods()
        self._scale = (near / near.mean()) ** np.float32(-EventSimilarity().strength / 2)

    def portions(self) -> Iterator[sparse.csr_matrix]:
        """Rows of the matrix, CSR [k, count], block after block; the undated last, which have no links."""
        from scipy import sparse

        later = _nothing()
        for start, pairs in self._pairs():
            stop = min(start + self._block, self._dated)
            left, right, values = self._linked(pairs)
            rows, others, values = _joined(later, (left, right, values), (right, left, values))
            later = _where(rows >= stop, rows, others, values)
            rows, others, values = _where(rows < stop, rows, others, values)
            yield sparse.csr_matrix((values, (rows - start, others)), shape=(stop - start, self._count))
        yield sparse.csr_matrix((self._count - self._dated, self._count), dtype=np.float32)

    def among(self, rows: range) -> sparse.csr_matrix:
        """Those between some neighbouring headlines, CSR [k, k]."""
        from scipy import sparse

        linked = [self._linked(pairs) for start, pairs in self._pairs(rows)]
        left, right, values = _joined(_nothing(), *linked)
        inside = (left >= rows.start) & (right < rows.stop)
        left, right, values = _where(inside, left - rows.start, right - rows.start, values)
        upper = sparse.csr_matrix((values, (left, right)), shape=(len(rows), len(rows)))
        return upper + upper.T

    def _pairs(self, rows: range | None = None) -> Iterator[tuple[int, _Pairs]]:
        rows = range(self._dated) if rows is None else rows
        for number in range(rows.start // self._block, -(-rows.stop // self._block)):
            left, right, bits = np.array(self._folder.array(f"pairs/{number}"))
            yield number * self._block, (left, right, bits.view(np.float32))

    def _linked(self, pairs: _Pairs) -> _Pairs:
        left, right, scores = pairs
        values = scores * self._scale[left] * self._scale[right]
        return _where(values >= LINKED, left, right, np.minimum(values, np.float32(1.0)))

    def _neighbourhoods(self) -> Float32Array:
        recipe = EventSimilarity()
        alike = sum(int(np.count_nonzero(scores >= SAME_EVENT)) for _, (_, _, scores) in self._pairs())
        k = max(recipe.nearest, int(recipe.per_event * (1 + 2 * alike / max(self._count, 1))))
        near = np.full(self._count, self._found)
        best = np.empty((0, min(k, _MOST_NEAREST)), np.float32)  # of the headlines from `start` on
        held = np.empty(0, dtype=np.int32)
        for start, pairs in self._pairs():
            reach = max(int(pairs[1].max(initial=start)) + 1 - start, self._block) - len(held)
            best = np.concatenate([best, np.full((max(reach, 0), best.shape[1]), self._found)])
            held = np.concatenate([held, np.zeros(max(reach, 0), np.int32)])
            _keep_best(pairs, start, best, held)
            stop = min(start + self._block, self._dated)
            near[start:stop] = best[: stop - start].mean(axis=1)  # later blocks do not come back to them
            best, held = best[self._block :], held[self._block :]
        return near


_Pairs = tuple[Int32Array, Int32Array, Float32Array]  # rows left and right, and their scores


def _nothing() -> _Pairs:
    return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32)


def _where(chosen: BoolArray, left: Int32Array, right: Int32Array, scores: Float32Array) -> _Pairs:
    return left[chosen], right[chosen], scores[chosen]


def _joined(*parts: _Pairs) -> _Pairs:
    left, right, values = map(np.concatenate, zip(*parts, strict=True))
    return left, right, values


@numba.njit(cache=True, nogil=True)
def _keep_best(pairs: _Pairs, start: int, best: Float32Array, held: Int32Array) -> None:
    """Puts scores into the rows of both headlines, in place of the least; the least stands first."""
    left, right, scores = pairs
    places = best.shape[1]
    for pair in range(len(scores)):
        score = scores[pair]
        for headline in (left[pair], right[pair]):
            row = headline - start
            if score <= best[row, 0]:
                continue
            if held[row] < places - 1:
                held[row] += 1
                best[row, held[row]] = score
                continue
            least, lowest = 0, score
            for place in range(1, places):
                if best[row, place] < lowest:
                    least, lowest = place, best[row, place]
            best[row, least], best[row, 0] = score, lowest
