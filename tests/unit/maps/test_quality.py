"""Neighbours on the map against neighbours in the vectors."""

import numpy as np
import pytest
from sklearn.manifold import trustworthiness

from core.maps.direct_layout import _attraction, _edges, _repulsion
from core.maps.fuzzy_graph import fuzzy_graph
from core.maps.neighbours import nearest, unit_rows
from core.maps.projector import projectors
from core.maps.umap_methods import curve
from core.runtime import Runtime


def stories(n=400):
    drawn = np.random.default_rng(5)
    centres = drawn.normal(size=(25, 32))
    return unit_rows((centres[np.arange(n) % 25] + 0.6 * drawn.normal(size=(n, 32))).astype(np.float32))


def test_umap_keeps_neighbours_and_the_direct_layout_is_as_true_as_umap_learn():
    vectors = stories()
    scores = {}
    for name in projectors.names():
        places = projectors.get(name)().project(vectors, Runtime())
        scores[name] = trustworthiness(vectors, places, n_neighbors=10, metric="cosine")
    assert scores["umap.v1"] > scores["pca.v1"] + 0.05
    assert scores["umap_direct.v1"] > max(scores["pca.v1"] + 0.05, scores["umap.v1"] - 0.01)


def test_the_graph_is_umap_learns():
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


def test_forces_match_a_readable_reference():
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
