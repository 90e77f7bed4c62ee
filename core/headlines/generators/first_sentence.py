"""The first sentence of an article: the baseline that every system is measured against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.extractive import SentenceRecipe, SentenceWriter, by_place
from core.headlines.generator import headline_generators
from core.runtime import Runtime


@headline_generators.register("first_sentence.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FirstSentence(SentenceRecipe):
    """The first sentence of the article, without the agency's dateline.

    More candidates are the sentences after it, in their order.

    Source: Malykh and Kalaidin 2019, "Headline Generation Shared Task on Dialogue'2019", the baseline.
    """

    summary: ClassVar[str] = "The first sentence of the article"

    def build(self, runtime: Runtime) -> SentenceWriter:
        """Ready at once."""
        return SentenceWriter(by_place, self.most_words)
