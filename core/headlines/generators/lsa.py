"""The sentence that weighs most in the article's topics, by a singular value decomposition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.extractive import SentenceRecipe, SentenceWriter, ranked
from core.headlines.generator import headline_generators
from core.runtime import Runtime


@headline_generators.register("lsa.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Lsa(SentenceRecipe):
    """The sentence with the greatest length in the space of the article's topics.

    More candidates are the next in rank.

    Source: Steinberger and Ježek 2004, "Using Latent Semantic Analysis in Text Summarization"; sumy.
    """

    summary: ClassVar[str] = "The sentence that weighs most in the article's topics"

    def build(self, runtime: Runtime) -> SentenceWriter:
        """Ready at once."""
        import warnings

        from sumy.summarizers.lsa import LsaSummarizer

        # The decomposition of a few words is as exact as of many; sumy's doubt helps no reader.
        warnings.filterwarnings("ignore", r"Number of words \(\d+\) is lower than number of sentences")
        return SentenceWriter(lambda text: ranked(text, LsaSummarizer()), self.most_words)
