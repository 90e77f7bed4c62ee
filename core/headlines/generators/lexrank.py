"""The sentence most like the others, by PageRank over tf-idf cosines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.extractive import SentenceRecipe, SentenceWriter, ranked
from core.headlines.generator import headline_generators
from core.runtime import Runtime


@headline_generators.register("lexrank.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LexRank(SentenceRecipe):
    """The most central sentence of the article, by PageRank over tf-idf cosines of at least 0.1.

    More candidates are the next in rank.

    Source: Erkan and Radev 2004, "LexRank: Graph-based Lexical Centrality as Salience in
    Text Summarization"; sumy.
    """

    summary: ClassVar[str] = "The most central sentence, by PageRank over tf-idf cosines"

    def build(self, runtime: Runtime) -> SentenceWriter:
        """Ready at once."""
        from sumy.summarizers.lex_rank import LexRankSummarizer

        return SentenceWriter(lambda text: ranked(text, LexRankSummarizer()), self.most_words)
