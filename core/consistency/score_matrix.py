"""Scores of all pairs of headlines in both orders: order asymmetries and the worst broken triangles."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, Float32Array, IntArray
from core.consistency.clustering import components
from core.errors import InputError

ROWS_AT_ONCE = 1_024  # bounds the scratch memory of a scan over a full matrix
_PAIRS_AT_ONCE = 256


@dataclass(frozen=True, slots=True, eq=False)
class ScoreMatrix:
    """Scores of n headlines against each other; made by `score_matrix`."""

    probabilities: Float32Array  # [i, j]: 0 to 1 with headline i first; 0 where a pair is not scored, [n, n]
    scored: BoolArray  # which pairs have a score, [n, n], symmetric, false on the diagonal
    threshold: float  # score from which two headlines are called the same event

    def __len__(self) -> int:
        return len(self.probabilities)

    @property
    def decisions(self) -> BoolArray:
        """The decision in each order, bool [n, n]; may differ from its transpose."""
        return np.asarray(self.scored & (self.probabilities >= np.float32(self.threshold)))

    @property
    def listed(self) -> Float32Array:
        """One score a pair, that of the earlier row first, as the paper's transitive test reads a model."""
        upper = np.triu(self.probabilities, k=1)
        return np.asarray(upper + upper.T, dtype=np.float32)

    @property
    def links(self) -> BoolArray:
        """One decision a pair, that of the earlier row first, bool [n, n], symmetric."""
        return np.asarray(self.scored & (self.listed >= np.float32(self.threshold)))

    @property
    def pairs(self) -> int:
        return int(np.count_nonzero(self.scored)) // 2


def score_matrix(
    probabilities: npt.ArrayLike, threshold: float, *, mask: BoolArray | None = None
) -> ScoreMatrix:
    """Makes a `ScoreMatrix` of checked scores, with a mask of those of pairs in both orders alone."""
    values = np.array(probabilities, dtype=np.float32)
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        message = f"Scores of all pairs are a square table, not one of shape {values.shape}."
        raise InputError(message, hint="Give one row and one column a headline.")
    if not 0.0 < threshold <= 1.0:
        message = f"The threshold is {threshold}, not a number above 0 and at most 1."
        raise InputError(message, hint="Give a score such as 0.5.")
    if mask is not None and (mask.shape != values.shape or mask.dtype != np.bool_):
        message = f"The mask has shape {mask.shape}, the scores have {values.shape}."
        raise InputError(message, hint="Give one true or false for each score.")
    scored = ~np.eye(len(values), dtype=np.bool_)
    scored &= True if mask is None else mask & mask.T
    bad = scored & ~((values >= 0) & (values <= 1))
    if bad.any():
        row, column = (int(place) for place in np.argwhere(bad)[0])
        raise InputError(
            f"The score of headlines {row} and {column} is {values[row, column]}, not a number from 0 to 1.",
            hint="Leave pairs without a score out by a mask.",
        )
    values[~scored] = 0
    return ScoreMatrix(values, scored, float(threshold))


def is_transitive(decisions: BoolArray, scored: BoolArray) -> bool:
    labels = components(decisions)
    together = labels[:, None] == labels[None, :]
    return not bool(np.any(together & scored & ~decisions))


@dataclass(frozen=True, slots=True, eq=False)
class FlippedPairs:
    """Pairs whose decision depends on the order, the largest change of score first."""

    left: IntArray
    right: IntArray
    forward: Float32Array
    backward: Float32Array

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True, slots=True, eq=False)
class CommutativeTest:
    pairs: int
    flips: int
    mean_change: float | None
    worst: FlippedPairs

    @property
    def flip_rate(self) -> float | None:
        """Flips over pairs, 0 to 1; None without pairs."""
        return self.flips / self.pairs if self.pairs else None


