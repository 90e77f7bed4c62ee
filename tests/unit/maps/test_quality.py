"""Neighbours on the map against neighbours in the vectors."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from sklearn.manifold import trustworthiness

from core.arrays import Float32Array
from core.errors import Cancelled
from core.maps.direct_layout import _attraction, _edges, _repulsion, fuzzy_graph, nearest, unit_rows
from core.maps.projector import projectors
from core.maps.umap_methods import curve
from core.runtime import Runtime


def stories(n: int = 400) -> Float32Array:
    drawn = np.random.default_rng(5)
    centres = drawn.normal(size=(25, 32))
    return unit_rows((centres[np.arange(n) % 25] + 0.6 * drawn.normal(size=(n, 32))).astype(np.float32))


def test_umap_keeps_neighbours_and_the_direct_layout_is_as_true_as_umap_learn() -> None:
    vectors = stories()
    scores = {}
    for name in projectors.names():
        places = projectors.get(name)().project(vectors, Runtime())
        scores[name] = trustworthiness(vectors, places, n_neighbors=10, metric="cosine")
    assert scores["umap.v1"] > scores["pca.v1"] + 0.05
    assert scores["umap_direct.v1"] > max(scores["pca.v1"] + 0.05, scores["umap.v1"] - 0.01)


def test_the_graph_is_umap_learns() -> None:
    from umap.umap_ import fuzzy_simplicial_set

    vectors = np.vstack((stories(200), stories(200)[:5]))
    found = nearest(vectors, 15, Runtime())
    theirs, _, _ = fuzzy_simplicial_set(
        vectors,
        15,
        np.random.RandomState(0),
        "cosine",
        knn_indices=found.indices.astype(np.int32),
        knn_dists=found.distances,
    )
    assert np.abs(fuzzy_graph(found).toarray() - theirs.toarray()).max() < 1e-4


@pytest.mark.parametrize("min_dist", [0.0, 0.1, 0.5])
def test_the_curve_is_umap_learns(min_dist: float) -> None:
    from umap.umap_ import find_ab_params

    assert curve(min_dist) == pytest.approx(find_ab_params(1.0, min_dist), rel=1e-6)


def test_forces_match_a_readable_reference() -> None:
    a, b = curve(0.1)
    drawn = np.random.default_rng(0)
    places = drawn.normal(size=(12, 2)).astype(np.float32)
    edges = _edges(fuzzy_graph(nearest(stories(12), 4, Runtime())))
    expected = np.zeros((12, 2))
    for head, tail, weight in zip(edges.heads, edges.tails, edges.weights, strict=True):
        across = places[tail].astype(float) - places[head]
        squared = float(across @ across)
        expected[head] += 2 * weight * 2 * a * b * squared ** (b - 1) / (1 + a * squared**b) * across
    x, y, _ = _attraction(places[:, 0], places[:, 1], edges, a, b)
    assert np.column_stack((x, y)) == pytest.approx(expected, rel=1e-4, abs=1e-5)

    expected[:] = 0
    for i in range(12):
        for k in (1, 2, 3):
            across = places[i].astype(float) - places[(i + k) % 12]
            squared = float(across @ across)
            push = 2 * b / ((0.001 + squared) * (1 + a * squared**b)) * across
            expected[i] += np.clip(push, -4, 4)
    x, y = _repulsion(places[:, 0], places[:, 1], 3, a, b)
    assert np.column_stack((x, y)) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def test_the_direct_layout_can_be_stopped_half_way() -> None:
    stop = threading.Event()
    seen: list[int] = []

    def report(step: str, done: int, total: int) -> None:
        if step == "Laying out the map":
            seen.append(done)
            if done == 20:
                stop.set()

    with pytest.raises(Cancelled, match="Laying out the map"):
        projectors.get("umap_direct")().project(stories(100), Runtime(stop=stop, report=report))
    assert seen[-1] == 20
