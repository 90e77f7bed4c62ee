"""A scorer whose pairs are linked where clustering joins them."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core import limits
from core.arrays import Float32Array
from core.errors import InputError
from core.groups.average_linkage import AverageLinkage
from core.groups.grouper import GroupingInput
from core.pairs.context import PairContext
from core.pairs.scorer import Formula, PreparedScorer, pair_scorers
from core.pairs.scorers.wrappers import BASE, AroundScorer
from core.pairs.selection import Selection
from core.runtime import Runtime
from core.similarities import Similarities


@pair_scorers.register("clustered.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Clustered(AroundScorer):
    """1 less the height at which average linkage joins two headlines, by another scorer's scores.

    So a threshold on it is a cut of the tree: so the clustering systems of Dialogue 2021 are judged on pairs.

    Source: Gusev and Smurov 2021, section 3.2; Sokal and Michener 1958.
    """

    summary: ClassVar[str] = "How soon average linkage joins two headlines, by another scorer"
    part: ClassVar[str] = "joined at"

    base: str = field(default="cosine", metadata=BASE)

    def __post_init__(self) -> None:
        AroundScorer.__post_init__(self)
        inside = self.inner.scale
        if inside.low < 0 or inside.high > 1:
            message = f"The scores of {self.base} are not between 0 and 1, so no tree can be built on them."
            raise InputError(message, hint="Choose a scorer whose scores are.")

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        most = limits.DENSE_HEADLINES.value
        if len(context) > most:
            message = f"The tree needs all pairs of {len(context):,} headlines, more than those of {most:,}."
            hint = f"Choose a scorer without clusters, or raise {limits.DENSE_HEADLINES.variable}."
            raise InputError(message, hint=hint)
        # In an order of their own: which of equal scores join first must not depend on the order of the rows.
        order = np.array(
            sorted(range(len(context)), key=lambda row: (context.texts[row], row)), dtype=np.int64
        )
        from scipy.cluster.hierarchy import cophenet
        from scipy.spatial.distance import squareform

        every = slice(0, len(context))
        ready = self.inner.prepare(context, runtime).block(every, every)[np.ix_(order, order)]
        given = GroupingInput(Similarities((ready + ready.T) / np.float32(2)), context.vectors[order])
        merges = AverageLinkage().fit(given, runtime).merges
        joined = np.ones((len(order), len(order)), dtype=np.float32)
        if len(merges):
            joined = (1 - squareform(cophenet(merges))).astype(np.float32)
        places = np.empty_like(order)
        places[order] = np.arange(len(order))

        def score(at: Selection) -> Float32Array:
            left, right = at.sides(places)
            return joined[left, right]

        return Formula(score)
