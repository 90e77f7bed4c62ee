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
    """Groups for which the evidence overruled is least: log-odds of the scores against the threshold.

    Both orders are averaged first. Headlines that no positive evidence connects are split before; each
    such component is solved exactly where it is small, and searched by greedy joining and moves where
    it is not.

    Source: Bansal, Blum and Chawla (2004), "Correlation Clustering"; Demaine et al. (2006) for weights;
    Grötschel and Wakabayashi (1989) for the cutting planes.
    """

    summary: ClassVar[str] = "Groups that overrule the least evidence; exact on small components"
    transitive: ClassVar[bool] = True
    needs_groups: ClassVar[bool] = False

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
        found = cluster(weights, runtime, exact_up_to=self.exact_up_to)
        return from_labels(scores, mean, found.labels, _told(found))


def _told(found: Clustering) -> str:
    searched = int(np.count_nonzero(~found.exact))
    if not searched:
        return "Best possible in every component."
    cost, bound = float(found.cost.sum()), float(found.bound.sum())
    return (
        f"Best possible in all but {searched} of {len(found.exact):,} components. It overrules evidence of "
        f"{cost:,.1f} in log-odds; no groups overrule less than {bound:,.1f}."
    )
