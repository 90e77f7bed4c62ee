"""Every repair: averages, chains, groups that are read back, fewest changes, best agreement, smoothing."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from core.arrays import BoolArray, Float32Array, FloatArray, IntArray
from core.consistency.certificate import LeastChanges, least_changes
from core.consistency.clustering import Clustering, cluster, components
from core.consistency.score_matrix import ScoreMatrix, is_transitive
from core.errors import InputError
from core.groups.grouper import by_first_appearance
from core.registry import Registry, number
from core.runtime import Runtime

CLIPPED = 0.01  # scores nearer to 0 or 1 than this count as this near, so that no pair outweighs all others
_EXACT: Final = "headlines of a component that is solved exactly"


@dataclass(frozen=True, slots=True, eq=False)
class RepairInput:
    scores: ScoreMatrix
    groups: IntArray | None = None
    least: LeastChanges | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Repair:
    """Decisions after a repair; where groups decide, a score on the wrong side moves to the threshold."""

    decisions: BoolArray  # links, [n, n], symmetric, false on the diagonal and where a pair was not scored
    probabilities: Float32Array  # [n, n], symmetric; those from the threshold on are the links
    labels: IntArray | None  # groups, [n], by first appearance; None where decisions are not transitive
    note: str = ""  # what people should know about this result


class Repairer(ABC):
    """Base of all repairs: frozen dataclasses; the result never depends on the order of a pair."""

    __slots__ = ()
    summary: ClassVar[str]  # one line for people
    transitive: ClassVar[bool] = True  # the decisions are transitive whatever the scores are
    needs_groups: ClassVar[bool] = False  # it reads `RepairInput.groups`

    @abstractmethod
    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        """Repairs."""


repairs: Registry[Repairer] = Registry("repair", "core.consistency")


def averaged(scores: ScoreMatrix) -> Float32Array:
    """Mean of both orders, float32 [n, n], symmetric; HLGD (Laban, Bandarkar and Hearst 2021), eq. 5."""
    values = scores.probabilities
    return np.asarray((values + values.T) / np.float32(2), dtype=np.float32)


def from_labels(scores: ScoreMatrix, probabilities: Float32Array, labels: IntArray, note: str = "") -> Repair:
    together = labels[:, None] == labels[None, :]
    threshold = np.float32(scores.threshold)
    below = np.nextafter(threshold, np.float32(-1))
    moved = np.where(together, np.maximum(probabilities, threshold), np.minimum(probabilities, below))
    moved = np.where(scores.scored, moved, np.float32(0)).astype(np.float32)
    return Repair(together & scores.scored, moved, by_first_appearance(labels), note)


def log_odds(probabilities: Float32Array, scored: BoolArray, threshold: float) -> FloatArray:
    """Log-odds of each score less those of the threshold, float64 [n, n]: 0 at the threshold."""
    clipped = np.clip(probabilities.astype(np.float64), CLIPPED, 1 - CLIPPED)
    middle = min(max(threshold, CLIPPED), 1 - CLIPPED)
    weights = np.log(clipped / (1 - clipped)) - np.log(middle / (1 - middle))
    return np.asarray(np.where(scored, weights, 0.0))


@repairs.register("symmetric.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class AveragedOrders(Repairer):
    """The mean of the scores of both orders decides; HLGD, eq. 5."""

    summary: ClassVar[str] = "The mean of both orders decides; triangles may still break"
    transitive: ClassVar[bool] = False

    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        scores = given.scores
        mean = averaged(scores)
        links = np.asarray(scores.scored & (mean >= np.float32(scores.threshold)))
        if not is_transitive(links, scores.scored):
            return Repair(links, mean, None, "Some triangles are still broken.")
        return Repair(links, mean, by_first_appearance(components(links)))


@repairs.register("transitive_closure.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TransitiveClosure(Repairer):
    """Links what chains of links connect, after both orders are averaged; it denies nothing.

    Source: Warshall (1962), "A Theorem on Boolean Matrices"; here by connected components.
    """

    summary: ClassVar[str] = "Whatever a chain of links connects is linked"

    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        scores = given.scores
        mean = averaged(scores)
        links = np.asarray(scores.scored & (mean >= np.float32(scores.threshold)))
        return from_labels(scores, mean, components(links))


@repairs.register("group_read_back.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class GroupReadBack(Repairer):
    """Two headlines are linked where the chosen grouping puts them together: transitive by construction."""

    summary: ClassVar[str] = "The chosen grouping decides: linked is what shares a group"
    needs_groups: ClassVar[bool] = True

    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        if given.groups is None or len(given.groups) != len(given.scores):
            message = "This repair needs the group of every headline."
            raise InputError(message, hint="Choose a grouping method, or another repair.")
        return from_labels(given.scores, averaged(given.scores), given.groups)


@repairs.register("fewest_changes.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FewestChanges(Repairer):
    """Changes as few decisions as are known to be enough; each counts the same, whatever its score.

    Source: Bansal, Blum and Chawla (2004), "Correlation Clustering", with one vote a pair.
    """

    summary: ClassVar[str] = "Changes as few decisions as possible"

    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        scores = given.scores
        least = given.least or least_changes(scores.links, scores.scored, runtime)
        return from_labels(scores, averaged(scores), least.labels)


@repairs.register("correlation_clustering.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CorrelationClustering(Repairer):
    """Groups that overrule the least evidence: log-odds of the averaged scores against the threshold.

    Components of positive evidence are solved exactly where small, else by greedy joining and moves.

    Source: Bansal, Blum and Chawla (2004), "Correlation Clustering"; Demaine et al. (2006) for weights;
    Grötschel and Wakabayashi (1989) for the cutting planes.
    """

    summary: ClassVar[str] = "Groups that overrule the least evidence; exact on small components"

    exact_up_to: int = number(40, 0, 80, _EXACT)

    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        scores = given.scores
        mean = averaged(scores)
        weights = log_odds(mean, scores.scored, scores.threshold)
        clustering = cluster(weights, runtime, exact_up_to=self.exact_up_to)
        return from_labels(scores, mean, clustering.labels, _bound_note(clustering))


def _bound_note(groups: Clustering) -> str:
    searched = int(np.count_nonzero(~groups.exact))
    if not searched:
        return "Best possible in every component."
    cost, bound = float(groups.cost.sum()), float(groups.bound.sum())
    return (
        f"Best possible in all but {searched} of {len(groups.exact):,} components. It overrules evidence of "
        f"{cost:,.1f} in log-odds; no groups overrule less than {bound:,.1f}."
    )


@repairs.register("triangle_smoothing.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TriangleSmoothing(Repairer):
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

    weight: float = number(0.5, 0.0, 1.0, "what the triangles count against the score")
    rounds: int = number(3, 1, 50, "how often scores are moved")
    sharpness: float = number(4.0, 0.1, 20.0, "how fast certainty grows away from the threshold")
    exact_up_to: int = number(40, 0, 80, _EXACT)

    def repair(self, given: RepairInput, runtime: Runtime) -> Repair:
        scores = given.scores
        odds = self.sharpness * log_odds(averaged(scores), scores.scored, scores.threshold)
        start = np.where(scores.scored, 1 / (1 + np.exp(-odds)), 0).astype(np.float32)
        np.fill_diagonal(start, 1.0)
        moved = start
        for _ in runtime.track(range(self.rounds), "Smoothing triangles"):
            scored = scores.scored
            known = scored.astype(np.float32)
            np.fill_diagonal(known, 1.0)
            for_it = moved @ moved
            linked_once = moved @ known
            against = linked_once + linked_once.T - 2 * for_it
            evidence = for_it / np.maximum(for_it + against / 2, np.float32(1e-9))
            mixed = (1 - np.float32(self.weight)) * start + np.float32(self.weight) * evidence
            mixed = np.where(scored, mixed, np.float32(0)).astype(np.float32)
            np.fill_diagonal(mixed, 1.0)
            moved = np.asarray(np.clip(mixed, 0, 1), dtype=np.float32)
        weights = log_odds(moved, scores.scored, 0.5)
        clustering = cluster(weights, runtime, exact_up_to=self.exact_up_to)
        threshold = scores.threshold
        # Straight lines take 1/2 back to the threshold and keep 0 and 1.
        back = np.where(moved < 0.5, moved * 2 * threshold, 1 - 2 * (1 - moved) * (1 - threshold))
        return from_labels(scores, back.astype(np.float32), clustering.labels)
