"""Scorers around other scorers: how the inner one is written down and read, and what is passed on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.pairs.scorer import Need, PairContext, PairScorer, Part, ScoreScale, pair_scorers
from core.similarities import Float32Array

DEEPEST = 8
"""Scorers that may stand around each other: more is a mistake, and reading them recurses."""

BASE: Final[Mapping[str, Any]] = MappingProxyType(
    {"help": "the scorer inside: its name, or its signature", "label": "Scorer inside"}
)
"""What a wrapper says of its field `base`."""


class Wrapper:
    """Base of scorers around another: what they do not change is the inner scorer's.

    The field `base`, a name or a signature, is completed to the full signature, so that the
    wrapper's own signature pins the version and all parameters of what is inside.

    Raises:
        UnknownNameError: No scorer has that name.
        InputError: An unknown parameter, a value out of range, or too many scorers inside each other.
    """

    __slots__ = ()

    base: str

    def __post_init__(self) -> None:
        if self.base.count("(") > DEEPEST:
            raise InputError(
                f"More than {DEEPEST} scorers stand around each other.", hint="Leave some of them out."
            )
        object.__setattr__(self, "base", pair_scorers.signature(_parsed(self.base)))

    @property
    def inner(self) -> PairScorer:
        """The scorer inside."""
        return _parsed(self.base)

    @property
    def inside(self) -> tuple[PairScorer, ...]:
        """The same, as `core.models.weights.taking_part` reads it."""
        return (self.inner,)

    @property
    def scale(self) -> ScoreScale:
        """That of the scorer inside."""
        return self.inner.scale

    @property
    def needs(self) -> frozenset[Need]:
        """What the scorer inside needs."""
        return self.inner.needs

    @property
    def threshold(self) -> float:
        """That of the scorer inside."""
        return self.inner.threshold

    @property
    def window_days(self) -> float:
        """That of the scorer inside."""
        return self.inner.window_days

    def fade(self, left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> Float32Array:
        """What the dates leave of the scores inside."""
        return self.inner.fade(left, right)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The parts of the scorer inside."""
        return self.inner.parts(context, left, right, score)


@lru_cache(maxsize=256)
def _parsed(signature: str) -> PairScorer:
    """A scorer from its signature: read once, as each layer of a deep one would read all below it again."""
    return pair_scorers.parse(signature)
