"""What both UMAP methods share: where points start, and the curve that ties distance to weight."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core.maps.pca import principal_components
from core.similarities import Float32Array

EXTENT = 10.0
JITTER = 1e-4
"""Extent of the start and the noise that parts duplicates: umap-learn's noisy_scale_coords."""

FEWEST = 4
"""With fewer headlines there is no neighbourhood to keep, and principal components are exact."""


def start(vectors: Float32Array, seed: int) -> Float32Array | None:
    """Principal components stretched to 0–10 on each axis with a little noise, float32 [n, 2].

    None where all vectors are equal, or too few: nothing can be laid out then.
    """
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
    """The a and b of 1 / (1 + a·d^2b) that fit "1 up to min_dist, then exponential decay".

    Source: umap-learn's find_ab_params with spread 1; McInnes et al. 2018, definition 11.
    """
    from scipy.optimize import curve_fit

    distance = np.linspace(0.0, 3.0, 300)
    wanted = np.where(distance < min_dist, 1.0, np.exp(-(distance - min_dist)))

    def shape(d: npt.NDArray[np.float64], a: float, b: float) -> npt.NDArray[np.float64]:
        value: npt.NDArray[np.float64] = 1.0 / (1.0 + a * d ** (2 * b))
        return value

    (a, b), _ = curve_fit(shape, distance, wanted)
    return float(a), float(b)
