"""The pairs of an archive: which headlines within a window of days are alike, block by block."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core import limits
from core.archive.cluster import ArchivePart, Backend
from core.archive.folder import CELLS, MIDDLES, ArchiveFolder, Array
from core.archive.vectors import covering, joined
from core.arrays import Int32Array, IntArray
from core.errors import InputError
from core.models.networks.batches import one_core, one_core_threads, workers_for
from core.pairs import candidates, fading
from core.pairs.scorers.event_similarity import EventSimilarity
from core.runtime import Runtime

STEP: Final = "Comparing headlines"
FOUND: Final = 0.25  # least faded blend of a pair that is kept while neighbourhoods are measured
ROWS: Final = 4_096
_COLUMNS: Final = 4_096
_ROWS_AT_ONCE: Final = 512
"""Their product with the columns is small enough for the processor's cache, and of a day with itself little
more than a half is made."""
_WORTH_THREADS: Final = 1 << 24  # products of vectors in a block from which threads pay
_Product = tuple[slice, slice, float]  # rows, columns, and the fading between their days


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    start: int
    rows: int
    near: IntArray
    window: int
    skipped: int
    crowded: bool


def compare(days: IntArray, window: int, folder: ArchiveFolder, runtime: Runtime, backend: Backend) -> int:
    """Makes the missing pairs of an archive within `window` days; gives the number of blocks."""
    # Files `pairs/N`: int32 [3, m], the two rows and the bits of the float32 score of what reaches `FOUND`.
    blocks = list(_blocks(days, window))
    crowded = any(part.given.crowded for part in blocks)
    if crowded and not all(folder.holds(part.name) for part in blocks):
        from core.archive.cells import lay_out  # it compiles with numba

        lay_out(len(covering(CELLS, 0, len(days))[0]), folder, runtime, backend)
    held = 0
    for pairs in backend(_pairs, blocks, folder, runtime, STEP):
        held += pairs.shape[1]
        if held > limits.ARCHIVE_PAIRS.value:
            message = f"More than {limits.ARCHIVE_PAIRS.value:,} pairs of headlines are alike."
            hint = f"Compare over fewer days (--window), or raise {limits.ARCHIVE_PAIRS.variable}."
            raise InputError(message, hint=hint)
    return len(blocks)


def _blocks(days: IntArray, window: int) -> Iterator[ArchivePart]:
    for number, start in enumerate(range(0, len(days), ROWS)):
        stop = min(start + ROWS, len(days))
        reach = int(np.searchsorted(days, days[stop - 1] + window, side="right"))
        names, skipped = covering("vectors", start, reach)
        crowded = reach - start > limits.ARCHIVE_WINDOW.value
        if crowded:
            names += covering(CELLS, start, reach)[0] + covering(MIDDLES, start, reach)[0]
        block = _Block(start, stop - start, days[start:reach], window, skipped, crowded)
        yield ArchivePart(name=f"pairs/{number}", given=block, reads=names)


def _pairs(block: _Block, parts: Sequence[Array], runtime: Runtime) -> Int32Array:
    from core.archive.cells import NearCells, reaching  # both compile with numba

    products = list(_products(block))
    size = sum((rows.stop - rows.start) * (columns.stop - columns.start) for rows, columns, _ in products)
    workers = workers_for(runtime.device) if size >= _WORTH_THREADS else 1
    with one_core():
        held = len(parts) // 3 if block.crowded else len(parts)
        near = slice(block.skipped, block.skipped + len(block.near))
        vectors = joined(parts[:held], near).astype(np.float32)
        likely: NearCells | candidates.Sieve
        if block.crowded:
            cells = zip(parts[held : 2 * held], parts[2 * held :], strict=True)
            likely = NearCells(vectors[: block.rows], [*cells], near, runtime)
        else:
            likely = candidates.Sieve(vectors, runtime)

        def pairs(product: _Product) -> Int32Array:
            rows, columns, fade = product
            left, right = likely.may_reach(rows, columns, FOUND / fade)
            return reaching(vectors, left, right, np.float32(FOUND / fade), fade)

        if workers == 1:
            triples = list(map(pairs, products))
        else:
            with one_core_threads(workers) as pool:
                triples = list(pool.map(pairs, products))
    of_block = np.concatenate([np.empty((3, 0), np.int32), *triples], axis=1)
    of_block[:2] += block.start
    return of_block


def _products(block: _Block) -> Iterator[_Product]:
    near, tau = block.near, EventSimilarity().tau_days
    for rows in _runs(near[: block.rows]):
        day = near[rows.start]
        last = int(np.searchsorted(near, day + block.window, side="right"))
        for run in _runs(near[rows.start : last]):
            gap = np.array([near[rows.start + run.start] - day], dtype=np.float64)
            fade = float(fading.time_factor(gap, tau)[0])
            end = rows.start + run.stop
            for begin in range(rows.start + run.start, end, _COLUMNS):
                stop = min(begin + _COLUMNS, end)
                for start in range(rows.start, min(rows.stop, stop), _ROWS_AT_ONCE):
                    some = slice(start, min(start + _ROWS_AT_ONCE, rows.stop))
                    yield some, slice(max(begin, start), stop), fade


def _runs(days: IntArray) -> list[slice]:
    edges = np.concatenate([[0], np.flatnonzero(np.diff(days)) + 1, [len(days)]]).tolist()
    return [slice(low, high) for low, high in itertools.pairwise(edges) if high > low]
