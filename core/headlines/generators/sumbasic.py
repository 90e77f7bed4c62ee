"""The sentence whose words are the most frequent of the article."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.extractive import SentenceRecipe, SentenceWriter, ranked
from core.headlines.generator import headline_generators
from core.runtime import Runtime


@headline_generators.register("sumbasic.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SumBasic(SentenceRecipe):
    """The sentence whose words are the most frequent of the article on average.

    More candidates are the next ones, once the words of those before count less.

    Source: Nenkova and Vanderwende 2005, "The Impact of Frequency on Summarization"; sumy.
    """

    summary: ClassVar[str] = "The sentence with the most frequent words"

    def build(self, runtime: Runtime) -> SentenceWriter:
        """Ready at once."""
        from sumy.summarizers.sum_basic import SumBasicSummarizer

        return SentenceWriter(lambda text: ranked(text, SumBasicSummarizer()), self.most_words)
