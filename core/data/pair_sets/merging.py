"""The groups that several annotators agree on, as HLGD merged its five.

Source: Laban et al. 2021, section 3.4; Blondel et al. 2008 for the communities.
"""

from __future__ import annotations

import numpy as np

from core.errors import InputError
from core.runtime import igraph_seeded
from core.similarities import IntArray


def merge_annotators(annotators: IntArray, *, seed: int = 0) -> IntArray:
    """Global groups: communities of the graph in which a majority puts two headlines together.

    Two headlines are joined where more than half of the annotators (three of five) gave them one group;
    an annotator who left one of them out did not. Communities are found by modularity with Louvain's
    method.

    Args:
        annotators: Group number that each of k people gave, int64 [n, k], -1 for none.
        seed: Of the order in which headlines are visited.

    Returns:
        int64 [n], groups from 0 in order of first appearance; a headline that nobody's majority joins
        to another is a group of its own, and so is one that nobody annotated.

    Raises:
        InputError: There are no annotators.
    """
    from scipy import sparse

    n, k = annotators.shape
    if not k:
        raise InputError("There are no annotators to merge.", hint="Give at least one annotator's groups.")
    agreed = sparse.csr_matrix((n, n), dtype=np.int64)
    for person in range(k):
        rows = np.flatnonzero(annotators[:, person] >= 0)
        groups = annotators[rows, person]
        shape = (n, int(groups.max(initial=-1)) + 1)
        member = sparse.csr_matrix((np.ones(len(rows), dtype=np.int64), (rows, groups)), shape=shape)
        agreed = agreed + member @ member.T
    edges = sparse.triu(agreed > k // 2, k=1).tocoo()
    return _communities(n, np.stack([edges.row, edges.col], axis=1), seed)


def _communities(n: int, edges: IntArray, seed: int) -> IntArray:
    import igraph

    graph = igraph.Graph(n=n, edges=edges.tolist())
    with igraph_seeded(seed):
        found = graph.community_multilevel()
    first: dict[int, int] = {}
    return np.array([first.setdefault(c, len(first)) for c in found.membership], dtype=np.int64)
