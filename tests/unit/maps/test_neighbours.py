"""Exact neighbours against sorting everything."""

import numpy as np
import pytest

from core.maps import neighbours
from core.maps.neighbours import nearest
from core.runtime import Runtime


@pytest.mark.parametrize(("n", "k"), [(1, 5), (7, 7), (700, 15), (700, 3)])
@pytest.mark.parametrize("cells", [64, 8_000_000])
def test_neighbours_are_those_of_a_full_sort(n, k, cells, monkeypatch):
    monkeypatch.setattr(neighbours, "BLOCK_CELLS", cells)
    vectors = np.random.default_rng(n).normal(size=(n, 12)).astype(np.float32)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    distance = 1.0 - unit.astype(np.float64) @ unit.T.astype(np.float64)
    np.fill_diagonal(distance, -1)
    found = nearest(vectors, k, Runtime())
    wanted = np.argsort(distance, axis=1, kind="stable")[:, :k]
    assert found.indices.shape == (n, min(k, n))
    assert np.array_equal(found.indices, wanted)
    assert found.distances[:, 0].tolist() == [0.0] * n
    expected = np.maximum(np.take_along_axis(distance, wanted, axis=1), 0)
    assert found.distances == pytest.approx(expected, abs=1e-6)
