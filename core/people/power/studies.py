"""Simulated studies: how often a difference between two systems is found, and which is found often enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.people.power.spread import AnswerSpread
from core.statistics.bootstrap import bootstrap_sums
from core.statistics.few_units import ENOUGH

FloatArray = npt.NDArray[np.float64]

STUDIES: Final = 1_000
"""Simulated studies a design; a share of them is right to about three percentage points."""
RESAMPLES: Final = 1_000
WANTED: Final = 0.8
"""Share of studies that should find the difference."""
SIZES: Final = (10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400, 500, 750, 1_000)
"""Items that are tried, from few to many."""
_PARTS: Final = 40


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedStudies:
    """Studies of one design in which both systems are equally good.

    Attributes:
        items: Of each study.
        judges: Of each item.
        lows: Lower end of each study's 95 % interval of the difference, float64 [studies].
        highs: Upper end.
    """

    items: int
    judges: int
    lows: FloatArray
    highs: FloatArray

    @property
    def testable(self) -> bool:
        """Whether there are items enough for an interval that one may rely on."""
        return self.items >= ENOUGH

    @property
    def false_alarms(self) -> float:
        """Share of the studies whose interval leaves out 0 although there is no difference, 0-1."""
        return float(((self.lows > 0) | (self.highs < 0)).mean())

    def power(self, difference: float) -> float:
        """Share of the studies that find a difference: their interval lies above 0.

        Args:
            difference: Of the systems, above 0, as a share of the most points.
        """
        return float((self.lows + difference > 0).mean())

    def detectable(self, wanted: float = WANTED) -> float:
        """The smallest difference that so large a share of the studies finds."""
        ends = np.sort(-self.lows)
        return float(ends[min(len(ends) - 1, int(np.ceil(wanted * len(ends))) - 1)])


def simulate(
    spread: AnswerSpread, *, items: int, judges: int, studies: int = STUDIES, seed: int = 0
) -> SimulatedStudies:
    """Draws studies in which every judge answers about every item, and their intervals.

    Items, judges and answers vary normally. The interval is that of the tables: percentiles of a bootstrap
    over items, with all judges of an item. It takes the judges as given; where they favour different systems
    it is too sure, and `false_alarms` says by how much.

    A difference between the systems moves all ends by as much, so one simulation answers for every size.

    Args:
        spread: How far the difference varies.
        items: Of each study, 1 or more.
        judges: Of each item, 1 or more.
        studies: How many are drawn.
        seed: Of the draws.
    """
    rng = np.random.default_rng(seed)
    means = rng.normal(0, spread.items, (items, studies))
    means += rng.normal(0, spread.judges / np.sqrt(judges), studies)
    means += rng.normal(0, spread.answers / np.sqrt(judges), (items, studies))
    drawn = bootstrap_sums(means, resamples=RESAMPLES, seed=seed) / items
    rank = -(-(RESAMPLES + 1) // _PARTS) - 1
    ends = np.partition(drawn, (rank - 1, RESAMPLES - rank), axis=0)
    return SimulatedStudies(items, judges, ends[rank - 1], ends[RESAMPLES - rank])


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySize:
    """What a study with so many judges needs.

    Attributes:
        judges: Of each item.
        items: Fewest of `SIZES` that find the difference often enough; None where none does.
        power: Share of studies with so many items (the most, where None) that find it, 0-1.
        false_alarms: Share of studies that find a difference where there is none.
    """

    judges: int
    items: int | None
    power: float
    false_alarms: float


def needed(
    spread: AnswerSpread, difference: float, *, judges: int, wanted: float = WANTED, seed: int = 0
) -> StudySize:
    """How many items find a difference often enough, with so many judges an item.

    Args:
        spread: How far the difference varies.
        difference: Its size, above 0, as a share of the most points.
        judges: Of each item.
        wanted: Share of studies that should find it, 0-1.
        seed: Of the draws.
    """
    low, high = 0, len(SIZES) - 1
    last = simulate(spread, items=SIZES[high], judges=judges, seed=seed)
    if last.power(difference) < wanted:
        return StudySize(
            judges=judges, items=None, power=last.power(difference), false_alarms=last.false_alarms
        )
    while low < high:
        middle = (low + high) // 2
        found = simulate(spread, items=SIZES[middle], judges=judges, seed=seed)
        if found.power(difference) >= wanted:
            high, last = middle, found
        else:
            low = middle + 1
    return StudySize(
        judges=judges,
        items=SIZES[high],
        power=last.power(difference),
        false_alarms=last.false_alarms,
    )
