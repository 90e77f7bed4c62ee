"""Chains of links become groups: transitive, and often far too large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.consistency.repairs.repair import Repair, RepairInput, averaged, from_labels, repairs
from core.runtime import Runtime


@repairs.register("transitive_closure.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TransitiveClosure:
    """Links what chains of links connect, after both orders are averaged; it denies nothing.

    It adds the fewest links of all repairs that take none away.

    Source: Warshall (1962), "A Theorem on Boolean Matrices"; here by connected components.
    """

    summary: ClassVar[str] = "Whatever a chain of links connects is linked"
    transitive: ClassVar[bool] = True
    needs_groups: ClassVar[bool] = False

    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        """Makes every connected component one group."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import connected_components

        scores = given.scores
        mean = averaged(scores)
        links = csr_matrix(scores.scored & (mean >= np.float32(scores.threshold)))
        labels = connected_components(links, directed=False)[1]
        return from_labels(scores, mean, labels.astype(np.int64))
