"""Lead-1: the first sentence of a random article of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.extractive import SentenceRecipe, SentenceWriter, by_place
from core.headlines.generator import headline_generators
from core.runtime import Runtime


@headline_generators.register("lead_one.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LeadOne(SentenceRecipe):
    """The first sentence of one article of a cluster, drawn at random.

    For an article alone it is `first_sentence.v1`; `core.headlines.writing.suggesting` draws the
    article by the seed.

    Source: Gusev and Smurov 2021, "Russian News Clustering and Headline Selection Shared Task".
    """

    summary: ClassVar[str] = "The first sentence of a random article of the cluster"

    def build(self, runtime: Runtime) -> SentenceWriter:
        """Ready at once."""
        return SentenceWriter(by_place, self.most_words)
