"""Who breaks most: broken triangles of each headline, and what changing one decision would mend."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.consistency.score_matrix import BoolArray, ScoreMatrix
from core.similarities import Float32Array, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class BreakCounts:
    """In how many broken triangles each headline and each pair stands.

    Attributes:
        of_headline: int64 [n].
        of_pair: int64 [n, n], symmetric; 0 where a pair was not scored.
    """

    of_headline: IntArray
    of_pair: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class DecisionChanges:
    """Pairs whose other decision would mend most, the best first.

    Attributes:
        left, right: Rows, left < right, int64 [k].
        linked: Whether the pair is linked now, bool [k].
        score: Its score, float32 [k].
        mended: Broken triangles that the change mends, int64 [k].
        broken: Whole ones that it breaks, int64 [k].
    """

    left: IntArray
    right: IntArray
    linked: BoolArray
    score: Float32Array
    mended: IntArray
    broken: IntArray

    @property
    def net(self) -> IntArray:
        """Mended less broken, int64 [k], above 0, falling."""
        return np.asarray(self.mended - self.broken, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.left)


def break_counts(links: BoolArray, scored: BoolArray) -> BreakCounts:
    """Counts broken triangles by headline and by pair, exactly.

    Args:
        links: Decisions, bool [n, n], symmetric.
        scored: Pairs that have a decision, bool [n, n], symmetric, the diagonal false.
    """
    both, one = _neighbours(links, scored)
    of_pair = np.where(links, one, both)
    of_pair[~scored] = 0
    # Each broken triangle of a headline is counted at two of its pairs.
    return BreakCounts(of_pair.sum(axis=1) // 2, of_pair)


def best_changes(scores: ScoreMatrix, *, most: int = 50) -> DecisionChanges:
    """The single decisions whose change lowers the number of broken triangles most, exactly.

    Denying a linked pair mends the broken triangles in which it is one of the two links (110 becomes
    100) and breaks those whose three pairs are linked (111 becomes 110). Linking a denied pair mends
    those in which it is the denied one (110 becomes 111) and breaks those with one other link (100
    becomes 110).
    """
    links = scores.links
    both, one = _neighbours(links, scores.scored)
    net = np.where(links, one - both, both - one)
    left, right = np.nonzero(np.triu(scores.scored & (net > 0), k=1))
    order = np.argsort(-net[left, right], kind="stable")[:most]
    left, right = left[order], right[order]
    linked = links[left, right]
    return DecisionChanges(
        left=left,
        right=right,
        linked=linked,
        score=scores.listed[left, right],
        mended=np.where(linked, one[left, right], both[left, right]),
        broken=np.where(linked, both[left, right], one[left, right]),
    )


def _neighbours(links: BoolArray, scored: BoolArray) -> tuple[IntArray, IntArray]:
    """For each pair how many third headlines are linked to both, and to one while denied to the other."""
    graph = links.astype(np.float32)
    denied = (scored & ~links).astype(np.float32)
    both = (graph @ graph).astype(np.int64)
    once = (graph @ denied).astype(np.int64)
    return both, once + once.T
