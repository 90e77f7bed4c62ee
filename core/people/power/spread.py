"""Why answers differ: how far the difference of two systems varies from item to item and judge to judge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.people.ratings import Ratings
from core.statistics.crossed import variances

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSpread:
    """Standard deviations of the difference of two systems, as shares of the most points, 0-1.

    Attributes:
        items: Between items: one system is better on some articles.
        judges: Between judges: some favour one system on all items.
        answers: Between single answers, when item and judge are accounted for.
    """

    items: float
    judges: float
    answers: float

    def __post_init__(self) -> None:
        """Refuses what is no spread."""
        given = (self.items, self.judges, self.answers)
        if not all(math.isfinite(one) and 0 <= one <= 1 for one in given) or not any(given):
            raise InputError(
                "A spread is a share of the most points: 0 to 100 %, and one of the three above 0.",
                hint="Give three percentages: between items, judges and answers.",
            )


SUMMEVAL: Final = AnswerSpread(items=0.17, judges=0.03, answers=0.15)
"""For a study without a pilot: the median over all pairs of the twelve systems of SummEval and its four
questions, as three experts answered them from 1 to 5."""


def differences(ratings: Ratings, question: int, one: int, other: int) -> FloatArray:
    """How many points more each judge gave the first system than the other, float64 [judges, items].

    Points are shares of the most there could be; NaN where either has no answer that counts.
    """
    counted = ratings.counted()[:, question]
    most = ratings.form.questions[question].most(len(ratings.task.systems))
    return np.asarray((counted[:, :, one] - counted[:, :, other]) / most, dtype=np.float64)


def spread_of(points: FloatArray) -> AnswerSpread:
    """The spread in a pilot; where only one judge answered, judges are taken to agree."""
    given = ~np.isnan(points)
    if int(given.any(axis=0).sum()) < 2:
        raise InputError(
            "The pilot has answers about fewer than two items.", hint="Give more answers about both systems."
        )
    if np.ptp(points[given]) == 0:
        raise InputError(
            "All answers of the pilot give the two systems the same difference, so it has no spread.",
            hint="Give more answers, or the spread itself.",
        )
    items, judges, answers = map(math.sqrt, variances(points))
    return AnswerSpread(items=items, judges=judges, answers=answers)


def pilot_spread(ratings: Ratings, questions: Sequence[str], systems: Sequence[str]) -> AnswerSpread:
    """The spread of one question and two systems in a pilot."""
    keys = [question.key for question in ratings.form.questions]
    if len(questions) != 1 or questions[0] not in keys:
        raise InputError(
            "A pilot's spread is that of one question.", hint=f"Name one of: {', '.join(keys)} (--question)."
        )
    known = ratings.task.systems
    if len(set(systems)) != 2 or not set(systems) <= set(known):
        raise InputError(
            "A pilot's spread is that of two systems.",
            hint=f"Name two of: {', '.join(known)[:300]} (--system).",
        )
    one, other = map(known.index, systems)
    return spread_of(differences(ratings, keys.index(questions[0]), one, other))
