from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from core.errors import InputError
from core.groups.links import joins_at, mean_similarity, strongest_chain, why
from core.similarities import Similarities


def random_similarities(n: int, seed: int, *, levels: int = 0) -> Similarities:
    values = np.random.default_rng(seed).random((n, n), dtype=np.float32)
    values = (values + values.T) / 2
    if levels:
        values = np.round(values * levels) / levels
    np.fill_diagonal(values, 1.0)
    return Similarities(values.astype(np.float32))


def as_sparse(given_: Similarities) -> Similarities:
    return Similarities(sparse.csr_matrix(given_.matrix))


def brute_force(matrix: np.ndarray, left: int, right: int) -> tuple[float, int]:
    """The greatest weakest link over all simple chains, and the fewest steps with it."""
    others = [i for i in range(len(matrix)) if i not in (left, right)]
    found = []
    for length in range(len(others) + 1):
        for between in permutations(others, length):
            chain = [left, *between, right]
            found.append((min(matrix[a, b] for a, b in pairwise(chain)), -(length + 1)))
    strength, steps = max(found)
    return float(strength), -steps


@settings(max_examples=60)
@given(st.integers(2, 6), st.integers(0, 10_000), st.sampled_from([0, 3, 10]))
def test_chain_is_the_strongest_and_the_shortest(n: int, seed: int, levels: int) -> None:
    given_ = random_similarities(n, seed, levels=levels)
    expected = brute_force(given_.matrix, 0, n - 1)
    for similarities in (given_, as_sparse(given_)):
        chain = strongest_chain(similarities, np.arange(n), 0, n - 1)
        assert (chain[0], chain[-1], len(set(chain))) == (0, n - 1, len(chain))
        strength = min(similarities.of(a, b) for a, b in pairwise(chain))
        assert (strength, len(chain) - 1) == pytest.approx(expected)


def test_chain_stays_inside_the_group() -> None:
    matrix = np.eye(4, dtype=np.float32)
    for a, b, value in ((0, 1, 0.9), (1, 3, 0.9), (0, 2, 0.5), (2, 3, 0.4)):
        matrix[a, b] = matrix[b, a] = value
    link = why(Similarities(matrix), [7, 8, 7, 7], 0, 3, granularity=0.55)
    assert link.together
    assert [(s.left, s.right, s.below) for s in link.chain] == [(0, 2, False), (2, 3, True)]
    assert link.group_similarity == pytest.approx((0.5 + 0.4 + 0.0) / 3)


def test_apart_shows_what_is_missing() -> None:
    matrix = np.eye(4, dtype=np.float32)
    for a, b, value in ((0, 1, 0.8), (2, 3, 0.7), (1, 2, 0.3)):
        matrix[a, b] = matrix[b, a] = value
    merges = linkage(squareform(1 - matrix.astype(float), checks=False), "average")
    link = why(Similarities(matrix), np.array([0, 0, 1, 1]), 0, 3, merges, granularity=0.6)
    assert not link.together
    assert [(s.left, s.right, s.below) for s in link.chain] == [(0, 1, False), (1, 2, True), (2, 3, False)]
    assert link.group_similarity == pytest.approx(0.3 / 4)
    assert link.joins_at == pytest.approx(1 - 0.3 / 4)
    assert link.similarity == 0.0


@pytest.mark.parametrize("seed", range(2))
def test_joins_at_is_the_cophenetic_distance(seed: int) -> None:
    given_ = random_similarities(9, seed)
    distances = squareform(1 - given_.matrix.astype(float), checks=False)
    merges = linkage(distances, "average")
    expected = squareform(cophenet(merges))
    assert [[joins_at(merges, a, b) for b in range(9)] for a in range(9)] == pytest.approx(expected)


@pytest.mark.parametrize("sparse_", [False, True])
def test_mean_similarity_is_the_plain_mean(sparse_: bool) -> None:
    dense = random_similarities(8, 3)
    given_ = as_sparse(dense) if sparse_ else dense
    one, other = np.array([0, 2, 5]), np.array([1, 7])
    assert mean_similarity(given_, one, other) == pytest.approx(dense.matrix[np.ix_(one, other)].mean())
    block = dense.matrix[np.ix_(one, one)]
    assert mean_similarity(given_, one, one) == pytest.approx((block.sum() - 3) / 6)
    assert mean_similarity(given_, one[:1], one[:1]) is None


@pytest.mark.parametrize(("labels", "left", "right"), [([0, 0], 0, 1), ([0, 0, 1], 0, 3), ([0, 0, 1], -1, 0)])
def test_what_does_not_fit_is_refused(labels: list[int], left: int, right: int) -> None:
    with pytest.raises(InputError):
        why(random_similarities(3, 0), labels, left, right)
    with pytest.raises(InputError, match="merge table"):
        why(random_similarities(3, 0), [0, 0, 0], 0, 1, np.zeros((5, 4)))
    alone = why(random_similarities(3, 0), [0, 1, 1], 0, 0)
    assert (alone.chain, alone.group_similarity) == ((), None)
