"""UMAP by umap-learn: the reference that the direct layout is measured against."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.errors import Cancelled
from core.maps.neighbours import nearest, unit_rows
from core.maps.pca import principal_components
from core.maps.projector import projectors
from core.maps.umap_start import centred, curve, start
from core.runtime import Runtime
from core.similarities import Float32Array


@projectors.register("umap.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Umap:
    """UMAP as umap-learn computes it, from exact neighbours and a principal-component start.

    The first map of a process waits for numba to compile (10 to 40 seconds),
    and the layout cannot be interrupted once it has begun: a stop takes
    effect when it ends. Three headlines or fewer, or identical ones, are laid out by principal
    components.

    Source: McInnes, Healy and Melville 2018, https://arxiv.org/abs/1802.03426; umap-learn.
    """

    summary: ClassVar[str] = "UMAP by umap-learn: the reference; slow to start, cannot be stopped."
    n_neighbors: int = field(
        default=15,
        metadata={"help": "more neighbours show the broad shape, fewer the detail", "low": 2, "high": 200},
    )
    min_dist: float = field(
        default=0.1, metadata={"help": "how close points may lie", "low": 0.0, "high": 0.99}
    )
    epochs: int | None = field(
        default=None,
        metadata={"help": "passes; none: 500, or 200 past 10,000 headlines", "low": 11, "high": 2000},
    )

    def project(self, vectors: Float32Array, runtime: Runtime) -> Float32Array:
        """Places, float32 [n, 2], centred on 0.

        Raises:
            Cancelled: The caller stopped it before or during the layout.
        """
        unit = unit_rows(vectors)
        first = start(unit, runtime.seed)
        if first is None:
            return principal_components(unit)
        found = nearest(unit, self.n_neighbors, runtime)
        runtime.report("Starting umap-learn", 0, 1)
        from umap.umap_ import fuzzy_simplicial_set, simplicial_set_embedding

        graph, _, _ = fuzzy_simplicial_set(
            unit,
            found.indices.shape[1],
            np.random.RandomState(runtime.seed),
            "cosine",
            knn_indices=found.indices.astype(np.int32),
            knn_dists=found.distances,
        )
        a, b = curve(self.min_dist)
        places, _ = simplicial_set_embedding(
            unit,
            graph,
            2,
            1.0,
            a,
            b,
            1.0,
            5,
            self.epochs,
            first,
            np.random.RandomState(runtime.seed),
            "cosine",
            {},
            False,
            {},
            False,
            parallel=False,
        )
        if runtime.stop.is_set():
            raise Cancelled("Laying out the map")
        runtime.report("Starting umap-learn", 1, 1)
        return centred(places)
