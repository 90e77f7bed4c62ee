"""Which part whole stories, claims or topics go to."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from core.parts import Part

K = TypeVar("K", bound=Hashable)


def drawn(names: Sequence[K], shares: tuple[float, float, float], *, seed: int) -> dict[K, Part]:
    """Parts of names drawn at random; the draw does not depend on their order.

    Args:
        names: Distinct names that can be sorted.
        shares: Train, validation, test; they sum to 1.
        seed: Of the draw.
    """
    ordered = sorted(names, key=str)
    shuffled = np.random.default_rng(seed).permutation(len(ordered))
    return in_order([ordered[place] for place in shuffled.tolist()], shares)


def in_order(names: Sequence[K], shares: tuple[float, float, float]) -> dict[K, Part]:
    """Parts of names in the given order: the first are train, the last test."""
    first = round(shares[0] * len(names))
    second = round((shares[0] + shares[1]) * len(names))
    return {
        name: Part.TRAIN if place < first else Part.VALIDATION if place < second else Part.TEST
        for place, name in enumerate(names)
    }


def parts_of(names: Sequence[K], parts: dict[K, Part]) -> npt.NDArray[np.str_]:
    """The part of each name, str [n]."""
    return np.array([parts[name].value for name in names], dtype=np.str_)


def numbers(names: Sequence[Hashable]) -> npt.NDArray[np.int64]:
    """Names as numbers from 0 in order of first appearance, int64 [n]."""
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(name, len(seen)) for name in names], dtype=np.int64)
