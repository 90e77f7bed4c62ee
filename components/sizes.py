"""How much memory a result holds, as far as its arrays and tables go."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse


def megabytes(thing: Any) -> float:
    """Millions of bytes in the arrays, tables and texts of a result, each counted once."""
    return _bytes(thing, set()) / 1e6


def _bytes(thing: Any, seen: set[int]) -> int:
    if id(thing) in seen:
        return 0
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        return int(thing.nbytes)
    if sparse.issparse(thing):
        return int(sum(value.nbytes for value in vars(thing).values() if isinstance(value, np.ndarray)))
    if isinstance(thing, pd.DataFrame):
        return int(thing.memory_usage(deep=True).sum())
    if isinstance(thing, str | bytes):
        return len(thing)
    if dataclasses.is_dataclass(thing):
        return sum(_bytes(getattr(thing, field.name, None), seen) for field in dataclasses.fields(thing))
    if isinstance(thing, Mapping):
        return sum(_bytes(value, seen) for value in thing.values())
    if isinstance(thing, list | tuple | set | frozenset):
        return sum(_bytes(value, seen) for value in thing)
    return 0
