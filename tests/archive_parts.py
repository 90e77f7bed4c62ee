"""Functions that a test's parts are made by; the workers of a cluster find them here."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from core.archive.reading import Array
from core.errors import InputError
from core.runtime import Runtime


def squares(given: int, reads: Sequence[Array], _: Runtime) -> Array:
    """Squares of the first numbers, plus all that is read."""
    return np.arange(given) ** 2 + sum(int(read.sum()) for read in reads)


def refused(given: int, _: Sequence[Array], __: Runtime) -> Array:
    """What the user gave is wrong."""
    raise InputError(f"{given} cannot be used.", hint="Give another.")


def slow(given: float, _: Sequence[Array], __: Runtime) -> Array:
    """Seconds, slept through."""
    time.sleep(given)
    return np.array([given])
