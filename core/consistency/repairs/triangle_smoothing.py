"""Scores drawn toward what the triangles around them say, then made groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.consistency.clustering.solve import cluster
from core.consistency.repairs.log_odds import log_odds
from core.consistency.repairs.repair import Repair, RepairInput, averaged, from_labels, repairs
from core.consistency.score_matrix import BoolArray
from core.runtime import Runtime
from core.similarities import Float32Array


@repairs.register("triangle_smoothing.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TriangleSmoothing:
    """Every score moves toward the evidence of its triangles; the smoothed scores are then clustered.

    Both orders are averaged, and scores are bent so that the threshold lies at 1/2: q = o / (1 + o) with
    o = ((p / (1 - p)) / (t / (1 - t))) to the power of `sharpness`. A third headline k speaks for the link
    of i and j by f = q_ik q_jk, and against it by g = q_ik (1 - q_jk) + (1 - q_ik) q_jk: a k that is near
    neither says nothing. With q_ii = 1 the pair itself speaks too. The evidence is
    e_ij = sum f / (sum f + sum g / 2) over k, and each round sets q = (1 - weight) q_0 + weight e. The
    groups are those of correlation clustering on the last q.

    Source: ours; e is the Dice coefficient of two neighbourhoods with weights in place of members. The
    defaults were chosen on training parts, see docs/consistency.md.
    """

    summary: ClassVar[str] = "Scores move toward what their triangles say, and are then made groups"
    transitive: ClassVar[bool] = True
    needs_groups: ClassVar[bool] = False

    weight: float = field(
        default=0.5, metadata={"help": "what the triangles count against the score", "low": 0.0, "high": 1.0}
    )
    rounds: int = field(default=3, metadata={"help": "how often scores are moved", "low": 1, "high": 50})
    sharpness: float = field(
        default=4.0,
        metadata={"help": "how fast certainty grows away from the threshold", "low": 0.1, "high": 20.0},
    )
    exact_up_to: int = field(
        default=40, metadata={"help": "headlines of a component that is solved exactly", "low": 0, "high": 80}
    )

    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        """Smooths and clusters.

        Raises:
            Cancelled: The runtime's stop was set.
        """
        scores = given.scores
        odds = self.sharpness * log_odds(averaged(scores), scores.scored, scores.threshold)
        start = np.where(scores.scored, 1 / (1 + np.exp(-odds)), 0).astype(np.float32)
        np.fill_diagonal(start, 1.0)
        moved = start
        for _ in runtime.track(range(self.rounds), "Smoothing triangles"):
            moved = self._round(start, moved, scores.scored)
        weights = log_odds(moved, scores.scored, 0.5)
        found = cluster(weights, runtime, exact_up_to=self.exact_up_to)
        threshold = scores.threshold
        # Straight lines take 1/2 back to the threshold and keep 0 and 1.
        back = np.where(moved < 0.5, moved * 2 * threshold, 1 - 2 * (1 - moved) * (1 - threshold))
        return from_labels(scores, back.astype(np.float32), found.labels)

    def _round(self, start: Float32Array, moved: Float32Array, scored: BoolArray) -> Float32Array:
        """One round; pairs that were not scored stay 0 and speak neither for nor against."""
        known = scored.astype(np.float32)
        np.fill_diagonal(known, 1.0)
        for_it = moved @ moved
        one = moved @ known
        against = one + one.T - 2 * for_it
        evidence = for_it / np.maximum(for_it + against / 2, np.float32(1e-9))
        mixed = (1 - np.float32(self.weight)) * start + np.float32(self.weight) * evidence
        mixed = np.where(scored, mixed, np.float32(0)).astype(np.float32)
        np.fill_diagonal(mixed, 1.0)
        return np.asarray(np.clip(mixed, 0, 1), dtype=np.float32)
