"""The selector by the mean rank of three others."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.headlines.selection import Choices, Ranking, Selector, SelectorRecipe, headline_selectors
from core.runtime import Runtime


@headline_selectors.register("ensemble.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class RankerEnsemble:
    """The headline with the best mean rank by three selectors; equal scores share their mean rank.

    Source: Dialogue 2021 (Gusev and Smurov), section 4.3.
    """

    summary: ClassVar[str] = "The best mean rank of three selectors"

    first: str = field(default="catboost.v1", metadata={"help": "a selector", "label": "First selector"})
    second: str = field(default="medoid.v1", metadata={"help": "a selector", "label": "Second selector"})
    third: str = field(default="longest.v1", metadata={"help": "a selector", "label": "Third selector"})

    @property
    def inside(self) -> tuple[SelectorRecipe, ...]:
        return tuple(headline_selectors.parse(name) for name in (self.first, self.second, self.third))

    def check(self) -> None:
        for selector in self.inside:
            selector.check()

    def build(self, runtime: Runtime) -> Selector:
        return LoadedEnsemble(tuple(selector.build(runtime) for selector in self.inside))


@dataclass(frozen=True, slots=True, eq=False)
class LoadedEnsemble:
    selectors: tuple[Selector, ...]

    def rank(self, choices: Choices) -> Ranking:
        """Minus the mean rank, from -1 for what all rank first; reasons are of who ranks it best."""
        from scipy.stats import rankdata

        rankings = [selector.rank(choices) for selector in self.selectors]
        ranks = np.stack([rankdata(-ranking.scores) for ranking in rankings])
        best = ranks.argmin(axis=0).tolist()
        reasons = tuple(rankings[at].reasons[row] for row, at in enumerate(best))
        return Ranking(-ranks.mean(axis=0), reasons)
