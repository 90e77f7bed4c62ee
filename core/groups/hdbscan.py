"""HDBSCAN: groups that persist over many densities."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.groups.condensed_tree import CondensedTree, condense
from core.groups.connected_components import ConnectedComponents
from core.groups.grouper import CHAINING, GroupingInput, SliderRange, groupers
from core.runtime import Runtime
from core.similarities import Float32Array, Similarities

if TYPE_CHECKING:
    from scipy import sparse


@groupers.register("hdbscan.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Hdbscan:
    """Density-based groups that persist; the granularity is the least distance at which they split.

    At granularity 0 these are the groups of plain HDBSCAN (excess of mass, no single group,
    min_samples = min_size); a higher granularity undoes splits at distances of at most it
    (cluster_selection_epsilon). Pairs that a sparse matrix leaves out count as infinitely far, so
    groups that only join out there are weighed as if they never did.

    The code is ours, on the tree of connected components: scikit-learn 1.9's epsilon fails with
    numpy 2.4, and its sparse path wants one connected graph. Tested against scikit-learn's labels.

    Source: Campello, Moulavi and Sander (2013); Malzer and Baum (2020) for the epsilon.
    """

    summary: ClassVar[str] = "Groups that hold over a wide range of closeness (HDBSCAN)"
    usual: ClassVar[SliderRange] = CHAINING
    nested: ClassVar[bool] = True

    min_size: int = field(
        default=2, metadata={"help": "headlines that make a group", "low": 2, "high": 1_000}
    )

    def fit(self, given: GroupingInput, runtime: Runtime) -> CondensedTree:
        """Builds and condenses the tree; see `Grouper.fit`."""
        reachable = Similarities(_reachability(given.similarities, self.min_size))
        tree = ConnectedComponents().fit(GroupingInput(reachable, given.vectors), runtime)
        return condense(len(given), tree.merges, self.min_size)


def _reachability(similarities: Similarities, min_size: int) -> Float32Array | sparse.csr_matrix:
    """Mutual reachability as a similarity: min(s(a, b), core(a), core(b)).

    The core similarity of a headline is that to its (min_size - 1)-th nearest other one. With a
    min_size of 2 it never bounds a pair, and the similarities are given back as they are.
    """
    from scipy import sparse

    matrix = similarities.matrix
    if min_size <= 2:
        return matrix
    if isinstance(matrix, np.ndarray):
        if len(matrix) < min_size:
            return np.zeros_like(matrix)
        core = np.partition(matrix, -min_size, axis=1)[:, -min_size]  # the diagonal counts as one
        return np.minimum(np.minimum(matrix, core[:, None]), core[None, :])
    core = np.zeros(matrix.shape[0], dtype=np.float32)
    for row, (start, stop) in enumerate(zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)):
        if stop - start >= min_size:
            core[row] = np.partition(matrix.data[start:stop], -min_size)[-min_size]
    pairs = matrix.tocoo()
    values = np.minimum(np.minimum(pairs.data, core[pairs.row]), core[pairs.col])
    return sparse.csr_matrix((values, (pairs.row, pairs.col)), shape=matrix.shape)
