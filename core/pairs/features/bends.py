"""Features whose weight changes at set places: straight pieces that a sum weighs one by one."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import numpy as np

from core.arrays import Float32Array

_FROM: Final = " from "
Bends = Mapping[str, tuple[float, ...]]
"""Where each feature that has bends has them, in rising order."""


def bent(values: Iterable[tuple[str, Float32Array]], bends: Bends) -> Iterator[tuple[str, Float32Array]]:
    """Every feature, in pieces where it has bends; the pieces of a feature sum up to it.

    With bends a < b the pieces of x are min(x, a), what x has between a and b, and what it has above b. A sum
    whose weights of all pieces have one sign rises or falls with x everywhere.
    """
    for name, value in values:
        places = bends.get(name, ())
        for low, high in itertools.pairwise((*places, np.inf)):
            yield f"{name}{_FROM}{low:g}", np.clip(value, low, high) - np.float32(low)
        yield name, np.minimum(value, np.float32(places[0])) if places else value


def pieces(signs: Mapping[str, int], bends: Bends) -> dict[str, int]:
    """Names of all pieces with the sign of their feature."""
    return {
        piece: sign
        for name, sign in signs.items()
        for piece in (*(f"{name}{_FROM}{low:g}" for low in bends.get(name, ())), name)
    }


def whole(amounts: Mapping[str, float]) -> dict[str, float]:
    """What each feature adds, from what its pieces add."""
    found: dict[str, float] = {}
    for piece, amount in amounts.items():
        name = piece.partition(_FROM)[0]
        found[name] = found.get(name, 0.0) + amount
    return found
