"""People's own votes as a scorer: what annotators agree on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.arrays import Float32Array, IntArray
from core.errors import InputError
from core.pairs.context import PairContext
from core.pairs.scorer import Formula, Need, PairScorer, PreparedScorer, pair_scorers
from core.pairs.selection import Selection
from core.registry import number
from core.runtime import Runtime


@pair_scorers.register("annotators.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Annotators(PairScorer):
    """Share of the annotators who put both headlines into one group; people, in the place of a model.

    Only those count who put both headlines into some group; 0 where nobody did. With one person chosen
    it is that person's answer, 1 or 0.

    Source: HLGD (Laban et al. 2021), section 4, "Human performance".
    """

    summary: ClassVar[str] = "What people answered: the share who put both headlines into one group"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ANNOTATORS})
    threshold: ClassVar[float] = 0.5
    part: ClassVar[str] = "people who see one event"
    fixed: ClassVar[str] = "half of the people decide"

    annotator: int = number(0, 0, 10_000, "whose answer counts, from 1; 0 for all")

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        groups = context.annotators
        if len(context) and not groups.size:
            message = "Nobody annotated these headlines."
            hint = "Choose another scorer, or load data with columns such as `annot_1_group`."
            raise InputError(message, hint=hint)
        if len(context) and self.annotator > groups.shape[1]:
            message = f"There is no annotator {self.annotator}: {groups.shape[1]} annotated these headlines."
            raise InputError(message, hint="Give a number up to that, or 0 for all.")
        chosen = groups[:, [self.annotator - 1]] if self.annotator and len(context) else groups
        people = list(chosen.T) or [np.full(len(context), -1, dtype=np.int64)]
        return Formula(lambda at: _share(people, at))


def _share(people: Sequence[IntArray], at: Selection) -> Float32Array:
    sides = [at.sides(groups) for groups in people]
    answered = np.sum([(left >= 0) & (right >= 0) for left, right in sides], axis=0)
    together = np.sum([(left >= 0) & (left == right) for left, right in sides], axis=0)
    return np.asarray(together / np.maximum(answered, 1), dtype=np.float32)
