"""The headline in the middle of its group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.selection.features import closeness
from core.headlines.selection.selector import Choices, Ranking, Selector, headline_selectors
from core.runtime import Runtime


@headline_selectors.register("medoid.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Medoid:
    """The headline with the highest mean cosine to the others of its group.

    Source: Kaufman and Rousseeuw (1987), "Clustering by Means of Medoids".
    """

    summary: ClassVar[str] = "The headline most like the others of its group"

    def check(self) -> None:
        """It has no weights of its own."""

    def build(self, runtime: Runtime) -> Selector:
        """Itself: there is nothing to load."""
        return self

    def rank(self, choices: Choices) -> Ranking:
        """Scores are mean cosines to the others; 0 for a headline alone."""
        means = closeness(choices.vectors)
        if len(means) == 1:
            return Ranking(means, ("The only headline.",))
        return Ranking(means, tuple(f"Its mean similarity to the others is {mean:.2f}." for mean in means))
