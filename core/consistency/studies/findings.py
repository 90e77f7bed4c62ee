"""Both tests of the paper on one scorer's decisions, with what breaks worst."""

from __future__ import annotations

from dataclasses import dataclass

from core.consistency.breaks import BreakCounts, DecisionChanges, best_changes, break_counts
from core.consistency.census import Census, census
from core.consistency.commutative import CommutativeTest, commutative_test
from core.consistency.studies.scoring import ScoredSubject
from core.consistency.triangles import BrokenTriangles, worst_triangles

SHOWN = 50
"""Worst flips, triangles and changes that are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What the tests found; rows are those of the subject's headlines.

    Attributes:
        commutative: Flips.
        census: Triplets by links; of an asymmetric scorer's two answers that of the earlier row first.
        triangles: The worst broken ones.
        breaks: Broken triangles by headline and by pair.
        changes: Decisions whose change would mend most.
        signature: Of the scores.
    """

    commutative: CommutativeTest
    census: Census
    triangles: BrokenTriangles
    breaks: BreakCounts
    changes: DecisionChanges
    signature: str


def examine(scored: ScoredSubject, *, most: int = SHOWN) -> Findings:
    """Runs both tests."""
    scores = scored.scores
    links = scores.links
    return Findings(
        commutative=commutative_test(scores, most=most),
        census=census(links, scored=scores.scored),
        triangles=worst_triangles(scores, most=most),
        breaks=break_counts(links, scores.scored),
        changes=best_changes(scores, most=most),
        signature=scored.signature,
    )
