"""Sentences of the article: the first one, and those that sumy's summarizers choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.extractive import Scored, SentenceRecipe, ranked
from core.headlines.generator import headline_generators


@headline_generators.register("first_sentence.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FirstSentence(SentenceRecipe):
    """The first sentence of the article, without the agency's dateline: the usual baseline.

    Source: Malykh and Kalaidin 2019, "Headline Generation Shared Task on Dialogue'2019", the baseline.
    """

    summary: ClassVar[str] = "The first sentence of the article"


@headline_generators.register("lead_one.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LeadOne(SentenceRecipe):
    """The first sentence of one article of a cluster, drawn at random.

    For a single article it is `first_sentence.v1`; `core.headlines.writing` draws the
    article by the seed.

    Source: Gusev and Smurov 2021, "Russian News Clustering and Headline Selection Shared Task".
    """

    summary: ClassVar[str] = "The first sentence of a random article of the cluster"


class Summarizer(SentenceRecipe):
    __slots__ = ()
    method: ClassVar[str]

    def order(self, text: str) -> Scored:
        return ranked(text, self.method)


@headline_generators.register("lexrank.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LexRank(Summarizer):
    """The most central sentence of the article, by PageRank over tf-idf cosines of at least 0.1.

    Source: Erkan and Radev 2004, "LexRank: Graph-based Lexical Centrality as Salience in
    Text Summarization"; sumy.
    """

    summary: ClassVar[str] = "The most central sentence, by PageRank over tf-idf cosines"
    method: ClassVar[str] = "lex_rank"


@headline_generators.register("lsa.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Lsa(Summarizer):
    """The sentence with the greatest length in the space of the article's topics.

    Source: Steinberger and Ježek 2004, "Using Latent Semantic Analysis in Text Summarization"; sumy.
    """

    summary: ClassVar[str] = "The sentence that weighs most in the article's topics"
    method: ClassVar[str] = "lsa"


@headline_generators.register("luhn.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Luhn(Summarizer):
    """The sentence with the densest run of words that the article repeats.

    Source: Luhn 1958, "The Automatic Creation of Literature Abstracts"; sumy.
    """

    summary: ClassVar[str] = "The sentence with the densest run of repeated words"
    method: ClassVar[str] = "luhn"


@headline_generators.register("sumbasic.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SumBasic(Summarizer):
    """The sentence whose words are the most frequent of the article on average.

    More candidates are the next ones, once the words of those before count less.

    Source: Nenkova and Vanderwende 2005, "The Impact of Frequency on Summarization"; sumy.
    """

    summary: ClassVar[str] = "The sentence with the most frequent words"
    method: ClassVar[str] = "sum_basic"


@headline_generators.register("textrank.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TextRank(Summarizer):
    """The most central sentence of the article, by PageRank over shared words.

    Source: Mihalcea and Tarau 2004, "TextRank: Bringing Order into Texts"; sumy.
    """

    summary: ClassVar[str] = "The most central sentence, by PageRank over shared words"
    method: ClassVar[str] = "text_rank"
