"""The sentence that shares most words with the others, by PageRank over shared words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.extractive import SentenceRecipe, SentenceWriter, ranked
from core.headlines.generator import headline_generators
from core.runtime import Runtime


@headline_generators.register("textrank.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TextRank(SentenceRecipe):
    """The most central sentence of the article, by PageRank over shared words.

    More candidates are the next in rank.

    Source: Mihalcea and Tarau 2004, "TextRank: Bringing Order into Texts"; sumy.
    """

    summary: ClassVar[str] = "The most central sentence, by PageRank over shared words"

    def build(self, runtime: Runtime) -> SentenceWriter:
        """Ready at once."""
        from sumy.summarizers.text_rank import TextRankSummarizer

        return SentenceWriter(lambda text: ranked(text, TextRankSummarizer()), self.most_words)
