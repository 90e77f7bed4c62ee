"""A figure over several checkpoints: mean and standard deviation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """One figure measured on several checkpoints.

    Attributes:
        values: One a checkpoint where it is defined, in their order.
        mean: None where no checkpoint has the figure.
        deviation: Sample standard deviation (n - 1 below the sum); None with fewer than two values.
    """

    values: tuple[float, ...]
    mean: float | None
    deviation: float | None


def spread(values: Iterable[float | None]) -> Spread:
    """Mean and sample standard deviation; values that are undefined (None) are left out."""
    known = tuple(float(value) for value in values if value is not None)
    if not known:
        return Spread((), None, None)
    mean = math.fsum(known) / len(known)
    if len(known) < 2:
        return Spread(known, mean, None)
    squares = math.fsum((value - mean) ** 2 for value in known)
    return Spread(known, mean, math.sqrt(squares / (len(known) - 1)))
