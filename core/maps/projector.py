"""What a map method is, and the list of all of them."""

from __future__ import annotations

from typing import ClassVar, Final, Protocol

from core.arrays import Float32Array
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
