"""The sentence that shares most words with the others, by PageRank over shared words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.headlines.extractive import SentenceWriter, ranked
from core.headlines.generator import Style, headline_generators
from core.runtime import Runtime


@headline_generators.register("textrank.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TextRank:
    """The most central sentence of the article, by PageRank over shared words.

    More candidates are the next in rank.

    Source: Mihalcea and Tarau 2004, "TextRank: Bringing Order into Texts"; sumy.
    """

    summary: ClassVar[str] = "The most central sentence, by PageRank over shared words"
    languages: ClassVar[frozenset[str]] = frozenset()
    styles: ClassVar[frozenset[Style]] = frozenset()

    most_words: int = field(
        default=0, metadata={"help": "cut at this many words; 0 keeps whole sentences", "low": 0, "high": 100}
    )

    def check(self) -> None:
        """Nothing is needed."""

    def build(self, runtime: Runtime) -> SentenceWriter:
        """Ready at once."""
        from sumy.summarizers.text_rank import TextRankSummarizer

        return SentenceWriter(lambda text: ranked(text, TextRankSummarizer()), self.most_words)
