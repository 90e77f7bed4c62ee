"""What the commutative and the transitive test find in scores."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import IntArray
from core.consistency import score_matrix
from core.consistency.census import Census, census
from core.consistency.studies.scoring import ScoredSubject

SHOWN: Final = 50  # worst flips, triangles and changes that a page and a JSON object list


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    commutative: score_matrix.CommutativeTest
    census: Census
    triangles: score_matrix.BrokenTriangles
    breaks: IntArray
    changes: score_matrix.DecisionChanges
    signature: str

    def left_out(self, most: int) -> dict[str, int]:
        """How many flips, triangles and changes there are beyond so many of each."""
        totals = {
            "flips": self.commutative.flips,
            "triangles": self.census.two,
            "changes": self.changes.total,
        }
        return {kind: max(0, total - most) for kind, total in totals.items()}


def examine(scored: ScoredSubject, *, most: int = SHOWN) -> Findings:
    scores = scored.scores
    links = scores.links
    return Findings(
        commutative=score_matrix.commutative_test(scores, most=most),
        census=census(links, scored=scores.scored),
        triangles=score_matrix.worst_triangles(scores, most=most),
        breaks=score_matrix.break_counts(links, scores.scored),
        changes=score_matrix.best_changes(scores, most=most),
        signature=scored.signature,
    )


def contradictions(scores: score_matrix.ScoreMatrix, findings: Findings) -> IntArray:
    """Rows with a = b and a = c, but not b = c, the strongest first, int64 [k, 3]; flips before others."""
    worst, values, says = findings.commutative.worst, scores.probabilities, scores.decisions
    severities: dict[tuple[int, int, int], float] = {}
    for i, j in zip(worst.left.tolist(), worst.right.tolist(), strict=True):
        a, b = (i, j) if says[i, j] else (j, i)
        broken = says[a] & scores.scored[b] & ~says[b]
        broken[[a, b]] = False
        if not broken.any():
            continue
        severity = np.where(broken, np.minimum(values[a, b], values[a]) - values[b], -1)
        c = int(severity.argmax())
        severities[a, b, c] = float(severity[c] + abs(values[a, b] - values[b, a]))
    if severities:
        return np.array(sorted(severities, key=lambda rows: -severities[rows]), dtype=np.int64)
    triangles = findings.triangles
    return np.stack([triangles.centre, triangles.left, triangles.right], axis=1)
