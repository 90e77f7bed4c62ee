"""Map methods: principal components, and UMAP two ways; and where the names of groups stand on a map."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from textwrap import wrap
from typing import ClassVar, Final, Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray, IntArray
from core.errors import Cancelled
from core.maps.direct_layout import Neighbours, fuzzy_graph, lay_out, nearest, unit_rows
from core.registry import Registry
from core.runtime import Runtime

DEFAULT_MAP: Final = "umap_direct.v1"


class Projector(Protocol):
    """A frozen dataclass that lays vectors out on a plane."""

    summary: ClassVar[str]

    def project(self, vectors: Float32Array, runtime: Runtime) -> Float32Array:
        """Places, float32 [n, 2], centred on 0; the same input gives the same map.

        Any n is allowed: no headline gives [0, 2], one gives the origin.
        """
        ...


projectors: Registry[Projector] = Registry("map method", "core.maps")


FULL_DECOMPOSITION = 16  # size up to which the whole matrix is decomposed
NO_SPREAD = 1e-6  # share of the total variance below which a component is rounding noise


def principal_components(vectors: Float32Array) -> Float32Array:
    """The two directions of most variance, exactly; without variance 0, the largest loading positive."""
    rows = np.asarray(vectors, dtype=np.float32)
    n = len(rows)
    places = np.zeros((n, 2), dtype=np.float32)
    if n < 2 or rows.shape[1] == 0:
        return places
    centred = rows - rows.mean(axis=0, dtype=np.float64).astype(np.float32)
    wide = centred.shape[1] > n
    gram = centred @ centred.T if wide else centred.T @ centred
    total = float(np.square(rows, dtype=np.float64).sum())
    for axis, (value, vector) in enumerate(_leading(gram.astype(np.float64))):
        if value <= NO_SPREAD * total:
            continue
        direction = centred.T.astype(np.float64) @ vector / np.sqrt(value) if wide else vector
        sign = np.sign(direction[np.argmax(np.abs(direction))])
        places[:, axis] = centred @ (direction * sign).astype(np.float32)
    centred_places: Float32Array = places - places.mean(axis=0)
    return centred_places


def _leading(gram: FloatArray) -> list[tuple[float, FloatArray]]:
    """The two largest eigenvalues with their vectors, the largest first; one where there is one."""
    if len(gram) <= FULL_DECOMPOSITION or not gram.any():
        values, columns = np.linalg.eigh(gram)
    else:
        from scipy.sparse.linalg import eigsh

        begin = np.random.default_rng(0).normal(size=len(gram))
        values, columns = eigsh(gram, k=2, v0=begin)
    order = np.argsort(values)[::-1][:2]
    return [(float(values[i]), columns[:, i]) for i in order]


@projectors.register("pca.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Pca:
    """The two directions in which the headlines differ most (Pearson 1901)."""

    summary: ClassVar[str] = "Principal components: instant, shows the broad lay of the land."

    def project(self, vectors: Float32Array, runtime: Runtime) -> Float32Array:
        return principal_components(vectors)


EXTENT = 10.0
JITTER = 1e-4  # extent of the start and the noise that parts duplicates: umap-learn's noisy_scale_coords

FEWEST = 4  # with fewer headlines there is no neighbourhood to keep, and principal components are exact


def start(vectors: Float32Array, seed: int) -> Float32Array | None:
    """Principal components stretched to 0–10 with a little noise, float32 [n, 2]; None for equal ones."""
    if len(vectors) < FEWEST:
        return None
    places = principal_components(vectors)
    largest = float(np.abs(places).max())
    if largest == 0.0:
        return None
    noise = np.random.default_rng(seed).normal(scale=JITTER, size=places.shape)
    spread = places * (EXTENT / largest) + noise
    low = spread.min(axis=0)
    stretched: Float32Array = (EXTENT * (spread - low) / (spread.max(axis=0) - low)).astype(np.float32)
    return stretched


def centred(places: npt.NDArray[np.floating]) -> Float32Array:
    """The places moved so that their mean is 0, float32 [n, 2]."""
    moved: Float32Array = (places - places.mean(axis=0, dtype=np.float64)).astype(np.float32)
    return moved


@lru_cache(maxsize=32)
def curve(min_dist: float) -> tuple[float, float]:
    """The a and b of 1 / (1 + a·d^2b), as umap-learn's find_ab_params finds them with spread 1."""
    from scipy.optimize import curve_fit

    distance = np.linspace(0.0, 3.0, 300)
    wanted = np.where(distance < min_dist, 1.0, np.exp(-(distance - min_dist)))

    def shape(d: FloatArray, a: float, b: float) -> FloatArray:
        value: FloatArray = 1.0 / (1.0 + a * d ** (2 * b))
        return value

    (a, b), _ = curve_fit(shape, distance, wanted)
    return float(a), float(b)


