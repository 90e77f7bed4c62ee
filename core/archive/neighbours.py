"""Which headlines are alike and near in time: exact products inside a window of days, block by block."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from core import limits
from core.archive.folder import ArchiveFolder
from core.archive.vectors import vectors
from core.errors import InputError
from core.pairs.fading import time_factor
from core.pairs.scorers.event_similarity import EventSimilarity
from core.pairs.sieve import Sieve
from core.runtime import Runtime
from core.similarities import IntArray

STEP: Final = "Comparing headlines"
FOUND: Final = 0.25
"""Least faded blend of a pair that is kept while neighbourhoods are measured."""
_ROWS: Final = 4_096
_COLUMNS: Final = 4_096

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
