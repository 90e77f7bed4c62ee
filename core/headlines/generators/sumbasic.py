"""The sentence whose words are the most frequent of the article."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.headlines.extractive import SentenceWriter, ranked
from core.headlines.generator import Style, headline_generators
from core.runtime import Runtime


@headline_generators.register("sumbasic.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SumBasic:
    """The sentence whose words are the most frequent of the article on average.

    More candidates are the next ones, once the words of those before count less.

    Source: Nenkova and Vanderwende 2005, "The Impact of Frequency on Summarization"; sumy.
    """

    summary: ClassVar[str] = "The sentence with the most frequent words"
    languages: ClassVar[frozenset[str]] = frozenset()
    styles: ClassVar[frozenset[Style]] = frozenset()

    most_words: int = field(
        default=0, metadata={"help": "cut at this many words; 0 keeps whole sentences", "low": 0, "high": 100}
    )

    def check(self) -> None:
        """Nothing is needed."""

    def build(self, runtime: Runtime) -> SentenceWriter:
        """Ready at once."""
        from sumy.summarizers.sum_basic import SumBasicSummarizer

        return SentenceWriter(lambda text: ranked(text, SumBasicSummarizer()), self.most_words)
