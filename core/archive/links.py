"""Links between the headlines of an archive: pairs, scaled down in crowded neighbourhoods; compiled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import numba
import numpy as np

from core.archive.neighbours import FOUND
from core.archive.reading import ArchiveFolder
from core.arrays import Float32Array, Int32Array, IntArray
from core.pairs.scorers.event_similarity import SAME_EVENT, EventSimilarity

if TYPE_CHECKING:
    from scipy import sparse

LINKED: Final = 0.30  # least similarity of a pair that is linked
_MOST_NEAREST: Final = 100  # bounds the memory of neighbourhoods


def linked(count: int, blocks: int, folder: ArchiveFolder) -> sparse.csr_matrix:
    """Similarities of all headlines, scaled down in crowded neighbourhoods; CSR [count, count] without
    diagonal, values `LINKED` to 1.

    The scaling is that of `event_similarity`, measured inside the window: the mean of the k best faded
    blends of a headline, where what was not found counts as `FOUND`.
    """
    from scipy import sparse

    near = _neighbourhoods(folder, blocks, count)
    scale = (near / near.mean()) ** np.float32(-EventSimilarity().strength / 2)
    degree = np.zeros(count + 1, dtype=np.int64)
    for pairs in _parts(folder, blocks):
        _count(pairs, scale, degree)
    ends = np.cumsum(degree)
    links = _Links(ends[:-1].copy(), np.empty(ends[-1], np.int32), np.empty(ends[-1], np.float32))
    for pairs in _parts(folder, blocks):
        _fill(pairs, scale, links)
    return sparse.csr_matrix((links.value, links.other, ends), shape=(count, count))


class _Pairs(NamedTuple):
    left: Int32Array
    right: Int32Array
    score: Float32Array


class _Links(NamedTuple):
    free: IntArray
    other: Int32Array
    value: Float32Array


def _parts(folder: ArchiveFolder, blocks: int) -> Iterator[_Pairs]:
    for number in range(blocks):
        left, right, bits = np.array(folder.array(f"pairs/{number}"))
        yield _Pairs(left, right, bits.view(np.float32))


def _neighbourhoods(folder: ArchiveFolder, blocks: int, count: int) -> Float32Array:
    recipe = EventSimilarity()
    alike = sum(int(np.count_nonzero(pairs.score >= SAME_EVENT)) for pairs in _parts(folder, blocks))
    k = max(recipe.nearest, int(recipe.per_event * (1 + 2 * alike / max(count, 1))))
    best = np.full((count, min(k, _MOST_NEAREST)), np.float32(FOUND))
    held = np.zeros(count, dtype=np.int32)
    for pairs in _parts(folder, blocks):
        _keep_best(pairs, best, held)
    near: Float32Array = best.mean(axis=1)
    return near


@numba.njit(cache=True, nogil=True)
def _keep_best(pairs: _Pairs, best: Float32Array, held: Int32Array) -> None:
    """Puts scores into the rows of both headlines, in place of the least; the least stands first."""
    places = best.shape[1]
    for pair in range(len(pairs.score)):
        score = pairs.score[pair]
        for row in (pairs.left[pair], pairs.right[pair]):
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


@numba.njit(cache=True, nogil=True)
def _count(pairs: _Pairs, scale: Float32Array, degree: IntArray) -> None:
    for pair in range(len(pairs.score)):
        left, right = pairs.left[pair], pairs.right[pair]
        if pairs.score[pair] * scale[left] * scale[right] >= LINKED:
            degree[left + 1] += 1
            degree[right + 1] += 1


@numba.njit(cache=True, nogil=True)
def _fill(pairs: _Pairs, scale: Float32Array, links: _Links) -> None:
    for pair in range(len(pairs.score)):
        left, right = pairs.left[pair], pairs.right[pair]
        value = pairs.score[pair] * scale[left] * scale[right]
        if value >= LINKED:
            for row, other in ((left, right), (right, left)):
                links.other[links.free[row]] = other
                links.value[links.free[row]] = min(value, np.float32(1.0))
                links.free[row] += 1
