"""UMAP without umap-learn: the same graph and forces, laid out by whole-array steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.maps.direct_layout import lay_out
from core.maps.fuzzy_graph import fuzzy_graph
from core.maps.neighbours import nearest, unit_rows
from core.maps.pca import principal_components
from core.maps.projector import projectors
from core.maps.umap_start import centred, curve, start
from core.runtime import Runtime
from core.similarities import Float32Array


@projectors.register("umap_direct.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class UmapDirect:
    """UMAP's graph and forces with a layout that needs no compilation and can be stopped.

    As true to the neighbourhoods as umap-learn (see `benchmarks/maps.py`), and ready seconds
    earlier in a fresh process. Three headlines or fewer, or identical ones, are laid out by
    principal components.

    Source: McInnes, Healy and Melville 2018, https://arxiv.org/abs/1802.03426; the layout is
    explained in `core.maps.direct_layout`.
    """

    summary: ClassVar[str] = "UMAP laid out directly: ready at once, can be stopped."
    n_neighbors: int = field(
        default=15,
        metadata={"help": "more neighbours show the broad shape, fewer the detail", "low": 2, "high": 200},
    )
    min_dist: float = field(
        default=0.1, metadata={"help": "how close points may lie", "low": 0.0, "high": 0.99}
    )
    epochs: int = field(default=200, metadata={"help": "passes over all points", "low": 11, "high": 2000})

    def project(self, vectors: Float32Array, runtime: Runtime) -> Float32Array:
        """Places, float32 [n, 2], centred on 0.

        Raises:
            Cancelled: The caller stopped it.
        """
        unit = unit_rows(vectors)
        first = start(unit, runtime.seed)
        if first is None:
            return principal_components(unit)
        graph = fuzzy_graph(nearest(unit, self.n_neighbors, runtime))
        a, b = curve(self.min_dist)
        return centred(lay_out(graph, first, runtime, a=a, b=b, epochs=self.epochs))
