"""Exact neighbours against sorting everything."""

from __future__ import annotations

import numpy as np
import pytest

from core.maps import direct_layout
from core.maps.direct_layout import nearest
from core.maps.projector import principal_components
from core.runtime import Runtime


@pytest.mark.parametrize(("n", "k"), [(1, 5), (7, 7), (700, 15), (700, 3)])
@pytest.mark.parametrize("cells", [64, 8_000_000])
def test_neighbours_are_those_of_a_full_sort(
    n: int, k: int, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(direct_layout, "BLOCK_CELLS", cells)
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


def test_many_equal_vectors_are_at_distance_zero() -> None:
    found = nearest(np.ones((900, 4), dtype=np.float32), 15, Runtime())
    assert found.indices[:, 0].tolist() == list(range(900))
    assert not found.distances.any()
    assert all(len(set(row)) == 15 for row in found.indices.tolist())


@pytest.mark.parametrize(("n", "d"), [(2, 5), (10, 40), (50, 6), (9, 1)])
def test_principal_components_are_those_of_the_singular_values(n: int, d: int) -> None:
    vectors = np.random.default_rng(d).normal(size=(n, d)).astype(np.float32)
    left, sizes, _ = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
    places = principal_components(vectors)
    for axis in range(2):
        wanted = left[:, axis] * sizes[axis] if axis < min(n - 1, d) else np.zeros(n)
        assert (
            np.minimum(np.abs(places[:, axis] - wanted).max(), np.abs(places[:, axis] + wanted).max()) < 1e-3
        )
