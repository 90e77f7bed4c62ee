"""A map of an archive: its large groups are laid out, every other near those it is like, headlines around
the place of their group."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.archive.folder import ArchiveFolder
from core.archive.vectors import unit, vectors, vectors_of
from core.maps.projector import DEFAULT_MAP, projectors
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

STEP: Final = "Laying out the map"
LANDMARKS: Final = 6_000
"""Groups, the largest first, whose places the map method finds."""
AXES: Final = 48
"""Principal axes that are looked at; the rest of a vector tells little about its place."""
SPREAD: Final = 0.35
"""Distance of neighbours in a group, as a share of what an even spread over the map would give."""
_SAMPLED = 20_000
_AT_ONCE = 8_192
_GOLDEN = np.pi * (3.0 - np.sqrt(5.0))


def places(groups: IntArray, folder: ArchiveFolder, runtime: Runtime) -> Float32Array:
    """A place for each headline, float32 [n, 2], centred on 0.

    Args:
        groups: Of each headline, int64 [n], from 0.
        folder: With vectors.
        runtime: Progress and stop.
    """
    sizes = np.bincount(groups)
    middles = _middles(groups, sizes, _reduced(len(groups), folder, runtime))
    largest = np.lexsort((np.arange(len(sizes)), -sizes))[:LANDMARKS]
    laid = projectors.parse(DEFAULT_MAP).project(middles[largest], runtime)
    extent = float(np.ptp(laid, axis=0).max()) if len(laid) > 1 else 1.0
    step = SPREAD * max(extent, 1e-3) / np.sqrt(len(groups))
    at = _beside(middles, middles[largest], laid, step, runtime)
    at[largest] = laid
    return np.asarray(at[groups] + _sunflower(groups, sizes, step), dtype=np.float32)


def _reduced(count: int, folder: ArchiveFolder, runtime: Runtime) -> Float32Array:
    axes, middle = _axes(count, folder)
    reduced = np.empty((count, axes.shape[1]), dtype=np.float32)
    for start in runtime.track(range(0, count, _AT_ONCE), STEP):
        part = slice(start, min(start + _AT_ONCE, count))
        reduced[part] = unit(vectors(folder, part.start, part.stop) @ axes - middle)
    return reduced


def _axes(count: int, folder: ArchiveFolder) -> tuple[Float32Array, Float32Array]:
    sampled = np.unique(np.linspace(0, count - 1, min(count, _SAMPLED)).round().astype(np.int64))
    axes = folder.array("vectors/0").shape[1]
    total, products = np.zeros(axes), np.zeros((axes, axes))
    for start in range(0, len(sampled), _AT_ONCE):
        rows = vectors_of(folder, sampled[start : start + _AT_ONCE])
        total += rows.sum(axis=0, dtype=np.float64)
        products += rows.T @ rows
    mean = total / len(sampled)
    variance = products / len(sampled) - np.outer(mean, mean)
    principal = np.linalg.eigh(variance)[1][:, ::-1][:, :AXES]
    return principal.astype(np.float32), (mean @ principal).astype(np.float32)


def _middles(groups: IntArray, sizes: IntArray, rows: Float32Array) -> Float32Array:
    from scipy import sparse

    members = sparse.csr_matrix(
        (np.ones(len(groups), np.float32), (groups, np.arange(len(groups)))), shape=(len(sizes), len(groups))
    )
    return unit(np.asarray(members @ rows, dtype=np.float32))


def _beside(
    middles: Float32Array, landmarks: Float32Array, laid: Float32Array, step: float, runtime: Runtime
) -> Float32Array:
    nearest = np.empty(len(middles), dtype=np.int64)
    for start in runtime.track(range(0, len(middles), _AT_ONCE), STEP):
        part = slice(start, start + _AT_ONCE)
        nearest[part] = (middles[part] @ landmarks.T).argmax(axis=1)
    order = np.argsort(nearest, kind="stable")
    first = np.searchsorted(nearest[order], np.arange(len(landmarks)))
    rank = np.empty(len(middles), dtype=np.int64)
    rank[order] = np.arange(len(middles)) - first[nearest[order]]
    return laid[nearest] + _spiral(rank + 20, 2.0 * step)


def _sunflower(groups: IntArray, sizes: IntArray, step: float) -> Float32Array:
    order = np.argsort(groups, kind="stable")
    first = np.cumsum(sizes) - sizes
    rank = np.empty(len(groups), dtype=np.int64)
    rank[order] = np.arange(len(groups)) - first[groups[order]]
    return _spiral(rank, step)


def _spiral(rank: IntArray, step: float) -> Float32Array:
    radius, angle = step * np.sqrt(rank), rank * _GOLDEN
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]).astype(np.float32)
