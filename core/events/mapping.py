"""The map of a timeline: a first picture at once, the detailed one when there is time."""

from __future__ import annotations

from dataclasses import dataclass

from core.events.grouping import Prepared
from core.maps.projector import projectors
from core.runtime import Runtime
from core.similarities import Float32Array

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
    """Refuses the name of a map method, before anything is computed.

    Raises:
        UnknownNameError: There is no such method.
        InputError: One of its parameters is wrong.
    """
    projectors.parse(method)


def draw_map(prepared: Prepared, method: str, runtime: Runtime) -> Drawing:
    """Lays the headlines of a timeline out.

    Args:
        prepared: Its vectors are laid out.
        method: Name or signature of a map method.
        runtime: Where, with progress.

    Raises:
        UnknownNameError: There is no such method.
    """
    recipe = projectors.parse(method)
    return Drawing(projectors.signature(recipe), recipe.project(prepared.vectors, runtime))
