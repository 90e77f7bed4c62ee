"""The sentence with the densest run of words that the article repeats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.headlines.extractive import SentenceWriter, ranked
from core.headlines.generator import Style, headline_generators
from core.runtime import Runtime


@headline_generators.register("luhn.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Luhn:
    """The sentence with the densest run of words that the article repeats.

    More candidates are the next in rank.

    Source: Luhn 1958, "The Automatic Creation of Literature Abstracts"; sumy.
    """

    summary: ClassVar[str] = "The sentence with the densest run of repeated words"
    languages: ClassVar[frozenset[str]] = frozenset()
    styles: ClassVar[frozenset[Style]] = frozenset()

    most_words: int = field(
        default=0, metadata={"help": "cut at this many words; 0 keeps whole sentences", "low": 0, "high": 100}
    )

    def check(self) -> None:
        """Nothing is needed."""

    def build(self, runtime: Runtime) -> SentenceWriter:
        """Ready at once."""
        from sumy.summarizers.luhn import LuhnSummarizer

        return SentenceWriter(lambda text: ranked(text, LuhnSummarizer()), self.most_words)
