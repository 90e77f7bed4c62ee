"""The worst broken triangles: two pairs linked, the third denied."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import BoolArray, Float32Array, IntArray
from core.consistency.score_matrix import ScoreMatrix

_PAIRS_AT_ONCE = 256


@dataclass(frozen=True, slots=True, eq=False)
class BrokenTriangles:
    """Triplets with two links and a third pair that is denied, the worst first.

    Attributes:
        centre: Row of the headline that both links share, int64 [k].
        left, right: Rows of the pair that is denied, left < right, int64 [k].
        link_left, link_right: Scores of centre with left and with right, float32 [k].
        denied: Score of left with right, float32 [k].
        severity: See `worst_triangles`, float32 [k], above 0 to 1, falling.
    """

    centre: IntArray
    left: IntArray
    right: IntArray
    link_left: Float32Array
    link_right: Float32Array
    denied: Float32Array
    severity: Float32Array

    def __len__(self) -> int:
        return len(self.centre)


def worst_triangles(scores: ScoreMatrix, *, most: int = 50) -> BrokenTriangles:
    """The broken triangles of greatest severity, exact, without listing all of them.

    Severity is the score of the weaker link less the score of the denied pair: how far the weaker
    link stands above the threshold and the denied pair below it, added. It is small where a slight
    change of one score would mend the triangle, and 1 where two links are certain and the third
    pair is certainly denied.

    The strongest links of two headlines bound the severity of every triangle that denies their
    pair. Denied pairs are visited by falling bound, and the search ends when no bound exceeds the
    least severity that is kept.
    """
    values, links = scores.listed, scores.links
    linked = np.where(links, values, np.float32(-1))
    left, right, bound = _denied_pairs(values, links, scores.scored & ~links, linked)
    centre, pair, severity = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32)
    for start in range(0, len(left), _PAIRS_AT_ONCE):
        if len(severity) >= most and bound[start] <= severity[-1]:
            break
        at = slice(start, start + _PAIRS_AT_ONCE)
        weaker = np.minimum(linked[left[at]], linked[right[at]])
        rows, columns = np.nonzero(weaker >= 0)
        bad = weaker[rows, columns] - values[left[at], right[at]][rows]
        severity = np.concatenate([severity, bad])
        centre, pair = np.concatenate([centre, columns]), np.concatenate([pair, rows + start])
        kept = np.lexsort((centre, right[pair], left[pair], -severity))[:most]
        centre, pair, severity = centre[kept], pair[kept], severity[kept]
    first, second = left[pair], right[pair]
    return BrokenTriangles(
        centre=centre,
        left=first,
        right=second,
        link_left=values[centre, first],
        link_right=values[centre, second],
        denied=values[first, second],
        severity=severity,
    )


def _denied_pairs(
    values: Float32Array, links: np.ndarray, denied: np.ndarray, linked: Float32Array
) -> tuple[IntArray, IntArray, Float32Array]:
    if not len(values):
        nothing = np.empty(0, np.int64)
        return nothing, nothing, np.empty(0, np.float32)
    graph = links.astype(np.float32)  # whole numbers to 2**24 are exact
    left, right = np.nonzero(np.triu(denied & (graph @ graph > 0), k=1))
    strongest = linked.max(axis=1)
    bound = np.minimum(strongest[left], strongest[right]) - values[left, right]
    order = np.argsort(-bound, kind="stable")
    return left[order], right[order], bound[order]


@dataclass(frozen=True, slots=True, eq=False)
class BreakCounts:
    """In how many broken triangles each headline and each pair stands."""

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
    """Counts broken triangles by headline and by pair, exactly."""
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
