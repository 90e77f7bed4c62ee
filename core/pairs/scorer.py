"""What a pair scorer is, what it may ask for, how dates fade its scores, and the list of all of them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from core import plugin_files
from core.arrays import Float32Array, FloatArray, IntArray
from core.errors import InputError
from core.registry import Registry
from core.runtime import Runtime

if TYPE_CHECKING:
    from scipy import sparse


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """What a scorer's numbers mean: higher is more alike."""

    low: float = 0.0
    high: float = 1.0
    symmetric: bool = True


class Need(StrEnum):
    """What a scorer cannot do without, beside the headlines themselves."""

    VECTORS = "vectors"
    DATES = "dates"
    BODIES = "bodies"
    ANNOTATORS = "annotators"


NO_ANNOTATORS: IntArray = np.empty((0, 0), dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class PairContext:
    """The headlines that pairs are taken from, n of them."""

    texts: Sequence[str]
    days: FloatArray  # publication time in days, float64 [n]; NaN where unknown
    vectors: Float32Array  # unit vectors, float32 [n, d]; [n, 0] when no encoder was asked for
    bodies: Sequence[str] = ()  # texts of the articles, "" where unknown; empty when there are none at all
    # group number that each of k people gave, int64 [n, k], -1 for none; [0, 0] when nobody annotated
    annotators: IntArray = field(default_factory=lambda: NO_ANNOTATORS)

    def __len__(self) -> int:
        return len(self.texts)

    def reordered(self, order: IntArray) -> PairContext:
        """The same headlines in another order: row k is the old row order[k]."""
        return PairContext(
            texts=[self.texts[row] for row in order.tolist()],
            days=self.days[order],
            vectors=self.vectors[order],
            bodies=[self.bodies[row] for row in order.tolist()] if self.bodies else (),
            annotators=self.annotators[order] if len(self.annotators) else self.annotators,
        )


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One thing that a score is made of, for people."""

    name: str
    value: float
    multiplies: bool = False


Kind = TypeVar("Kind", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class PairList:
    """The pairs (left[k], right[k]); what is taken from them is [m]. See `Selection`."""

    left: IntArray
    right: IntArray

    def inner(self, vectors: Float32Array) -> Float32Array:
        return np.asarray(np.einsum("md,md->m", vectors[self.left], vectors[self.right]), dtype=np.float32)

    def shared(self, first: sparse.csr_matrix, second: sparse.csr_matrix) -> Float32Array:
        products = first[self.left].multiply(second[self.right]).sum(axis=1)
        return np.asarray(products, dtype=np.float32).ravel()

    def sides(self, values: npt.NDArray[Kind]) -> tuple[npt.NDArray[Kind], npt.NDArray[Kind]]:
        return values[self.left], values[self.right]

    def renumbered(self, places: IntArray) -> PairList:
        left, right = places[self.left], places[self.right]
        return PairList(np.minimum(left, right), np.maximum(left, right))


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """All pairs of two ranges of headlines; what is taken from them is [rows, columns]. See `Selection`."""

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


Selection = PairList | Tile
"""Pairs of headlines. Of a row or a value a headline it gives

- `inner`: inner products of the two rows of each pair, from float32 [n, d];
- `shared`: those of the left headline's row of one CSR matrix with the right one's of another; what the two
  say of a pair must not depend on its order;
- `sides`: the left and the right headline's value of each pair, as arrays that broadcast;
- `renumbered`: the same pairs where headlines stand in other places; the order inside a pair is lost.
"""


Asked = Callable[[bool], Float32Array]  # scores of pairs, or with the headlines exchanged (True)

_PAIRS_AT_ONCE = 65_536  # bounds the memory of gathered vectors: 2 × 100 MB at 384 dimensions


class PreparedScorer(Protocol):
    """A scorer that has seen the timeline."""

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        """Scores of the pairs (left[k], right[k]), float32 [m]."""
        ...

    def block(self, rows: slice, columns: slice) -> Float32Array:
        """Scores of all pairs of two ranges of headlines, float32 [rows, columns]."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """A prepared scorer that is one formula, whichever pairs it is asked for."""

    score: Callable[[Selection], Float32Array]

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        scores = np.empty(len(left), dtype=np.float32)
        for start in range(0, len(left), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            scores[part] = self.score(PairList(left[part], right[part]))
        return scores

    def block(self, rows: slice, columns: slice) -> Float32Array:
        return np.asarray(self.score(Tile(rows, columns)), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class PairByPair:
    """A prepared scorer that is asked for lists of pairs; a block is asked for in strips of rows."""

    size: int
    score: Callable[[IntArray, IntArray], Float32Array]
    rows_at_once: int = 64

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        return self.score(left, right)

    def block(self, rows: slice, columns: slice) -> Float32Array:
        everything = np.arange(self.size, dtype=np.int64)
        down, across = everything[rows], everything[columns]
        result = np.empty((len(down), len(across)), dtype=np.float32)
        for start in range(0, len(down), self.rows_at_once):
            some = down[start : start + self.rows_at_once]
            scores = self.pairs(np.repeat(some, len(across)), np.tile(across, len(some)))
            result[start : start + self.rows_at_once] = scores.reshape(len(some), len(across))
        return result


class PairScorer(ABC):
    """Base of all scorers: frozen dataclasses whose fields are their parameters.

    A scorer of one formula gives `summary`, `threshold`, `part` and `prepare`; what is below is for those
    that differ from the defaults. A property may be overridden by a class variable or by a field.
    """

    __slots__ = ()
    summary: ClassVar[str]  # one line for people
    part: ClassVar[str] = "score"  # what the score is called where it is taken apart
    fixed: ClassVar[str] = ""  # why no pairs choose the threshold; "" where training pairs do

    @property
    def inner(self) -> PairScorer:
        """The scorer that this one stands around; itself where it stands around none."""
        return self

    @property
    def innermost(self) -> PairScorer:
        return self if self.inner is self else self.inner.innermost

    @property
    def scale(self) -> ScoreScale:
        """Range and symmetry of the scores: 0 to 1 and symmetric."""
        return ScoreScale()

    @property
    def needs(self) -> frozenset[Need]:
        """What it cannot do without, nothing; a pair that lacks it gets no score outside grouping."""
        return frozenset()

    @property
    def encoder(self) -> str:
        """Signature of the only encoder whose vectors it reads; "" for the one that fits the language."""
        return ""

    @property
    def threshold(self) -> float:
        """Score from which two headlines are called the same event, 0.5; chosen on training pairs only.

        Those of the scorers that ship have the best F1 on the train parts of UCI, AllSides and ECB+, unless
        they say otherwise; benchmarks/thresholds.py chooses them again.
        """
        return 0.5

    @property
    def unfitted(self) -> str:
        """Why its threshold was fitted to nothing, a sentence; "" where it was chosen."""
        return "" if self.inner is self else self.inner.unfitted

    @property
    def window_days(self) -> float:
        """Headlines further apart than this are never compared; infinite, so that every pair is."""
        return math.inf

    @abstractmethod
    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Does what is done once a timeline.

        Raises:
            InputError: The context lacks what the scorer needs.
            ModelUnavailableError: Weights are missing or damaged.
            Cancelled: The runtime's stop was set.
        """

    def fade(self, left: FloatArray, right: FloatArray) -> Float32Array:
        """What the dates leave of scores, float32, 0 to 1; 1 everywhere, where dates are no factor.

        Args:
            left: Publication times in days, NaN where unknown.
            right: Those of the other headlines, of a shape that broadcasts with `left`.
        """
        return np.ones(np.broadcast_shapes(left.shape, right.shape), dtype=np.float32)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        """What the score of one pair is made of, in the order in which it is put together."""
        return (ScorePart(self.part, score),)

    def words(
        self, context: PairContext, left: int, right: int, runtime: Runtime
    ) -> tuple[tuple[ScorePart, ...], ...]:
        """What each word of the left and of the right text adds to the score; () where no words are read.

        Raises:
            CoreError: The scorer cannot run here, or the pair lacks what it needs.
            Cancelled: The runtime's stop was set.
        """
        return ()

    def from_inside(self, ask: Asked, days_apart: FloatArray) -> Float32Array | None:
        """Scores put together from those of the scorer inside; None where there is none.

        Args:
            ask: Scores of the scorer inside, float32; True asks with the two headlines exchanged.
            days_apart: Whole days between the headlines, of the same shape; NaN where unknown.
        """
        return None

    def variants(self, days_apart: FloatArray, labels: IntArray) -> Sequence[PairScorer]:
        """Scorers like this one among which labelled pairs choose the best; itself where nothing is tuned.

        Args:
            days_apart: Whole days between the headlines of each training pair, [m]; NaN where unknown.
            labels: 1 same event, 0 different, [m].
        """
        return (self,)


pair_scorers: Registry[PairScorer] = Registry("pair scorer", "core.pairs.scorers")


_SLACK: Final = 1e-4  # how far rounding may take a score out of its range, as a share of the range


def check_scores(scorer: PairScorer, scores: Float32Array, at: Callable[..., Iterable[str]]) -> None:
    """Refuses scores that are no numbers or out of range; `at` gives the headlines of a place in `scores`."""
    scale, inside = scorer.scale, scorer.innermost
    slack = _SLACK * (scale.high - scale.low)
    # A comparison with what is no number is false.
    if scores.size == 0 or (scores.min() >= scale.low - slack and scores.max() <= scale.high + slack):
        return
    wrong = np.argwhere(~np.isfinite(scores))
    what = "no number"
    hint = "Check the model's weights and its parameters, or choose another scorer."
    if not len(wrong):
        wrong = np.argwhere((scores < scale.low - slack) | (scores > scale.high + slack))
        what = f"{scores[tuple(wrong[0])]:g}, outside its range of {scale.low:g} to {scale.high:g},"
        hint = "Give it a `scale` that holds all its scores, or choose another scorer."
    own = plugin_files.file_of(type(inside))
    name = f"{pair_scorers.name_of(inside)} of {own}" if own else pair_scorers.name_of(scorer)
    apart = int((wrong[:, 0] != wrong[:, -1]).argmax())  # rather two headlines than one and itself
    first, second = (text[:80] for text in at(*wrong[apart].tolist()))
    raise InputError(
        f"The pair scorer {name} gave {what} for {len(wrong):,} of {scores.size:,} pairs, {first!r} and "
        f"{second!r} among them.",
        hint=f"Correct {own}, or choose another scorer." if own else hint,
    )


def require_vectors(context: PairContext) -> None:
    if len(context.vectors) != len(context) or (len(context) > 0 and context.vectors.shape[1] == 0):
        raise InputError(
            f"This scorer needs a vector for each of the {len(context)} headlines.", hint="Choose an encoder."
        )


TAU_DAYS: Final = {"help": "days after which a similarity has faded to 37 %", "low": 0.01, "high": 10_000.0}
WINDOW_DAYS: Final = {
    "help": "headlines further apart than this are never compared",
    "low": 0.0,
    "high": 100_000.0,
}

TAUS: Final = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
"""Time decays in days that are tried on training pairs; the paper tunes them the same way."""


def time_factor(days_apart: FloatArray, tau_days: float) -> Float32Array:
    """What a distance in time leaves of a similarity: exp(-|days| / tau)."""
    factor = np.abs(days_apart).astype(np.float32)
    factor /= np.float32(-tau_days)
    np.exp(factor, out=factor)
    return np.fmin(factor, np.float32(1.0), out=factor)  # takes the 1 beside a NaN


def time_part(days_apart: float, tau_days: float) -> ScorePart:
    """The time factor of one pair, in words; days_apart may be NaN."""
    factor = float(time_factor(np.array([days_apart]), tau_days)[0])
    if np.isnan(days_apart):
        return ScorePart("a date is missing, so time does not count", factor, multiplies=True)
    days = round(abs(days_apart))
    words = "the same day" if days == 0 else f"{days} day{'s' if days > 1 else ''} apart"
    return ScorePart(words, factor, multiplies=True)


def tau_variants(scorer: PairScorer) -> list[PairScorer]:
    """A scorer with the field `tau_days` once with each time decay of `TAUS`."""
    return [replace(scorer, tau_days=tau) for tau in TAUS]  # type: ignore[type-var]
