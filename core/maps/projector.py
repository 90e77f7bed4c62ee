"""What a map method is, the list of all of them, and the first of them: principal components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

import numpy as np

from core.arrays import Float32Array, FloatArray
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
    """The two directions of most variance, exactly, by the smaller of the two Gram matrices.

    A component without variance is 0. The largest loading is positive, so that no machine flips the picture.
    """
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
    """The two directions in which the headlines differ most.

    Source: Pearson 1901, "On lines and planes of closest fit to systems of points in space".
    """

    summary: ClassVar[str] = "Principal components: instant, shows the broad lay of the land."

    def project(self, vectors: Float32Array, runtime: Runtime) -> Float32Array:
        """Places, float32 [n, 2], centred on 0; identical headlines share a place."""
        return principal_components(vectors)
