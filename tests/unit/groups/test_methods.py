"""Every grouping method against other implementations, its definition and hand-worked cases."""

import threading

import numpy as np
import pytest
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.cluster import DBSCAN, HDBSCAN
from sklearn.metrics import adjusted_rand_score

from core.errors import Cancelled, InputError
from core.groups import average_linkage
from core.groups.average_linkage import AverageLinkage
from core.groups.communities import Birch
from core.groups.connected_components import ConnectedComponents
from core.groups.density import Dbscan, Hdbscan
from core.groups.grouper import GroupingInput, by_first_appearance
from core.runtime import Runtime
from core.similarities import Similarities

FORMS = [np.asarray, sparse.csr_matrix]


def points(size, seed):
    random = np.random.default_rng(seed)
    centres = random.normal(size=(size // 12, 12))
    vectors = centres[random.integers(0, len(centres), size)] + random.normal(scale=0.7, size=(size, 12))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    matrix = np.clip(vectors @ vectors.T, 0, 1).astype(np.float32)
    matrix = np.maximum(matrix, matrix.T)
    np.fill_diagonal(matrix, 1)
    return matrix, vectors


def cut(method, matrix, granularity, vectors=None):
    given = GroupingInput(
        Similarities(matrix), np.zeros((matrix.shape[0], 0), np.float32) if vectors is None else vectors
    )
    return method.fit(given, Runtime()).cut(granularity)


@pytest.mark.parametrize("form", FORMS)
def test_components_equal_scipys_single_linkage(form):
    matrix, vectors = points(150, 2)
    tree = ConnectedComponents().fit(GroupingInput(Similarities(form(matrix)), vectors), Runtime())
    theirs = linkage(squareform(1 - matrix.astype(float), checks=False), "single")
    np.testing.assert_allclose(tree.merges[:, 2], theirs[:, 2], atol=1e-6)
    wanted = by_first_appearance(fcluster(theirs, 0.2, "distance"))
    np.testing.assert_array_equal(tree.cut(0.2), wanted)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("min_samples", "granularity"), [(1, 0.15), (2, 0.3), (8, 0.3)])
def test_dbscan_agrees_with_scikit_learn(form, min_samples, granularity):
    matrix, _ = points(200, 3)
    theirs = DBSCAN(eps=granularity, min_samples=min_samples, metric="precomputed").fit(
        1 - matrix.astype(float)
    )
    ours = cut(Dbscan(min_samples=min_samples), form(matrix), granularity)
    core = theirs.core_sample_indices_
    np.testing.assert_array_equal(by_first_appearance(ours[core]), by_first_appearance(theirs.labels_[core]))
    sizes = np.bincount(ours)[ours]
    assert np.all(sizes[theirs.labels_ < 0] == 1)  # noise stands alone
    border = np.setdiff1d(np.flatnonzero(theirs.labels_ >= 0), core)
    nearest = core[matrix[np.ix_(border, core)].argmax(axis=1)] if len(border) else border
    np.testing.assert_array_equal(ours[border], ours[nearest])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(2))
def test_hdbscan_agrees_with_scikit_learn(form, seed):
    matrix, _ = points(240, seed)
    distances = 1 - matrix.astype(float)
    np.fill_diagonal(distances, 0)
    for min_size, least in ((2, 1.0), (4, 0.9)):  # a larger size makes ties, which each breaks its way
        theirs = HDBSCAN(metric="precomputed", min_cluster_size=min_size, min_samples=min_size, copy=True)
        expected = by_first_appearance(theirs.fit_predict(distances))
        assert (
            adjusted_rand_score(expected, cut(Hdbscan(min_size=min_size), form(matrix), 0.0)) >= least - 1e-9
        )


def test_hdbscan_undoes_splits_up_to_the_granularity():
    places = np.array([0, 0.01, 0.10, 0.11, 0.60, 0.61, 0.98])
    matrix = (1 - np.abs(places[:, None] - places[None])).astype(np.float32)
    assert cut(Hdbscan(), matrix, 0.0).tolist() == [0, 0, 1, 1, 2, 2, 2]  # the last fell out of the third
    assert cut(Hdbscan(), matrix, 0.2).tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert cut(Hdbscan(), matrix, 1.0).tolist() == [0] * 7


def test_birch_keeps_the_mean_distance_below_the_granularity():
    matrix, vectors = points(300, 5)
    for granularity in (0.1, 0.3, 0.6):
        labels = cut(Birch(), matrix, granularity, vectors)
        sums = np.zeros((labels.max() + 1, vectors.shape[1]))
        np.add.at(sums, labels, vectors)
        centres = sums / np.bincount(labels)[:, None]
        mean_distance = 1 - np.einsum("gd,gd->g", centres, centres)
        # labels are those of the nearest ball, so that a few balls end a little wider
        assert np.mean(mean_distance <= granularity + 1e-6) > 0.95
        assert labels.max() + 1 < 300
    with pytest.raises(InputError, match="vector"):
        cut(Birch(), matrix, 0.5)


def symmetric(size, seed, *, density=1.0):
    random = np.random.default_rng(seed)
    matrix = np.triu(random.random((size, size)), k=1)
    matrix[random.random((size, size)) > density] = 0
    return (matrix + matrix.T + np.eye(size)).astype(np.float32)


def fit(matrix):
    return AverageLinkage().fit(
        GroupingInput(Similarities(matrix), np.zeros((matrix.shape[0], 0), np.float32)), Runtime()
    )


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize(("size", "density"), [(40, 0.15), (40, 1.0), (700, 0.3)])  # the last is compacted
def test_heights_and_groups_are_scipys(form, size, density):
    matrix = symmetric(size, 1, density=density)
    tree = fit(form(matrix))
    theirs = linkage(squareform(1 - matrix.astype(float), checks=False), "average")
    np.testing.assert_allclose(tree.merges[:, 2], theirs[:, 2], atol=1e-6)
    for granularity in (0.05, 0.4, 0.62, 0.8):
        wanted = by_first_appearance(fcluster(theirs, granularity, "distance"))
        np.testing.assert_array_equal(tree.cut(granularity), wanted)


def test_absent_pairs_are_joined_at_distance_1():
    matrix = np.eye(5, dtype=np.float32)
    matrix[0, 3] = matrix[3, 0] = 0.75
    tree = fit(sparse.csr_matrix(matrix))
    assert tree.merges[0].tolist() == [0, 3, 0.25, 2]
    assert tree.merges[1:, 2].tolist() == [1, 1, 1]
    assert [tree.cut(at).tolist()[3] for at in (0.2499, 0.25)] == [3, 0], "exactly at its distance"
    assert tree.cut(0.99).tolist() == [0, 1, 2, 0, 3]
    assert tree.cut(1.0).tolist() == [0] * 5


def test_stop(monkeypatch):
    monkeypatch.setattr(average_linkage, "_AT_ONCE", 5)
    stop = threading.Event()
    given = GroupingInput(Similarities(symmetric(50, 0)), np.zeros((50, 0), np.float32))
    with pytest.raises(Cancelled):
        AverageLinkage().fit(given, Runtime(stop=stop, report=lambda *_: stop.set()))
