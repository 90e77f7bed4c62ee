"""The least sure links of a timeline: what holds two parts of an event together, or would join two events."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.groups.answered_level import AnsweredLevel, PairAnswer
from core.groups.joins import TreeJoins, speakers
from core.similarities import Similarities

UNSURE: Final = 0.25  # of links with a probability from this one to the rest to 1 nobody is sure


@dataclass(frozen=True, slots=True)
class ReviewLink:
    """One join of the tree, and the two headlines that are asked about in its place."""

    left: int  # row of the headline that speaks for the one side
    right: int  # row of the headline that speaks for the other
    together: bool  # it holds two parts of one event together; else it would join two events
    height: float  # position of the slider from which the tree joins the two sides
    probability: float  # that both sides are one event, 0 to 1
    sizes: tuple[int, int]  # headlines on the two sides


class ReviewQueue:
    """The joins around a level that nobody decided: those that `until` would join, then the least sure."""

    def __init__(
        self, joins: TreeJoins, level: AnsweredLevel, cut: float, answers: Sequence[PairAnswer],
        until: float | None = None,
    ) -> None:  # fmt: skip
        heights, answered = joins.heights.copy(), np.zeros(len(joins.heights), dtype=np.bool_)
        decided = answered.copy()
        for answer in answers:
            join = joins.between(answer.left, answer.right)
            answered[join], decided[join] = True, decided[join] or answer.same is not None
            heights[join] = min(heights[join], cut) if answer.same else heights[join]
        self._joins, self._inside = joins, heights <= cut
        places = np.flatnonzero(_open_joins(joins, self._inside, decided) & ~answered)
        sure = level.probability(joins.heights[places])
        doubt = -sure * np.log(sure) - (1 - sure) * np.log(1 - sure)
        # The fourth root of the pairs that hang on a join: decision 17.
        pairs = (places - joins.ends[places, 0] + 1) * (joins.ends[places, 1] - places)
        others = self._inside[places] | (joins.heights[places] > (cut if until is None else until))
        order = np.lexsort((-doubt * pairs**0.25, others))
        self.places: IntArray = places[order]
        """The joins, by the place of their gap, int64 [links]."""
        self.together = self._inside[self.places]
        """Which of them hold two parts of one event together, bool [links]."""
        self.probabilities: FloatArray = sure[order]
        """That the sides of each are one event, float64 [links]."""

    def unsure(self, ids: IntArray) -> tuple[int, int]:
        """How many links nobody is sure of, and how many groups hang on them."""
        places = self.places[np.abs(self.probabilities - 0.5) <= 0.5 - UNSURE]
        return len(places), len(np.unique(ids[self._joins.tree.leaves[self._joins.ends[places]]]))

    def link(self, number: int, similarities: Similarities) -> ReviewLink:
        place = int(self.places[number])
        sides = self._joins.sides(place)
        height, sure = float(self._joins.heights[place]), float(self.probabilities[number])
        sizes = len(sides[0]), len(sides[1])
        return ReviewLink(*speakers(similarities, *sides), bool(self.together[number]), height, sure, sizes)


def _open_joins(joins: TreeJoins, inside: BoolArray, decided: BoolArray) -> BoolArray:
    above = joins.parents
    highest = (above < 0) | ~inside[above] | decided[above]
    borders = np.concatenate(([-1], np.flatnonzero(~inside), [len(inside)]))
    ends = joins.ends[borders[1:-1]]
    whole = np.zeros(len(inside), dtype=np.bool_)
    whole[borders[1:-1]] = (ends[:, 0] == borders[:-2] + 1) & (ends[:, 1] == borders[2:])
    return np.asarray(np.where(inside, highest, whole))
