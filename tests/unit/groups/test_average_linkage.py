"""Average linkage, dense and sparse, against a plain reading of its definition."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, is_valid_linkage, linkage
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


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize(("size", "density"), [(40, 0.15), (40, 1.0), (700, 0.3)])  # the last is compacted
def test_heights_and_groups_are_scipys(form, size: int, density: float) -> None:
    matrix = symmetric(size, 1, density=density)
    tree = fit(form(matrix))
    theirs = linkage(squareform(1 - matrix.astype(float), checks=False), "average")
    np.testing.assert_allclose(tree.merges[:, 2], theirs[:, 2], atol=1e-6)
    for granularity in (0.05, 0.4, 0.62, 0.8):
        wanted = by_first_appearance(fcluster(theirs, granularity, "distance"))
        np.testing.assert_array_equal(tree.cut(granularity), wanted)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("levels", [1, 2, 7])
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
    assert [tree.cut(at).tolist()[3] for at in (0.2499, 0.25)] == [3, 0], "exactly at its distance"
    assert tree.cut(0.99).tolist() == [0, 1, 2, 0, 3]
    assert tree.cut(1.0).tolist() == [0] * 5


def test_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(average_linkage, "_AT_ONCE", 5)
    stop = threading.Event()
    given = GroupingInput(Similarities(symmetric(50, 0)), np.zeros((50, 0), np.float32))
    with pytest.raises(Cancelled):
        AverageLinkage().fit(given, Runtime(stop=stop, report=lambda *_: stop.set()))
