"""The transitive decisions that differ least from those of the scorer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.consistency.certificate import least_changes
from core.consistency.repairs.repair import Repair, RepairInput, averaged, from_labels, repairs
from core.runtime import Runtime


@repairs.register("fewest_changes.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FewestChanges:
    """Changes as few decisions as are known to be enough; each counts the same, whatever its score.

    Source: Bansal, Blum and Chawla (2004), "Correlation Clustering", with one vote a pair.
    """

    summary: ClassVar[str] = "Changes as few decisions as possible"
    transitive: ClassVar[bool] = True
    needs_groups: ClassVar[bool] = False

    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        """Takes the smallest known clustering of the decisions.

        Raises:
            Cancelled: The runtime's stop was set.
        """
        scores = given.scores
        least = given.least or least_changes(scores.links, scores.scored, runtime)
        return from_labels(scores, averaged(scores), least.labels)
