"""What a map method is, the list of all of them; principal components, and UMAP two ways."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Final, Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray
from core.errors import Cancelled
from core.maps.direct_layout import Neighbours, fuzzy_graph, lay_out, nearest, unit_rows
from core.registry import Registry
from core.runtime import Runtime

DEFAULT_MAP: Final = "umap_direct.v1"
FULL_DECOMPOSITION = 16  # size up to which the whole matrix is decomposed
NO_SPREAD = 1e-6  # share of the total variance below which a component is rounding noise
EXTENT = 10.0
JITTER = 1e-4  # extent of the start and the noise that parts duplicates: umap-learn's noisy_scale_coords
FEWEST = 4  # with fewer headlines there is no neighbourhood to keep, and principal components are exact


class Projector(Protocol):
    """A frozen dataclass that lays vectors out on a plane."""

    summary: ClassVar[str]

    def project(self, vectors: Float32Array, runtime: Runtime) -> Float32Array:
        """Places, float32 [n, 2], centred on 0; the same input gives the same map.

        Any n is allowed: no headline gives [0, 2], one gives the origin.
        """
        ...


projectors: Registry[Projector] = Registry("map method", "core.maps")


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
    """Base of both (McInnes, Healy and Melville 2018): exact neighbours, a start at principal components."""

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
