"""The sentence with the densest run of words that the article repeats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.extractive import SentenceRecipe, SentenceWriter, ranked
from core.headlines.generator import headline_generators
from core.runtime import Runtime


@headline_generators.register("luhn.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Luhn(SentenceRecipe):
    """The sentence with the densest run of words that the article repeats.

    More candidates are the next in rank.

    Source: Luhn 1958, "The Automatic Creation of Literature Abstracts"; sumy.
    """

    summary: ClassVar[str] = "The sentence with the densest run of repeated words"

    def build(self, runtime: Runtime) -> SentenceWriter:
        """Ready at once."""
        from sumy.summarizers.luhn import LuhnSummarizer

        return SentenceWriter(lambda text: ranked(text, LuhnSummarizer()), self.most_words)
