"""The map of an archive."""

from typing import Final

import numpy as np

from core.archive.folder import ArchiveFolder
from core.archive.vectors import vectors, vectors_of
from core.arrays import Float32Array, FloatArray, IntArray
from core.maps.direct_layout import unit_rows
from core.maps.projector import DEFAULT_MAP, projectors
from core.runtime import Runtime

LAYOUT_STEP: Final = "Laying out the map"
LANDMARKS: Final = 6_000  # groups, the largest first, whose places the map method finds
AXES: Final = 48  # principal axes that are looked at; the rest of a vector tells little about its place
SPREAD: Final = 0.35  # distance of neighbours in a group, as a share of that in an even spread
WIDE: Final = 1.25  # how much wider than high the map is, as its window is
PARTED: Final = 1_000  # groups, the largest first, that are moved until they lie beside each other
_ROUNDS = 200
_SAMPLED = 20_000
_AT_ONCE = 8_192
_GOLDEN = np.pi * (3.0 - np.sqrt(5.0))


def places(groups: IntArray, folder: ArchiveFolder, runtime: Runtime) -> Float32Array:
    """A place for each headline, float32 [n, 2], centred on 0."""
    sizes = np.bincount(groups)
    middles = unit_rows(_sums(groups, len(sizes), folder, runtime))
    largest = np.lexsort((np.arange(len(sizes)), -sizes))[:LANDMARKS]
    laid = projectors.parse(DEFAULT_MAP).project(middles[largest], runtime)
    extent = float(np.ptp(laid, axis=0).max()) if len(laid) > 1 else 1.0
    step = SPREAD * max(extent, 1e-3) / np.sqrt(len(groups))
    laid = laid * np.array([WIDE, 1.0], dtype=np.float32)
    laid[:PARTED] = parted(laid[:PARTED], step * (np.sqrt(sizes[largest[:PARTED]]) + 1.5))
    landmarks = middles[largest]
    nearest = np.empty(len(middles), dtype=np.int64)
    for start in runtime.track(range(0, len(middles), _AT_ONCE), LAYOUT_STEP):
        part = slice(start, start + _AT_ONCE)
        nearest[part] = (middles[part] @ landmarks.T).argmax(axis=1)
    at = laid[nearest] + _spiral(_rank_in(nearest, len(landmarks)) + 20, 2.0 * step)
    at[largest] = laid
    return np.asarray(at[groups] + _spiral(_rank_in(groups, len(sizes)), step), dtype=np.float32)


def parted(middles: Float32Array, radii: FloatArray) -> Float32Array:
    """Moves discs that overlap apart, the smaller one further."""
    reach, share = radii[:, None] + radii, radii**2 / (radii[:, None] ** 2 + radii**2)
    places = middles.astype(np.float64)
    for _ in range(_ROUNDS):
        between = places[:, None] - places
        away = np.hypot(between[..., 0], between[..., 1])
        lacking = np.where(away > 0, (reach - away).clip(0) / np.maximum(away, 1e-9), 0.0)
        if not lacking.any():
            break
        places += 0.5 * ((lacking * share)[..., None] * between).sum(axis=1)
    return places.astype(np.float32)


def _sums(groups: IntArray, count: int, folder: ArchiveFolder, runtime: Runtime) -> Float32Array:
    axes, middle = _axes(len(groups), folder)
    sums = np.zeros((count, axes.shape[1]), dtype=np.float32)
    for start in runtime.track(range(0, len(groups), _AT_ONCE), LAYOUT_STEP):
        part = slice(start, min(start + _AT_ONCE, len(groups)))
        np.add.at(sums, groups[part], unit_rows(vectors(folder, part.start, part.stop) @ axes - middle))
    return sums


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


def _rank_in(groups: IntArray, count: int) -> IntArray:
    order = np.argsort(groups, kind="stable")
    first = np.searchsorted(groups[order], np.arange(count))
    rank = np.empty(len(groups), dtype=np.int64)
    rank[order] = np.arange(len(groups)) - first[groups[order]]
    return rank


def _spiral(rank: IntArray, step: float) -> Float32Array:
    radius, angle = step * np.sqrt(rank), rank * _GOLDEN
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]).astype(np.float32)
