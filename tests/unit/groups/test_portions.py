"""Links that come a portion at a time give the tree of all at once, and few of them are in memory."""

import numpy as np
import pytest
from scipy import sparse

from core.groups import dendrogram, sparse_linkage
from core.groups.dendrogram import Dendrogram
from core.groups.sparse_linkage import USED, join_sparse
from core.runtime import Runtime

BAND = 12
"""Only headlines so near to each other are linked, as by their days."""


def banded(count, *, linked=0.4, seed=0):
    """Similarities with many ties; a few rows are linked to none."""
    draw = np.random.default_rng(seed)
    left = np.repeat(np.arange(count), BAND)
    right = left + np.tile(np.arange(1, BAND + 1), count)
    alone = draw.random(count + BAND) < 0.02
    keep = (right < count) & (draw.random(len(left)) < linked) & ~alone[left] & ~alone[right]
    left, right = left[keep], right[keep]
    values = draw.integers(3, 11, len(left)).astype(np.float32) / np.float32(10)
    upper = sparse.csr_matrix((values, (left, right)), shape=(count, count))
    return (upper + upper.T).tocsr()


def portions(matrix, rows):
    return (matrix[start : start + rows] for start in range(0, matrix.shape[0], rows))


@pytest.mark.parametrize("rows", [1, 7, 64])
@pytest.mark.parametrize("linked", [0.1, 0.4])
def test_portions_give_the_tree_of_all_links_at_once(rows, linked):
    matrix = banded(900, linked=linked)
    whole = join_sparse(900, [matrix], Runtime())
    assert join_sparse(900, portions(matrix, rows), Runtime()).tobytes() == whole.tobytes()


def test_the_links_in_memory_do_not_grow_with_the_headlines(monkeypatch):
    most = dict.fromkeys((2_000, 16_000), 0)
    with_portion = sparse_linkage._take_portion
    for count in most:

        def counted(forest, portion, unit, count=count):
            forest = with_portion(forest, portion, unit)
            most[count] = max(most[count], int(forest.counters[USED]))
            return forest

        monkeypatch.setattr(sparse_linkage, "_take_portion", counted)
        matrix = banded(count)
        join_sparse(count, portions(matrix, 100), Runtime())
        assert 0 < most[count] < matrix.nnz / 2
    assert most[16_000] < 2 * most[2_000]


@pytest.mark.slow
def test_a_large_tree_is_compiled_and_the_same(monkeypatch):
    matrix, merges = banded(500), []
    for least in (1, 1_000):
        monkeypatch.setattr(dendrogram, "_WORTH_COMPILING", least)
        merges.append(join_sparse(500, [matrix], Runtime()))
        tree = Dendrogram(500, merges[-1])
        merges.append(np.concatenate([tree.leaves, tree.gaps]))
    assert merges[0].tobytes() == merges[2].tobytes()
    assert merges[1].tobytes() == merges[3].tobytes()
