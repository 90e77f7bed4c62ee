"""People as a scorer: what annotators answered by the groups that they made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.errors import InputError
from core.pairs.scorer import Need, PairContext, Part, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.timeless import Timeless
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PreparedAnnotators:
    """Shares of people who put two headlines into one group.

    Attributes:
        groups: Group that each of k people gave, int64 [n, k], -1 for none.
    """

    groups: IntArray

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        """Shares for the pairs (left[k], right[k]), float32 [m], 0 to 1."""
        return _share(self.groups[left], self.groups[right])

    def block(self, rows: slice, columns: slice) -> Float32Array:
        """Shares for two ranges of headlines, float32 [rows, columns], 0 to 1."""
        first, second = self.groups[rows], self.groups[columns]
        together = np.zeros((len(first), len(second)), dtype=np.float32)
        answered = np.zeros_like(together)
        for person in range(self.groups.shape[1]):
            both = (first[:, person, None] >= 0) & (second[None, :, person] >= 0)
            answered += both
            together += both & (first[:, person, None] == second[None, :, person])
        return np.asarray(together / np.maximum(answered, 1), dtype=np.float32)


@pair_scorers.register("annotators.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Annotators(Timeless):
    """Share of the annotators who put both headlines into one group; people, in the place of a model.

    Only those count who put both headlines into some group; 0 where nobody did. With one person chosen
    it is that person's answer, 1 or 0.

    Source: HLGD (Laban et al. 2021), section 4, "Human performance".
    """

    summary: ClassVar[str] = "What people answered: the share who put both headlines into one group"
    scale: ClassVar[ScoreScale] = ScoreScale(low=0.0, high=1.0, symmetric=True)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ANNOTATORS})
    threshold: ClassVar[float] = 0.5  # half of the people: a majority, which nothing is tuned on

    annotator: int = field(
        default=0, metadata={"help": "whose answer counts, from 1; 0 for all", "low": 0, "high": 10_000}
    )

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Takes the groups.

        Raises:
            InputError: Nobody annotated the headlines, or not so many people.
        """
        groups = context.annotators
        if not len(context):
            return PreparedAnnotators(np.empty((0, 0), dtype=np.int64))
        if not groups.size:
            raise InputError(
                "Nobody annotated these headlines.",
                hint="Choose another scorer, or load data with columns such as annot_1_group.",
            )
        if self.annotator > groups.shape[1]:
            raise InputError(
                f"There is no annotator {self.annotator}: {groups.shape[1]} annotated these headlines.",
                hint="Give a number up to that, or 0 for all.",
            )
        return PreparedAnnotators(groups[:, [self.annotator - 1]] if self.annotator else groups)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The share alone."""
        return (Part("people who see one event", score),)


def _share(left: IntArray, right: IntArray) -> Float32Array:
    """Share of equal answers among those given, over the last axis; 0 where there is none."""
    answered = (left >= 0) & (right >= 0)
    together = (answered & (left == right)).sum(axis=-1)
    return np.asarray(together / np.maximum(answered.sum(axis=-1), 1), dtype=np.float32)
