"""The sentence most like the others, by PageRank over tf-idf cosines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.headlines.extractive import SentenceWriter, ranked
from core.headlines.generator import Style, headline_generators
from core.runtime import Runtime


@headline_generators.register("lexrank.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LexRank:
    """The most central sentence of the article, by PageRank over tf-idf cosines of at least 0.1.

    More candidates are the next in rank.

    Source: Erkan and Radev 2004, "LexRank: Graph-based Lexical Centrality as Salience in
    Text Summarization"; sumy.
    """

    summary: ClassVar[str] = "The most central sentence, by PageRank over tf-idf cosines"
    languages: ClassVar[frozenset[str]] = frozenset()
    styles: ClassVar[frozenset[Style]] = frozenset()

    most_words: int = field(
        default=0, metadata={"help": "cut at this many words; 0 keeps whole sentences", "low": 0, "high": 100}
    )

    def check(self) -> None:
        """Nothing is needed."""

    def build(self, runtime: Runtime) -> SentenceWriter:
        """Ready at once."""
        from sumy.summarizers.lex_rank import LexRankSummarizer

        return SentenceWriter(lambda text: ranked(text, LexRankSummarizer()), self.most_words)
