"""What a pair scorer is: base, scale, needs, prepared forms, and the list of all of them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, Protocol

import numpy as np

from core import plugin_files
from core.arrays import Float32Array, FloatArray, IntArray
from core.errors import InputError
from core.pairs.context import PairContext
from core.pairs.selection import PairList, Selection, Tile
from core.registry import Registry
from core.runtime import Runtime

Asked = Callable[[bool], Float32Array]  # scores of pairs, or with the headlines exchanged (True)
_PAIRS_AT_ONCE = 65_536  # bounds the memory of gathered vectors: 2 × 100 MB at 384 dimensions
_SLACK: Final = 1e-4  # how far rounding may take a score out of its range, as a share of the range


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


@dataclass(frozen=True, slots=True)
class ScorePart:
    name: str
    value: float
    multiplies: bool = False


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
    unread: ClassVar[str] = ""  # why a pair may get no score (NaN), a sentence; "" where every pair gets one
    calibrated: ClassVar[bool] = False  # its scores are probabilities of one event in the timeline at hand

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
