"""The sentence that weighs most in the article's topics, by a singular value decomposition."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.headlines.extractive import SentenceWriter, ranked
from core.headlines.generator import Style, headline_generators
from core.runtime import Runtime


@headline_generators.register("lsa.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Lsa:
    """The sentence with the greatest length in the space of the article's topics.

    More candidates are the next in rank.

    Source: Steinberger and Ježek 2004, "Using Latent Semantic Analysis in Text Summarization"; sumy.
    """

    summary: ClassVar[str] = "The sentence that weighs most in the article's topics"
    languages: ClassVar[frozenset[str]] = frozenset()
    styles: ClassVar[frozenset[Style]] = frozenset()

    most_words: int = field(
        default=0, metadata={"help": "cut at this many words; 0 keeps whole sentences", "low": 0, "high": 100}
    )

    def check(self) -> None:
        """Nothing is needed."""

    def build(self, runtime: Runtime) -> SentenceWriter:
        """Ready at once."""
        from sumy.summarizers.lsa import LsaSummarizer

        return SentenceWriter(lambda text: ranked(text, LsaSummarizer()), self.most_words)
