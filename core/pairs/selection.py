"""How common pairs of one event are in a timeline, found without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray

if TYPE_CHECKING:
    from scipy import sparse

SHARPNESS: Final = 1.5
DOUBT: Final = 1.2
"""The share is found from SHARPNESS × ratio − DOUBT: a pair counts only where the evidence is clear, since
what most pairs say of themselves shifts with the theme and would add up. Of nine values tried these lost
least on families of timelines that the weights had not seen; docs/decisions/0017-level-of-a-timeline.md has
the figures."""

USUAL_SHARE: Final = 1 / 7
USUAL_PAIRS: Final = 100
"""A few headlines cannot say how common events are: the level of the usual share, one to six as in HLGD,
counts as much as a hundred pairs. From some hundred headlines on that changes little."""

_EDGE: Final = 25.0
_BINS: Final = 5_000
_STEPS: Final = 500
_LEAST: Final = 1e-8
_NEAR: Final = 1e-6


def level_of(log_ratios: Float32Array) -> float:
    """What makes log likelihood ratios the log odds of one event on a timeline.

    The share of pairs that report one event is found by expectation-maximisation: with r the likelihood ratio
    of a pair, its probability at the share s is r s / (r s + 1 - s), and the share is the mean of these
    probabilities; the two steps are repeated until the share stands still. The level is then the number that,
    added to all ratios, makes the mean probability that share; few pairs draw it towards the usual one.

    Source: Saerens, Latinne and Decaestecker (2002), "Adjusting the outputs of a classifier to new a priori
    probabilities".

    Args:
        log_ratios: Of each pair, of any shape; [0] gives the level of the usual share.

    Returns:
        Finite.
    """
    counts, edges = np.histogram(np.clip(log_ratios, -_EDGE, _EDGE), _BINS, (-_EDGE, _EDGE))
    kept = counts > 0
    if not kept.any():
        return log_odds(USUAL_SHARE)
    ratios, weights = ((edges[:-1] + edges[1:]) / 2)[kept], counts[kept] / counts.sum()
    share = _share(SHARPNESS * ratios - DOUBT, weights)
    low, high = -2 * _EDGE, 2 * _EDGE
    while high - low > _NEAR:
        level = (low + high) / 2
        if weights @ (1 / (1 + np.exp(-ratios - level))) > share:
            high = level
        else:
            low = level
    pairs = int(counts.sum())
    return ((low + high) / 2 * pairs + log_odds(USUAL_SHARE) * USUAL_PAIRS) / (pairs + USUAL_PAIRS)


def _share(ratios: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> float:
    share = 0.01
    for _ in range(_STEPS):
        found = float(np.clip(weights @ (1 / (1 + np.exp(-ratios - log_odds(share)))), _LEAST, 1 - _LEAST))
        if abs(found - share) <= _NEAR * share:
            return found
        share = found
    return share


def log_odds(share: float) -> float:
    """ln(share / (1 - share)); the share is above 0 and below 1."""
    return float(np.log(share) - np.log1p(-share))


Kind = TypeVar("Kind", bound=np.generic)


class Selection(Protocol):
    """Pairs of headlines; everything taken from it has their shape."""

    def inner(self, vectors: Float32Array) -> Float32Array:
        """Inner products of the two rows of each pair, float32.

        Args:
            vectors: A row a headline, float32 [n, d].
        """
        ...

    def shared(self, first: sparse.csr_matrix, second: sparse.csr_matrix) -> Float32Array:
        """Inner products of the left headline's row of one matrix with the right one's of another.

        Args:
            first: A row a headline, float32 CSR [n, w].
            second: The same shape; what the two say of a pair must not depend on its order.
        """
        ...

    def sides(self, values: npt.NDArray[Kind]) -> tuple[npt.NDArray[Kind], npt.NDArray[Kind]]:
        """The left and the right headline's value of each pair, as arrays that broadcast.

        Args:
            values: One a headline, [n].
        """
        ...

    def renumbered(self, places: IntArray) -> Selection:
        """The same pairs of headlines that stand in another order, the order inside a pair lost.

        Args:
            places: Where each headline stands now, int64 [n].
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class PairList:
    """The pairs (left[k], right[k])."""

    left: IntArray
    right: IntArray

    @staticmethod
    def of(left: IntArray, right: IntArray) -> PairList:
        """The pairs with the lower row first: the order inside a pair is lost, so that it cannot matter."""
        return PairList(np.minimum(left, right), np.maximum(left, right))

    def inner(self, vectors: Float32Array) -> Float32Array:
        return np.asarray(np.einsum("md,md->m", vectors[self.left], vectors[self.right]), dtype=np.float32)

    def shared(self, first: sparse.csr_matrix, second: sparse.csr_matrix) -> Float32Array:
        found = first[self.left].multiply(second[self.right]).sum(axis=1)
        return np.asarray(found, dtype=np.float32).ravel()

    def sides(self, values: npt.NDArray[Kind]) -> tuple[npt.NDArray[Kind], npt.NDArray[Kind]]:
        return values[self.left], values[self.right]

    def renumbered(self, places: IntArray) -> PairList:
        return PairList.of(places[self.left], places[self.right])


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """All pairs of two ranges of headlines, [rows, columns]."""

    rows: Any
    columns: Any

    def inner(self, vectors: Float32Array) -> Float32Array:
        return np.asarray(vectors[self.rows] @ vectors[self.columns].T, dtype=np.float32)

    def shared(self, first: sparse.csr_matrix, second: sparse.csr_matrix) -> Float32Array:
        return np.asarray((first[self.rows] @ second[self.columns].T).toarray(), dtype=np.float32)

    def sides(self, values: npt.NDArray[Kind]) -> tuple[npt.NDArray[Kind], npt.NDArray[Kind]]:
        return values[self.rows][:, None], values[self.columns][None, :]

    def renumbered(self, places: IntArray) -> Tile:
        return Tile(places[self.rows], places[self.columns])