@dataclass(frozen=True, kw_only=True, slots=True)
class UmapMethod(ABC):
    """Base of both: exact neighbours, and a start at the principal components, which lay out three or fewer.

    Source: McInnes, Healy and Melville 2018, https://arxiv.org/abs/1802.03426.
    """

    n_neighbors: int = field(
        default=15,
        metadata={"help": "more neighbours show the broad shape, fewer the detail", "low": 2, "high": 200},
    )
    min_dist: float = field(
        default=0.1, metadata={"help": "how close points may lie", "low": 0.0, "high": 0.99}
    )

    def project(self, vectors: Float32Array, runtime: Runtime) -> Float32Array:
        unit = unit_rows(vectors)
        first = start(unit, runtime.seed)
        if first is None:
            return principal_components(unit)
        return centred(self.lay_out(unit, nearest(unit, self.n_neighbors, runtime), first, runtime))

    @abstractmethod
    def lay_out(
        self, unit: Float32Array, neighbours: Neighbours, first: Float32Array, runtime: Runtime
    ) -> Float32Array:
        """Places, float32 [n, 2], from unit vectors, their neighbours, and where the points start."""


@projectors.register("umap_direct.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class UmapDirect(UmapMethod):
    """UMAP's graph and forces with a layout that needs no compilation and can be stopped (decision 6)."""

    summary: ClassVar[str] = "UMAP laid out directly: ready at once, can be stopped."
    epochs: int = field(default=200, metadata={"help": "passes over all points", "low": 11, "high": 2000})

    def lay_out(
        self, unit: Float32Array, neighbours: Neighbours, first: Float32Array, runtime: Runtime
    ) -> Float32Array:
        a, b = curve(self.min_dist)
        return lay_out(fuzzy_graph(neighbours), first, runtime, a=a, b=b, epochs=self.epochs)


@projectors.register("umap.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Umap(UmapMethod):
    """UMAP as umap-learn computes it: the reference; numba compiles first, a stop waits for the end."""

    summary: ClassVar[str] = "UMAP by umap-learn: the reference; slow to start, cannot be stopped."
    epochs: int | None = field(
        default=None,
        metadata={"help": "passes; none: 500, or 200 past 10,000 headlines", "low": 11, "high": 2000},
    )

    def lay_out(
        self, unit: Float32Array, neighbours: Neighbours, first: Float32Array, runtime: Runtime
    ) -> Float32Array:
        runtime.report("Starting umap-learn", 0, 1)
        from umap.umap_ import fuzzy_simplicial_set, simplicial_set_embedding

        seeded = np.random.RandomState
        known = {"knn_indices": neighbours.indices.astype(np.int32), "knn_dists": neighbours.distances}
        count = neighbours.indices.shape[1]
        graph, _, _ = fuzzy_simplicial_set(unit, count, seeded(runtime.seed), "cosine", **known)
        a, b = curve(self.min_dist)
        laid = (2, 1.0, a, b, 1.0, 5, self.epochs, first, seeded(runtime.seed), "cosine")
        places, _ = simplicial_set_embedding(unit, graph, *laid, {}, False, {}, False, parallel=False)
        if runtime.stop.is_set():
            raise Cancelled("Laying out the map")
        runtime.report("Starting umap-learn", 1, 1)
        return np.asarray(places, dtype=np.float32)


PLOT: Final = (900.0, 600.0)
FONT: Final = 12.0
CHARACTER_WIDTH: Final = 0.54  # mean width of a character of a sans face, as a share of the font size
LINE_HEIGHT: Final = 1.3  # of a line of a name, as a share of the font size
NAME_CHARACTERS: Final = 26  # of a line of a name where names have two
PAD: Final = (0.05, 0.1)  # share of width and height left free on each side of the points
EXACT_MEDOID: Final = 1500  # members up to which the medoid is found exactly; past it, from the median point
_CELL: Final = 3.0  # pixels of a cell in which points are counted
_POINT: Final = 6.0  # half the size of a point in pixels
_APART: Final = 4.0  # pixels between two names at least
_DISTANCES: Final = (0.0, 12.0, 26.0, 42.0)  # pixels from a point to its name that are tried
_CROWDED: Final = 0.7  # a name may cover so many points as its mean share, times this; one at least
_TRIED: Final = 4  # groups that are tried for each name that is wanted
_Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class MapLabel:
    """The name of one group on the map."""

    group: int  # its number
    row: int  # row of its most central headline, near whose point the name stands
    x: float  # place of that headline, in the map's units
    y: float  # likewise
    size: int  # how many headlines the group has
    text: str  # the name; a line break where it has two lines
    right: float = 0.0  # pixels from that point to the middle of the name
    up: float = 0.0  # likewise


def labels_for_map(
    positions: Float32Array,
    groups: IntArray,
    *,
    texts: Mapping[int, str] | None = None,
    most: int = 12,
    smallest: int = 3,
    characters: int = 32,
    lines: int = 1,
    plot: tuple[float, float] = PLOT,
    font: float = FONT,
) -> tuple[MapLabel, ...]:
    """Names for the biggest groups, the biggest first, none over another nor over a crowd of points."""
    if len(groups) == 0:
        return ()
    canvas = _Canvas(positions, plot, font)
    numbers, sizes = np.unique(groups, return_counts=True)
    chosen: list[MapLabel] = []
    biggest = [at for at in np.lexsort((numbers, -sizes)) if numbers[at] >= 0 and sizes[at] >= smallest]
    for which in biggest[: _TRIED * most]:
        if len(chosen) == most:
            break
        group = int(numbers[which])
        row = medoid(positions, np.flatnonzero(groups == group))
        x, y = positions[row].tolist()
        name = " ".join((texts or {}).get(group, f"Group {group}").split()) or "…"
        text = "\n".join(wrap(name, characters, max_lines=lines, placeholder="…"))
        placed = canvas.placed(MapLabel(group, row, x, y, int(sizes[which]), text))
        if placed is not None:
            chosen.append(placed)
    return tuple(chosen)


def bounds(positions: Float32Array) -> tuple[tuple[float, float], tuple[float, float]]:
    """What a picture of the map shows: least and greatest x, and y, with `PAD` around the points."""
    if len(positions) == 0:
        return (0.0, 1.0), (0.0, 1.0)
    sides: list[tuple[float, float]] = []
    for axis, pad in enumerate(PAD):
        low, high = float(positions[:, axis].min()), float(positions[:, axis].max())
        span = high - low or 1.0
        sides.append((low - pad * span, high + pad * span))
    return sides[0], sides[1]


class _Canvas:
    def __init__(self, positions: Float32Array, plot: tuple[float, float], font: float) -> None:
        self._plot, self._font = plot, font
        sides = bounds(positions)
        self._low = np.array([side[0] for side in sides])
        self._scale = np.array(plot) / [side[1] - side[0] for side in sides]
        self._boxes: list[_Box] = []
        places = ((positions.astype(np.float64) - self._low) * self._scale) / _CELL
        cells = [int(side / _CELL) + 1 for side in plot]
        counts = np.zeros(cells)
        np.add.at(counts, tuple(places.astype(np.int64).T), 1.0)
        self._sums: FloatArray = np.pad(counts.cumsum(0).cumsum(1), ((1, 0), (1, 0)))

    def placed(self, label: MapLabel) -> MapLabel | None:
        px, py = (np.array([label.x, label.y]) - self._low) * self._scale
        rows = label.text.split("\n")
        wide = max(map(len, rows)) * self._font * CHARACTER_WIDTH
        high = len(rows) * self._font * LINE_HEIGHT
        best: tuple[float, _Box] | None = None
        for far, (across, along) in product(_DISTANCES, product((0, 1, -1), (1, -1, 0))):
            if not across and not along:
                continue
            beside = (wide / 2 + _POINT + 2 + far) * across
            over = (high / 2 + _POINT + 1 + far) * along
            left = min(max(px + beside - wide / 2, 2.0), self._plot[0] - wide - 2.0)
            low = min(max(py + over - high / 2, 2.0), self._plot[1] - high - 2.0)
            box = left, low, left + wide, low + high
            covered = self._covered(box)
            cost = covered + far / 20 + (0.6 if across and along else 0.3 if across else 0.0)
            if (best is None or cost < best[0]) and covered <= self._allowed(wide, high) and self._free(box):
                best = cost, box
        if best is None:
            return None
        box = best[1]
        self._boxes.append(box)
        right, up = (box[0] + box[2]) / 2 - px, (box[1] + box[3]) / 2 - py
        return replace(label, right=round(float(right), 1), up=round(float(up), 1))

    def _covered(self, box: _Box) -> float:
        left, low = (max(int((side - _POINT) / _CELL), 0) for side in box[:2])
        right = min(int((box[2] + _POINT) / _CELL) + 1, len(self._sums) - 1)
        top = min(int((box[3] + _POINT) / _CELL) + 1, self._sums.shape[1] - 1)
        sums = self._sums
        return float(sums[right, top] - sums[left, top] - sums[right, low] + sums[left, low])

    def _allowed(self, wide: float, high: float) -> float:
        share = (wide + 2 * _POINT) * (high + 2 * _POINT) / (self._plot[0] * self._plot[1])
        return max(1.0, _CROWDED * share * float(self._sums[-1, -1]))

    def _free(self, box: _Box) -> bool:
        return not any(
            box[0] < other[2] + _APART
            and other[0] < box[2] + _APART
            and box[1] < other[3] + _APART
            and other[1] < box[3] + _APART
            for other in self._boxes
        )


def medoid(positions: Float32Array, members: IntArray) -> int:
    """The member with the least sum of distances; of more than `EXACT_MEDOID` the nearest to the median."""
    places = positions[members].astype(np.float64)
    if len(members) > EXACT_MEDOID:
        away = np.linalg.norm(places - np.median(places, axis=0), axis=1)
    else:
        away = np.linalg.norm(places[:, None, :] - places[None, :, :], axis=2).sum(axis=1)
    return int(members[int(np.argmin(away))])
