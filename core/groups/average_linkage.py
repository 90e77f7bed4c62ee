"""Average linkage: groups join while the mean similarity between them is high enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.groups.average_dense import join_dense
from core.groups.average_sparse import join_sparse
from core.groups.dendrogram import Dendrogram
from core.groups.grouper import GroupingInput, SliderRange, groupers
from core.runtime import Runtime


@groupers.register("average_linkage.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class AverageLinkage:
    """Agglomerative grouping by the mean similarity of all pairs across two groups (UPGMA).

    At granularity g groups have been joined as long as some two had a mean distance of at most g.
    Pairs that are absent from sparse similarities count as similarity 0.

    Ties: of equally near groups the one that the search came from is taken, else the one with the
    earliest first headline; the search starts at the earliest headline that is not yet joined.
    The same input gives the same tree. Where ties exist, another order of the rows may give
    another tree.

    Source: Sokal and Michener (1958).
    """

    summary: ClassVar[str] = "Joins the two groups whose headlines are most alike on average, again and again"
    usual: ClassVar[SliderRange] = SliderRange(0.50, 0.90, 0.70)
    nested: ClassVar[bool] = True

    def fit(self, given: GroupingInput, runtime: Runtime) -> Dendrogram:
        """Builds the tree; see `Grouper.fit`."""
        matrix = given.similarities.matrix
        if isinstance(matrix, np.ndarray):
            joins = join_dense(matrix, runtime)
        else:
            joins = join_sparse(matrix, runtime)
        return Dendrogram(len(given), joins.merges())
