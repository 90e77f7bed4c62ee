"""Both orders averaged: no flips, but triangles may still break."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.consistency.repairs.repair import Repair, RepairInput, averaged, by_first_appearance, repairs
from core.consistency.score_matrix import is_transitive
from core.runtime import Runtime


@repairs.register("symmetric.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Symmetric:
    """The mean of the scores of both orders decides.

    Source: HLGD (Laban, Bandarkar and Hearst 2021), eq. 5.
    """

    summary: ClassVar[str] = "The mean of both orders decides; triangles may still break"
    transitive: ClassVar[bool] = False
    needs_groups: ClassVar[bool] = False

    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        """Averages; labels are given where the result happens to be transitive."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import connected_components

        scores = given.scores
        mean = averaged(scores)
        links = np.asarray(scores.scored & (mean >= np.float32(scores.threshold)))
        if not is_transitive(links, scores.scored):
            return Repair(links, mean, None, "Some triangles are still broken.")
        labels = connected_components(csr_matrix(links), directed=False)[1]
        return Repair(links, mean, by_first_appearance(labels.astype(np.int64)))
