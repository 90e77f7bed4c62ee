"""What a pair scorer is, and the list of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

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


@dataclass(frozen=True, slots=True, eq=False)
class PairContext:
    """The headlines that pairs are taken from.

    Attributes:
        texts: The headlines, n of them.
        days: Publication time in days, float64 [n]; NaN where unknown.
        vectors: Unit vectors, float32 [n, d]; [n, 0] when no encoder was asked for.
    """

    texts: Sequence[str]
    days: npt.NDArray[np.float64]
    vectors: Float32Array

    def __len__(self) -> int:
        return len(self.texts)


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

    scale: ClassVar[ScoreScale]
    window_days: float

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Does what is done once a timeline."""
        ...


pair_scorers: Registry[PairScorer] = Registry("pair scorer", "core.pairs")
