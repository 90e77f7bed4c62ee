"""Joining rows that pairs say are the same: connected components, the plain way."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt


def components(count: int, pairs: Iterable[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """The smallest row that each row is joined to, directly or through others.

    Args:
        count: How many rows there are.
        pairs: Rows that belong together.

    Returns:
        int64 [count]; a row without pairs has itself.
    """
    parent = list(range(count))

    def root(row: int) -> int:
        while parent[row] != row:
            parent[row] = parent[parent[row]]
            row = parent[row]
        return row

    for a, b in pairs:
        first, second = root(a), root(b)
        if first != second:
            parent[max(first, second)] = min(first, second)
    return np.array([root(row) for row in range(count)], dtype=np.int64)
