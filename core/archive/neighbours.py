"""Which headlines are alike and near in time: exact products inside a window of days, block by block."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from core import limits
from core.archive.folder import ArchiveFolder
from core.archive.vectors import vectors
from core.errors import InputError
from core.pairs.fading import time_factor
from core.pairs.scorers.event_similarity import SAME_EVENT, EventSimilarity
from core.pairs.sieve import Sieve
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

if TYPE_CHECKING:
    from scipy import sparse

STEP: Final = "Comparing headlines"
FOUND: Final = 0.25
"""Least faded blend of a pair that is kept while neighbourhoods are measured."""
LINKED: Final = 0.30
"""Least similarity of a pair that is linked, once crowded neighbourhoods are scaled down."""
_ROWS: Final = 4_096
_COLUMNS: Final = 4_096
_MOST_NEAREST: Final = 100  # bounds the memory of neighbourhoods

Int32Array = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class _Block:
    """Rows `start` to `stop`, which are compared with themselves and with all that follow up to `reach`."""

    number: int
    start: int
    stop: int
    reach: int


def compare(days: IntArray, window: int, folder: ArchiveFolder, runtime: Runtime) -> int:
    """Makes the pairs of an archive that are missing, block by block; gives the number of blocks.

    Every pair of dated headlines at most `window` days apart whose faded blend reaches `FOUND` is
    found. Files `pairs/N`: int32 [3, m], the two rows and the bits of the float32 score.

    Args:
        days: Of the dated headlines, rising.
        window: Greatest difference in days.
        folder: With vectors.
        runtime: Device, progress and stop.

    Raises:
        InputError: More pairs than `limits.ARCHIVE_PAIRS` are alike.
    """
    blocks = list(_blocks(days, window))
    held = 0
    for block in runtime.track(blocks, STEP):
        pairs = folder.made(f"pairs/{block.number}", partial(_pairs, block, days, window, folder, runtime))
        held += pairs.shape[1]
        if held > limits.ARCHIVE_PAIRS.value:
            raise InputError(
                f"More than {limits.ARCHIVE_PAIRS.value:,} pairs of headlines are alike.",
                hint=f"Choose a smaller --window, or raise {limits.ARCHIVE_PAIRS.variable}.",
            )
    return len(blocks)


def _blocks(days: IntArray, window: int) -> Iterator[_Block]:
    for number, start in enumerate(range(0, len(days), _ROWS)):
        stop = min(start + _ROWS, len(days))
        yield _Block(number, start, stop, int(np.searchsorted(days, days[stop - 1] + window, side="right")))


def _pairs(block: _Block, days: IntArray, window: int, folder: ArchiveFolder, runtime: Runtime) -> Int32Array:
    """The pairs of one block, [3, m]: first row, second row and the bits of the score."""
    near, tau = days[block.start : block.reach], EventSimilarity().tau_days
    sieve = Sieve(vectors(folder, block.start, block.reach), runtime)
    parts: list[Int32Array] = [np.empty((3, 0), np.int32)]
    for rows in _runs(near[: block.stop - block.start]):
        day = near[rows.start]
        last = int(np.searchsorted(near, day + window, side="right"))
        for run in _runs(near[rows.start : last]):
            fade = time_factor(np.array([near[rows.start + run.start] - day], dtype=np.float64), tau)[0]
            for begin in range(rows.start + run.start, rows.start + run.stop, _COLUMNS):
                columns = slice(begin, min(begin + _COLUMNS, rows.start + run.stop))
                one, other = sieve.may_reach(rows, columns, FOUND / float(fade))
                later = one < other
                one, other, cosine = sieve.reach(one[later], other[later], FOUND / float(fade))
                score = (cosine * fade).astype(np.float32).view(np.int32)
                parts.append(np.vstack([one + block.start, other + block.start, score]).astype(np.int32))
    return np.concatenate(parts, axis=1)


def _runs(days: IntArray) -> list[slice]:
    """Runs of one day, and of `_ROWS` headlines at most."""
    edges = np.concatenate([[0], np.flatnonzero(np.diff(days)) + 1, [len(days)]]).tolist()
    return [slice(low, high) for low, high in itertools.pairwise(edges) if high > low]


def linked(count: int, blocks: int, folder: ArchiveFolder) -> sparse.csr_matrix:
    """Similarities of all headlines, scaled down in crowded neighbourhoods; CSR [count, count] without
    diagonal, values `LINKED` to 1.

    The scaling is that of `event_similarity`, measured inside the window: the mean of the k best faded
    blends of a headline, where what was not found counts as `FOUND`.

    Args:
        count: Headlines, the undated last.
        blocks: As `compare` gave it.
        folder: With pairs.
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
    """Two rows of the archive and their faded blend, [m] each."""

    left: Int32Array
    right: Int32Array
    score: Float32Array


class _Links(NamedTuple):
    """Rows of a CSR matrix as they are filled: the next free place of each, columns and values."""

    free: IntArray
    other: Int32Array
    value: Float32Array


def _parts(folder: ArchiveFolder, blocks: int) -> Iterator[_Pairs]:
    """The pairs, block by block."""
    for number in range(blocks):
        left, right, bits = np.array(folder.array(f"pairs/{number}"))
        yield _Pairs(left, right, bits.view(np.float32))


def _neighbourhoods(folder: ArchiveFolder, blocks: int, count: int) -> Float32Array:
    """Mean of each headline's best faded blends, float32 [count]; more of them where events are large."""
    recipe = EventSimilarity()
    alike = sum(int(np.count_nonzero(pairs.score >= SAME_EVENT)) for pairs in _parts(folder, blocks))
    k = max(recipe.nearest, int(recipe.per_event * (1 + 2 * alike / max(count, 1))))
    best = np.full((count, min(k, _MOST_NEAREST)), np.float32(FOUND))
    for pairs in _parts(folder, blocks):
        _keep_best(pairs, best)
    near: Float32Array = best.mean(axis=1)
    return near


@numba.njit(cache=True, nogil=True)
def _keep_best(pairs: _Pairs, best: Float32Array) -> None:
    """Puts scores into the rows of both headlines, in place of the least; the least stands first."""
    for pair in range(len(pairs.score)):
        score = pairs.score[pair]
        for row in (pairs.left[pair], pairs.right[pair]):
            if score > best[row, 0]:
                best[row, 0] = score
                least = np.argmin(best[row])
                best[row, 0], best[row, least] = best[row, least], best[row, 0]


@numba.njit(cache=True, nogil=True)
def _count(pairs: _Pairs, scale: Float32Array, degree: IntArray) -> None:
    """Adds the links of each headline i to `degree[i + 1]`."""
    for pair in range(len(pairs.score)):
        left, right = pairs.left[pair], pairs.right[pair]
        if pairs.score[pair] * scale[left] * scale[right] >= LINKED:
            degree[left + 1] += 1
            degree[right + 1] += 1


@numba.njit(cache=True, nogil=True)
def _fill(pairs: _Pairs, scale: Float32Array, links: _Links) -> None:
    """Writes the links of both ends to the next free place of each."""
    for pair in range(len(pairs.score)):
        left, right = pairs.left[pair], pairs.right[pair]
        value = pairs.score[pair] * scale[left] * scale[right]
        if value >= LINKED:
            for row, other in ((left, right), (right, left)):
                links.other[links.free[row]] = other
                links.value[links.free[row]] = min(value, np.float32(1.0))
                links.free[row] += 1
