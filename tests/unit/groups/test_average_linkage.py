"""Average linkage, dense and sparse, against a plain reading of its definition."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from scipy import sparse
from scipy.cluster.hierarchy import is_valid_linkage, linkage
from scipy.spatial.distance import squareform

from core.errors import Cancelled
from core.groups import average_linkage
from core.groups.average_linkage import AverageLinkage, Dendrogram
from core.groups.grouper import GroupingInput, by_first_appearance
from core.runtime import Runtime
from core.similarities import Similarities


def symmetric(size: int, seed: int, *, density: float = 1.0) -> np.ndarray:
    random = np.random.default_rng(seed)
    matrix = np.triu(random.random((size, size)), k=1)
    matrix[random.random((size, size)) > density] = 0
    return (matrix + matrix.T + np.eye(size)).astype(np.float32)


def fit(matrix: np.ndarray | sparse.csr_matrix) -> Dendrogram:
    return AverageLinkage().fit(
        GroupingInput(Similarities(matrix), np.zeros((matrix.shape[0], 0), np.float32)), Runtime()
    )


def plain_tree(matrix: np.ndarray) -> list[tuple[float, np.ndarray]]:
    """Joins the groups with the highest mean similarity of all pairs: each distance, and the groups then."""
    groups = [[row] for row in range(len(matrix))]
    found = []
    while len(groups) > 1:
        means = {
            (i, j): float(matrix[np.ix_(groups[i], groups[j])].astype(float).mean())
            for i in range(len(groups))
            for j in range(i)
        }
        i, j = max(means, key=lambda pair: means[pair])
        groups[j] += groups.pop(i)
        labels = np.empty(len(matrix), np.int64)
        for number, group in enumerate(groups):
            labels[group] = number
        found.append((1 - means[i, j], by_first_appearance(labels)))
    return found


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("density", [0.15, 1.0])
def test_equals_the_definition(form, seed: int, density: float) -> None:
    matrix = symmetric(40, seed, density=density)
    tree = fit(form(matrix))
    plain = [(0.0, np.arange(len(matrix))), *plain_tree(matrix)]
    np.testing.assert_allclose(tree.merges[:, 2], [height for height, _ in plain[1:]], atol=1e-6)
    for granularity in (0.1, 0.3, 0.5, 0.6, 0.8):
        np.testing.assert_array_equal(
            tree.cut(granularity), [groups for height, groups in plain if height <= granularity][-1]
        )


@pytest.mark.parametrize("seed", range(3))
def test_sparse_equals_dense_equals_scipy(seed: int) -> None:
    matrix = symmetric(700, seed, density=0.3)  # large enough to be compacted
    dense, thin = fit(matrix), fit(sparse.csr_matrix(matrix))
    theirs = linkage(squareform(1 - matrix.astype(float), checks=False), "average")
    np.testing.assert_allclose(dense.merges[:, 2], theirs[:, 2], atol=1e-6)
    np.testing.assert_allclose(thin.merges[:, 2], theirs[:, 2], atol=1e-6)
    for granularity in (0.05, 0.4, 0.62):
        np.testing.assert_array_equal(dense.cut(granularity), thin.cut(granularity))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("levels", [1, 2, 3, 7])
def test_many_ties_give_a_valid_tree(form, levels: int) -> None:
    matrix = np.round(symmetric(300, levels) * levels) / levels
    np.fill_diagonal(matrix, 1)
    tree = fit(form(matrix.astype(np.float32)))
    assert is_valid_linkage(tree.merges)
    assert np.all(np.diff(tree.merges[:, 2]) >= 0)
    again = fit(form(matrix.astype(np.float32)))
    np.testing.assert_array_equal(tree.merges, again.merges)


def test_absent_pairs_are_joined_at_distance_1() -> None:
    matrix = np.eye(5, dtype=np.float32)
    matrix[0, 3] = matrix[3, 0] = 0.75
    tree = fit(sparse.csr_matrix(matrix))
    assert tree.merges[0].tolist() == [0, 3, 0.25, 2]
    assert tree.merges[1:, 2].tolist() == [1, 1, 1]
    assert tree.cut(0.99).tolist() == [0, 1, 2, 0, 3]
    assert tree.cut(1.0).tolist() == [0] * 5


def test_a_pair_joins_exactly_at_its_distance() -> None:
    matrix = np.array([[1, 0.5], [0.5, 1]], dtype=np.float32)
    assert fit(matrix).cut(0.5).tolist() == [0, 0]
    assert fit(matrix).cut(0.499999).tolist() == [0, 1]


def test_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(average_linkage, "_AT_ONCE", 5)
    stop = threading.Event()
    given = GroupingInput(Similarities(symmetric(50, 0)), np.zeros((50, 0), np.float32))
    with pytest.raises(Cancelled):
        AverageLinkage().fit(given, Runtime(stop=stop, report=lambda *_: stop.set()))
