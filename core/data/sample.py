"""Random samples of rows."""

from __future__ import annotations

import numpy as np


def sample(count: int, limit: int, *, seed: int) -> list[int]:
    """Rows of a sample in their order; a smaller sample is part of a larger one."""
    if not limit or limit >= count:
        return list(range(count))
    return sorted(np.random.default_rng(seed).permutation(count)[:limit].tolist())
