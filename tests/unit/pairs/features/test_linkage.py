"""The similarity at which two headlines unite, against SciPy's own."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from core.pairs.features.additive import Linkage
from core.pairs.scorer import Tile


def similarities(n: int, seed: int, steps: int) -> np.ndarray:
    """Symmetric, 0 to 1; few steps make ties."""
    random = np.random.default_rng(seed)
    upper = np.triu(random.integers(0, steps + 1, (n, n)) / steps, 1)
    return (upper + upper.T + np.eye(n)).astype(np.float32)


@settings(max_examples=40)
@given(n=st.integers(2, 40), seed=st.integers(0, 999), steps=st.sampled_from([3, 1000]))
def test_as_scipy_has_it(n: int, seed: int, steps: int) -> None:
    matrix = similarities(n, seed, steps)
    distances = squareform(1.0 - matrix.astype(np.float64), checks=False)
    wanted = 1.0 - squareform(cophenet(linkage(distances, "average")))
    found = Linkage.of(matrix).at(Tile(slice(0, n), slice(0, n)))
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_one_headline_is_united_with_itself() -> None:
    alone = Linkage.of(np.ones((1, 1), dtype=np.float32))
    assert alone.at(Tile(slice(0, 1), slice(0, 1))).tolist() == [[1.0]]
