"""How large a study of two systems has to be: simulated studies, from the spread of answers."""

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.errors import InputError
from core.statistics import crossed, simulated_studies
from core.statistics.bootstrap import ENOUGH

FEWEST_ITEMS, MOST_ITEMS, MOST_JUDGES = ENOUGH, 1_000, 100  # of a study that is planned


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSpread:
    """Standard deviations of the difference of two systems, as shares of the most points, 0-1."""

    items: float  # between items: one system is better on some articles
    judges: float  # between judges: some favour one system on all items
    answers: float  # between single answers, when item and judge are accounted for

    @property
    def variances(self) -> tuple[float, float, float]:
        return self.items**2, self.judges**2, self.answers**2

    def __post_init__(self) -> None:
        given = (self.items, self.judges, self.answers)
        if not all(0 <= share <= 1 for share in given) or not any(given):  # NaN is no share either
            said = "A spread is a share of the most points: 0 to 100 %, and one of the three above 0."
            raise InputError(said, hint="Give three percentages: between items, judges and answers.")


def spread_of(points: FloatArray) -> AnswerSpread:
    """The spread in a pilot; where only one judge answered, judges are taken to agree."""
    given = ~np.isnan(points)
    if given.any(axis=0).sum() < 2:
        said = "The pilot has answers about fewer than two items."
        raise InputError(said, hint="Give more answers about both systems.")
    if np.ptp(points[given]) == 0:
        said = "All answers of the pilot give the two systems the same difference, so it has no spread."
        raise InputError(said, hint="Give more answers, or the spread itself.")
    items, judges, answers = map(math.sqrt, crossed.variances(points))
    return AnswerSpread(items=items, judges=judges, answers=answers)


def simulate(
    spread: AnswerSpread, *, items: int, judges: int, studies: int = simulated_studies.STUDIES, seed: int = 0
) -> simulated_studies.SimulatedStudies:
    drawn = {"answers": items * judges, "studies": studies, "seed": seed}
    return simulated_studies.simulated(spread.variances, items=items, judges=judges, **drawn)


def needed(
    spread: AnswerSpread,
    difference: float,
    *,
    items: int | None = None,
    judges: int | None = None,
    wanted: float = simulated_studies.WANTED,
    seed: int = 0,
) -> tuple[int | None, simulated_studies.SimulatedStudies]:
    """The fewest items, or judges, that find a difference often enough, and studies with so many."""
    most = MOST_ITEMS if items is None else MOST_JUDGES
    counts = range(FEWEST_ITEMS if items is None else crossed.FEW_JUDGES, most + 1)

    def studies(count: int) -> simulated_studies.SimulatedStudies:
        return simulate(spread, items=items or count, judges=judges or count, seed=seed)

    place = bisect_left(counts, wanted, key=lambda count: studies(count).power(difference))
    return (counts[place], studies(counts[place])) if place < len(counts) else (None, studies(most))


SUMMEVAL: Final = AnswerSpread(items=0.17, judges=0.03, answers=0.15)  # median over pairs of systems