def commutative_test(scores: ScoreMatrix, *, most: int = 50) -> CommutativeTest:
    """Compares both orders of every scored pair; HLGD (Laban, Bandarkar and Hearst 2021), section 5.1."""
    threshold = np.float32(scores.threshold)
    pairs = flips = 0
    change = 0.0
    flipped_pairs: list[tuple[IntArray, IntArray, Float32Array, Float32Array]] = []
    for start in range(0, max(len(scores), 1), ROWS_AT_ONCE):
        forward = scores.probabilities[start : start + ROWS_AT_ONCE, start:]
        backward = scores.probabilities[start:, start : start + ROWS_AT_ONCE].T
        counted = np.triu(scores.scored[start : start + ROWS_AT_ONCE, start:], k=1)
        flipped = counted & ((forward >= threshold) != (backward >= threshold))
        pairs += int(np.count_nonzero(counted))
        flips += int(np.count_nonzero(flipped))
        change += float(np.abs(forward - backward)[counted & ~flipped].sum(dtype=np.float64))
        rows, columns = np.nonzero(flipped)
        flipped_pairs.append((rows + start, columns + start, forward[rows, columns], backward[rows, columns]))
    held = pairs - flips
    left, right, first, second = (np.concatenate(part) for part in zip(*flipped_pairs, strict=True))
    order = np.argsort(-np.abs(first - second), kind="stable")[:most]
    worst = FlippedPairs(left[order], right[order], first[order], second[order])
    return CommutativeTest(pairs, flips, change / held if held else None, worst)


@dataclass(frozen=True, slots=True, eq=False)
class BrokenTriangles:
    """Triplets with two links and a third pair that is denied, the worst first, [k] each."""

    centre: IntArray  # row of the headline that both links share
    left: IntArray  # rows of the pair that is denied, left < right
    right: IntArray
    link_left: Float32Array  # scores of centre with left and with right
    link_right: Float32Array
    denied: Float32Array  # score of left with right
    severity: Float32Array  # see `worst_triangles`, above 0 to 1, falling

    def __len__(self) -> int:
        return len(self.centre)


def worst_triangles(scores: ScoreMatrix, *, most: int = 50) -> BrokenTriangles:
    """The broken triangles whose weaker link exceeds the denied pair most, exactly, without listing all."""
    # The strongest links of two headlines bound the severity of every triangle that denies their pair: denied
    # pairs are visited by falling bound, and the search ends when no bound exceeds the least that is kept.
    values, links = scores.listed, scores.links
    linked = np.where(links, values, np.float32(-1))
    graph = links.astype(np.float32)  # whole numbers to 2**24 are exact
    left, right = np.nonzero(np.triu(scores.scored & ~links & (graph @ graph > 0), k=1))
    strongest = linked.max(axis=1, initial=-1)
    bound = np.minimum(strongest[left], strongest[right]) - values[left, right]
    order = np.argsort(-bound, kind="stable")
    left, right, bound = left[order], right[order], bound[order]
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
        worst = np.lexsort((centre, right[pair], left[pair], -severity))[:most]
        centre, pair, severity = centre[worst], pair[worst], severity[worst]
    first, second = left[pair], right[pair]
    read = values[centre, first], values[centre, second], values[first, second]
    return BrokenTriangles(centre, first, second, *read, severity)


@dataclass(frozen=True, slots=True, eq=False)
class DecisionChanges:
    """Pairs whose other decision mends most, best first; `net` is mended less newly broken triangles."""

    left: IntArray
    right: IntArray
    linked: BoolArray
    score: Float32Array
    net: IntArray
    total: int  # of which these are the best

    def __len__(self) -> int:
        return len(self.left)


def break_counts(links: BoolArray, scored: BoolArray) -> IntArray:
    """In how many broken triangles each headline stands, exactly, int64 [n]."""
    both, single = _neighbours(links, scored)
    of_pair = np.where(links, single, both)
    of_pair[~scored] = 0
    # Each broken triangle of a headline is counted at two of its pairs.
    return np.asarray(of_pair.sum(axis=1) // 2, dtype=np.int64)


def best_changes(scores: ScoreMatrix, *, most: int = 50) -> DecisionChanges:
    """The single decisions whose change lowers the number of broken triangles most, exactly."""
    links = scores.links
    both, single = _neighbours(links, scores.scored)
    net = np.where(links, single - both, both - single)
    left, right = np.nonzero(np.triu(scores.scored & (net > 0), k=1))
    total, order = len(left), np.argsort(-net[left, right], kind="stable")[:most]
    left, right = left[order], right[order]
    at = left, right
    return DecisionChanges(left, right, links[at], scores.listed[at], net[at], total)


def _neighbours(links: BoolArray, scored: BoolArray) -> tuple[IntArray, IntArray]:
    graph = links.astype(np.float32)
    denied = (scored & ~links).astype(np.float32)
    both = (graph @ graph).astype(np.int64)
    once = (graph @ denied).astype(np.int64)
    return both, once + once.T
