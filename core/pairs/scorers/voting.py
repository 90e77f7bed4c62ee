"""The vote of three scorers."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from core.errors import InputError
from core.pairs.context import PairContext
from core.pairs.scorer import Need, PairScorer, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.scorers.wrappers import BASE, completed, parsed
from core.runtime import Runtime


@pair_scorers.register("voting.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Voting(PairScorer):
    """Hard voting: the share of three scorers that call two headlines the same event at their own thresholds.

    Source: Dialogue 2021 (Gusev and Smurov), section 3.3, the third place.
    """

    summary: ClassVar[str] = "What most of three other scorers say"
    fixed: ClassVar[str] = "The majority decides."

    first: str = field(default="levenshtein.v1", metadata=BASE | {"label": "First scorer"})
    second: str = field(default="token_overlap.v1", metadata=BASE | {"label": "Second scorer"})
    third: str = field(default="tfidf.v1", metadata=BASE | {"label": "Third scorer"})

    def __post_init__(self) -> None:
        for name in ("first", "second", "third"):
            object.__setattr__(self, name, completed(getattr(self, name)))
        read = {scorer.innermost.encoder for scorer in self.inside if Need.VECTORS in scorer.needs}
        if len(read) > 1:
            message = "The three scorers read vectors of different encoders."
            raise InputError(message, hint="Choose scorers of one encoder, or such as read texts alone.")

    @property
    def inside(self) -> tuple[PairScorer, ...]:
        return tuple(parsed(name) for name in (self.first, self.second, self.third))

    @property
    def encoder(self) -> str:
        return next((each.innermost.encoder for each in self.inside if Need.VECTORS in each.needs), "")

    @property
    def scale(self) -> ScoreScale:
        return ScoreScale(symmetric=all(each.scale.symmetric for each in self.inside))

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset().union(*(each.needs for each in self.inside))

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        return _PreparedVoting(
            tuple((each.prepare(context, runtime), each.threshold) for each in self.inside)
        )


@dataclass(frozen=True, slots=True, eq=False)
class _PreparedVoting:
    voters: tuple[tuple[PreparedScorer, float], ...]

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        return self._share([voter.pairs(left, right) >= line for voter, line in self.voters])

    def block(self, rows: slice, columns: slice) -> Float32Array:
        return self._share([voter.block(rows, columns) >= line for voter, line in self.voters])

    def _share(self, votes: list[npt.NDArray[np.bool_]]) -> Float32Array:
        return np.asarray(np.mean(votes, axis=0), dtype=np.float32)
