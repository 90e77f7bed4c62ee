"""The groups that agree best with the scores, by integer programming where there are few headlines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.consistency.clustering.solve import Clustering, cluster
from core.consistency.repairs.log_odds import log_odds
from core.consistency.repairs.repair import Repair, RepairInput, averaged, from_labels, repairs
from core.runtime import Runtime


@repairs.register("correlation_clustering.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CorrelationClustering:
    """Groups for which the evidence overruled is least: log-odds against the threshold, or one vote a pair.

    Both orders are averaged first. Headlines that no positive evidence connects are split before; each
    such component is solved exactly where it is small, and searched by greedy joining and moves where
    it is not.

    Source: Bansal, Blum and Chawla (2004), "Correlation Clustering"; Demaine et al. (2006) for weights;
    Grötschel and Wakabayashi (1989) for the cutting planes.
    """

    summary: ClassVar[str] = "Groups that overrule the least evidence; exact on small components"
    transitive: ClassVar[bool] = True
    needs_groups: ClassVar[bool] = False

    weighted: bool = field(
        default=True, metadata={"help": "weigh each pair by its log-odds; else one vote a pair"}
    )
    exact_up_to: int = field(
        default=40, metadata={"help": "headlines of a component that is solved exactly", "low": 0, "high": 80}
    )

    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        """Clusters.

        Raises:
            Cancelled: The runtime's stop was set.
        """
        scores = given.scores
        mean = averaged(scores)
        weights = log_odds(mean, scores.scored, scores.threshold)
        if not self.weighted:
            votes = np.where(mean >= np.float32(scores.threshold), 1.0, -1.0)
            weights = np.where(scores.scored, votes, 0.0)
        found = cluster(weights, runtime, exact_up_to=self.exact_up_to)
        return from_labels(scores, mean, found.labels, _told(found))


def _told(found: Clustering) -> str:
    searched = int(np.count_nonzero(~found.exact))
    if not searched:
        return "Best possible in every component."
    largest = int(np.bincount(found.component)[~found.exact].max())
    return (
        f"Best possible in all but {searched} of {len(found.exact):,} components; these were searched, "
        f"the largest with {largest:,} headlines."
    )
