"""The map of a timeline: a first picture at once, the detailed one when there is time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.events.grouping import Prepared
from core.maps.projector import projectors
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

FIRST_MAP = "pca.v1"


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A map.

    Attributes:
        method: Full signature of the map method.
        positions: Places of the headlines, float32 [n, 2].
    """

    method: str
    positions: Float32Array


def check_map(method: str) -> None:
    """Refuses the name of a map method, before anything is computed."""
    projectors.parse(method)


def draw_map(prepared: Prepared, method: str, runtime: Runtime) -> Drawing:
    """Lays the headlines of a timeline out."""
    recipe = projectors.parse(method)
    return Drawing(projectors.signature(recipe), recipe.project(prepared.vectors, runtime))


def typicality(vectors: Float32Array, groups: IntArray) -> npt.NDArray[np.float64]:
    """How close each headline is to the middle of its group: the cosine with the group's mean vector.

    Args:
        vectors: Unit vectors, float32 [n, d].
        groups: Group of each headline, int64 [n].

    Returns:
        float64 [n], -1 to 1; NaN for a headline that is alone in its group.
    """
    _, where, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    sums = np.zeros((len(sizes), vectors.shape[1]))
    np.add.at(sums, where, vectors)
    lengths = np.maximum(np.linalg.norm(sums, axis=1), np.finfo(np.float32).tiny)
    cosines = np.einsum("nd,nd->n", vectors.astype(np.float64), sums[where] / lengths[where][:, None])
    return np.where(sizes[where] > 1, np.clip(cosines, -1.0, 1.0), np.nan)
