"""The map of a timeline: a first picture at once, the detailed one when there is time."""

from __future__ import annotations

from core.maps.projector import projectors
from core.runtime import Runtime
from core.similarities import Float32Array
from core.workflows.grouping import Prepared

FIRST_MAP = "pca"
DEFAULT_MAP = "umap_direct"


def map_positions(prepared: Prepared, method: str, runtime: Runtime) -> Float32Array:
    """Places of the headlines, float32 [n, 2].

    Args:
        prepared: Its vectors are laid out.
        method: Name or signature of a map method.
        runtime: Where, with progress.

    Raises:
        UnknownNameError: There is no such method.
    """
    return projectors.parse(method).project(prepared.vectors, runtime)


def map_signature(method: str) -> str:
    """The full signature of a map method."""
    return projectors.signature(projectors.parse(method))
