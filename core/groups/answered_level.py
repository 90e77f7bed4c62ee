"""Answers on whether two headlines report one event, and the level of the slider that follows from them."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.groups.granularity import CUTS
from core.groups.joins import TreeJoins

NARROW: Final = 0.03
WIDE: Final = 0.10
FAR: Final = 0.4
"""How far the best cut lies from the suggested one: by NARROW (a deviation), in a share of FAR by WIDE."""
SOFTNESS: Final = 0.04  # over how much height answers turn from "same" to "different"
ERRORS: Final = 0.1  # share of answers that are wrong whatever the level
WEIGHT: Final = 0.5  # of an answer: a link speaks for many pairs, and unsure ones were chosen (decision 17)
ACCEPTED: Final = 0.8  # share of the plausible levels that lie in the range that people accept


class PairAnswer(NamedTuple):
    left: int  # rows
    right: int
    same: bool | None  # None for "not sure"


class AnsweredLevel:
    """The level that answers make plausible, by where a tree joins what they are about."""

    def __init__(self, joins: TreeJoins, start: float, answers: Sequence[PairAnswer] = ()) -> None:
        decided = [answer for answer in answers if answer.same is not None]
        away = CUTS - start
        logs = np.log(
            (1.0 - FAR) * np.exp(-0.5 * (away / NARROW) ** 2) / NARROW
            + FAR * np.exp(-0.5 * (away / WIDE) ** 2) / WIDE
            + 1e-12
        )
        for answer in decided:
            same = _chance_of_same(joins.height(answer.left, answer.right))
            logs += WEIGHT * np.log(same if answer.same else 1.0 - same)
        shares = np.exp(logs - logs.max())
        self.shares: FloatArray = shares / shares.sum()
        """Probability of each of `CUTS`, float64."""
        self.level = self._quantile(0.5) if decided else start
        """The median of what is plausible; the suggested level where nothing was decided."""

    @property
    def accepted(self) -> tuple[float, float]:
        """The levels between which people accept the groups, most probably."""
        return self._quantile((1 - ACCEPTED) / 2), self._quantile((1 + ACCEPTED) / 2)

    def probability(self, heights: FloatArray) -> FloatArray:
        """The probability that what a tree joins at some heights is one event, float64 [heights]."""
        return np.asarray(self.shares @ _chance_of_same(heights))

    def _quantile(self, share: float) -> float:
        return float(CUTS[min(int(np.searchsorted(np.cumsum(self.shares), share)), len(CUTS) - 1)])


def _chance_of_same(heights: FloatArray | float) -> FloatArray:
    """Probability of "same" at each of `CUTS` for what is joined at heights, [cuts] or [cuts, heights]."""
    away = np.subtract.outer(CUTS, heights)
    return np.asarray(ERRORS + (1.0 - 2.0 * ERRORS) / (1.0 + np.exp(-away / SOFTNESS)))
