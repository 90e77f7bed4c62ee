"""Baselines from what surrounds the texts: days between them, groups of annotators, and clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from core import limits
from core.arrays import Float32Array, IntArray
from core.errors import InputError
from core.groups.average_linkage import AverageLinkage
from core.groups.grouper import GroupingInput
from core.pairs.scorer import Formula, Need, PairContext, PairScorer, PreparedScorer, ScorePart, pair_scorers
from core.pairs.scorers.wrappers import BASE, AroundScorer
from core.pairs.selection import Selection
from core.runtime import Runtime
from core.similarities import Similarities
from core.statistics.calibration import fit_logistic, logistic

STEEPEST = 100.0
"""Of slope and intercept: they stay finite where all pairs of the same event are nearer than the others."""
FEWEST = 5
"""Training pairs of each label without which the curve is not fitted."""


@pair_scorers.register("time_only.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TimeOnly(PairScorer):
    """Logistic regression on the whole days between two headlines; what they say is ignored.

    P(same event) = 1 / (1 + exp(-(intercept + slope x days))). Where grouping meets a headline without a
    date, its score with any other is 0: there is nothing that would join them.

    Source: HLGD (Laban et al. 2021), section 4, "Time only".
    """

    summary: ClassVar[str] = "How many days lie between two headlines, whatever they say"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DATES})
    threshold: ClassVar[float] = 0.25

    # Fitted on the train parts of UCI and AllSides with the delays of benchmarks/thresholds.py.
    intercept: float = field(
        default=-0.60, metadata={"help": "log-odds on the same day", "low": -STEEPEST, "high": STEEPEST}
    )
    slope: float = field(
        default=-1.15,
        metadata={"help": "change of the log-odds with each day between", "low": -STEEPEST, "high": 0.0},
    )

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        days = np.floor(context.days)

        def score(at: Selection) -> Float32Array:
            apart = np.abs(np.subtract(*at.sides(days)))
            scores = logistic(self.intercept + self.slope * apart).astype(np.float32)
            return np.nan_to_num(scores, copy=False, nan=0.0)

        return Formula(score)

    def fade(self, left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> Float32Array:
        apart = np.abs(np.floor(left) - np.floor(right))
        share = logistic(self.intercept + self.slope * apart) / logistic(np.array(self.intercept))
        return np.nan_to_num(share.astype(np.float32), nan=1.0)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        apart = abs(float(np.floor(context.days[left]) - np.floor(context.days[right])))
        if np.isnan(apart):
            return (ScorePart("a date is missing", score),)
        days = round(apart)
        return (
            ScorePart("the same day" if not days else f"{days} day{'s' if days > 1 else ''} apart", score),
        )

    def variants(
        self, days_apart: npt.NDArray[np.float64], labels: npt.NDArray[np.int64]
    ) -> Sequence[PairScorer]:
        dated = ~np.isnan(days_apart)
        same = int(labels[dated].sum())
        enough = min(same, int(dated.sum()) - same) >= FEWEST
        return (fit(days_apart[dated], labels[dated]) if enough else self,)


def fit(days_apart: npt.ArrayLike, labels: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> TimeOnly:
    """The scorer whose curve fits labelled pairs.

    Where nearer pairs are not likelier to be of the same event the slope is 0, and the score is the share
    of pairs of the same event whatever the dates.
    """
    apart = np.asarray(days_apart, dtype=np.float64)
    if np.isnan(apart).any():
        raise InputError("A pair lacks a date.", hint="Fit the curve on pairs with both dates.")
    # One softened pair years apart would outweigh hundreds of a few days.
    slope, intercept = fit_logistic(
        apart, labels, weights, softened=False, slopes=(-STEEPEST, 0.0), furthest=STEEPEST
    )
    return TimeOnly(intercept=intercept, slope=slope)


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

    annotator: int = field(
        default=0, metadata={"help": "whose answer counts, from 1; 0 for all", "low": 0, "high": 10_000}
    )

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        groups = context.annotators
        if len(context) and not groups.size:
            raise InputError(
                "Nobody annotated these headlines.",
                hint="Choose another scorer, or load data with columns such as `annot_1_group`.",
            )
        if len(context) and self.annotator > groups.shape[1]:
            raise InputError(
                f"There is no annotator {self.annotator}: {groups.shape[1]} annotated these headlines.",
                hint="Give a number up to that, or 0 for all.",
            )
        chosen = groups[:, [self.annotator - 1]] if self.annotator and len(context) else groups
        people = list(chosen.T) or [np.full(len(context), -1, dtype=np.int64)]
        return Formula(lambda at: _share(people, at))


def _share(people: Sequence[IntArray], at: Selection) -> Float32Array:
    together: Any = np.float32(0)
    answered: Any = np.float32(0)
    for groups in people:
        left, right = at.sides(groups)
        both = (left >= 0) & (right >= 0)
        answered = answered + both.astype(np.float32)
        together = together + (both & (left == right)).astype(np.float32)
    return np.asarray(together / np.maximum(answered, 1), dtype=np.float32)


@pair_scorers.register("clustered.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Clustered(AroundScorer):
    """1 less the height at which average linkage joins two headlines, by another scorer's scores.

    So a threshold on it is a cut of the tree, and two headlines are called the same event where they are
    in one cluster: how the clustering systems of Dialogue 2021 are judged on pairs. All headlines of the
    timeline take part, and dates only as far as they do for the scorer inside.

    Source: Gusev and Smurov 2021, section 3.2; Sokal and Michener 1958.
    """

    summary: ClassVar[str] = "How soon average linkage joins two headlines, by another scorer"
    part: ClassVar[str] = "joined at"

    base: str = field(default="cosine", metadata=BASE)

    def __post_init__(self) -> None:
        AroundScorer.__post_init__(self)
        inside = self.inner.scale
        if inside.low < 0 or inside.high > 1:
            raise InputError(
                f"The scores of {self.base} are not between 0 and 1, so no tree can be built on them.",
                hint="Choose a scorer whose scores are.",
            )

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        most = limits.DENSE_HEADLINES.value
        if len(context) > most:
            raise InputError(
                f"The tree needs all pairs of {len(context):,} headlines, more than those of {most:,}.",
                hint=f"Choose a scorer without clusters, or raise {limits.DENSE_HEADLINES.variable}.",
            )
        # In an order of their own: which of equal scores join first must not depend on the order of the rows.
        order = np.array(
            sorted(range(len(context)), key=lambda row: (context.texts[row], row)), dtype=np.int64
        )
        every = slice(0, len(context))
        ready = self.inner.prepare(context, runtime).block(every, every)[np.ix_(order, order)]
        given = GroupingInput(Similarities((ready + ready.T) / np.float32(2)), context.vectors[order])
        joined = _joined_at(AverageLinkage().fit(given, runtime).merges)
        places = np.empty_like(order)
        places[order] = np.arange(len(order))

        def score(at: Selection) -> Float32Array:
            left, right = at.sides(places)
            return joined[left, right]

        return Formula(score)


def _joined_at(merges: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Float32Array:
    size = len(merges) + 1
    similarity = np.ones((size, size), dtype=np.float32)
    members: dict[int, IntArray] = {row: np.array([row], dtype=np.int64) for row in range(size)}
    for row, (one, other, height, _) in enumerate(merges.tolist()):
        left, right = members.pop(int(one)), members.pop(int(other))
        similarity[np.ix_(left, right)] = similarity[np.ix_(right, left)] = np.float32(1 - height)
        members[size + row] = np.concatenate((left, right))
    return similarity
