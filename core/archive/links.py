"""The links between all headlines of an archive."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numba
import numpy as np

from core.archive.folder import ArchiveFolder
from core.archive.other_places import NAMED, OtherPlaces, named_places
from core.arrays import BoolArray, Float32Array, Int32Array
from core.pairs.scorers.event_similarity import SAME_EVENT, EventSimilarity
from core.runtime import Runtime

if TYPE_CHECKING:
    from scipy import sparse

STEP: Final = "Reading links"
LINKED: Final = 0.30  # least similarity of a pair that is linked
APART: Final = np.float32(0.5)  # of their similarity is left to headlines that name places apart
_MOST_NEAREST: Final = 100  # bounds the memory of neighbourhoods
_Pairs = tuple[Int32Array, Int32Array, Float32Array]  # rows left and right, and their scores


class Links:
    """Similarities of all headlines, symmetric, without diagonal; what was not found counts as `found`."""

    def __init__(
        self, count: int, dated: int, block: int, found: float, *, folder: ArchiveFolder, runtime: Runtime
    ) -> None:
        self._count, self._dated, self._block, self._found = count, dated, block, np.float32(found)
        self._folder, self._runtime = folder, runtime
        self._apart = OtherPlaces(folder.made(NAMED, lambda: named_places(folder, runtime)))
        near = self._neighbourhoods()
        self._scale = (near / near.mean()) ** np.float32(-EventSimilarity().strength / 2)

    def portions(self) -> "Iterator[sparse.csr_matrix]":
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

    def among(self, rows: range) -> "sparse.csr_matrix":
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
        numbers = range(rows.start // self._block, -(-rows.stop // self._block))
        for number in self._runtime.track(numbers, STEP):
            left, right, bits = np.array(self._folder.array(f"pairs/{number}"))
            yield number * self._block, (left, right, bits.view(np.float32))

    def _linked(self, pairs: _Pairs) -> _Pairs:
        left, right, scores = pairs
        values = scores * self._scale[left] * self._scale[right]
        values *= np.where(self._apart(left, right), APART, np.float32(1))
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


def _nothing() -> _Pairs:
    return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32)


def _where(chosen: BoolArray, left: Int32Array, right: Int32Array, scores: Float32Array) -> _Pairs:
    return left[chosen], right[chosen], scores[chosen]


def _joined(*parts: _Pairs) -> _Pairs:
    left, right, values = map(np.concatenate, zip(*parts, strict=True))
    return left, right, values


@numba.njit(cache=True, nogil=True)
def _keep_best(pairs: _Pairs, start: int, best: Float32Array, held: Int32Array) -> None:
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
