"""What a pair scorer is, what it may ask for, and the list of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.registry import Registry
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """What a scorer's numbers mean: higher is more alike.

    Attributes:
        low: Least possible score.
        high: Greatest possible score.
        symmetric: Swapping the two headlines never changes the score.
    """

    low: float
    high: float
    symmetric: bool


class Need(StrEnum):
    """What a scorer cannot do without, beside the headlines themselves."""

    VECTORS = "vectors"
    DATES = "dates"
    BODIES = "bodies"
    ANNOTATORS = "annotators"


NO_ANNOTATORS: IntArray = np.empty((0, 0), dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class PairContext:
    """The headlines that pairs are taken from.

    Attributes:
        texts: The headlines, n of them.
        days: Publication time in days, float64 [n]; NaN where unknown.
        vectors: Unit vectors, float32 [n, d]; [n, 0] when no encoder was asked for.
        bodies: Texts of the articles, n of them, "" where unknown; empty when there are none at all.
        annotators: Group number that each of k people gave, int64 [n, k], -1 for none; [0, 0] when
            nobody annotated.
    """

    texts: Sequence[str]
    days: npt.NDArray[np.float64]
    vectors: Float32Array
    bodies: Sequence[str] = ()
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
class Part:
    """One thing that a score is made of, for people.

    Attributes:
        name: What it is: "meaning", "shared words", "2 days apart", …
        value: Its amount.
        multiplies: It is a factor; else a value of its own or an amount that is added.
    """

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


class PairScorer(Protocol):
    """A frozen dataclass that scores pairs of headlines."""

    summary: ClassVar[str]

    @property
    def scale(self) -> ScoreScale:
        """Range and symmetry of the scores."""
        ...

    @property
    def needs(self) -> frozenset[Need]:
        """What it cannot do without; a pair that lacks it gets no score outside grouping."""
        ...

    @property
    def threshold(self) -> float:
        """Score from which two headlines are called the same event; chosen on training pairs only."""
        ...

    @property
    def window_days(self) -> float:
        """Headlines further apart than this are never compared; infinite when time plays no part."""
        ...

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Does what is done once a timeline."""
        ...

    def fade(self, left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> Float32Array:
        """What the dates leave of scores, float32, 0 to 1; 1 everywhere where time is no factor.

        Args:
            left: Publication times in days, NaN where unknown.
            right: Those of the other headlines, of a shape that broadcasts with `left`.
        """
        ...

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """What the score of one pair is made of, in the order in which it is put together."""
        ...


pair_scorers: Registry[PairScorer] = Registry("pair scorer", "core.pairs")


def require_vectors(context: PairContext) -> None:
    """Checks that the context holds a vector of each headline.

    Raises:
        InputError: There are no vectors, or not one a headline.
    """
    if len(context.vectors) != len(context) or (len(context) > 0 and context.vectors.shape[1] == 0):
        raise InputError(
            f"This scorer needs a vector for each of the {len(context)} headlines.",
            hint="Choose an encoder.",
        )
