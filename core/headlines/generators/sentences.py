"""Sentences of the article: the first one, and those that sumy's summarizers choose."""

import importlib
import itertools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, ClassVar, Final

from core.extras import extras
from core.headlines import compression, generator, headline_text
from core.runtime import Runtime
from core.text.language import language_of
from core.text.tokens import content, tokenize

READ: Final = 100  # sentences that are ranked, as the cost grows with their square, and words of each
Scored = Sequence[tuple[str, float]]  # sentences with their scores, best first


def ranked(text: str, method: str = "text_rank", *, language: str | None = None) -> list[tuple[str, float]]:
    """Different sentences with a sumy summarizer's scores, best first; words are cut by our tokenizer."""
    import numpy as np

    with extras():
        from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence

    chosen = language_of(text) if language is None else language
    lines = headline_text.leading(text, chosen)[:READ]
    if len(lines) < 2 or not any(content(tokenize(line, language=chosen)) for line in lines):
        return [(line, 0.0) for line in lines]

    def to_words(sentence: str) -> tuple[str, ...]:
        return tuple(token.form for token in content(tokenize(sentence, language=chosen))[:READ])

    tokenizer = SimpleNamespace(to_words=to_words)
    document = ObjectDocumentModel([Paragraph([Sentence(line, tokenizer) for line in lines])])
    # LSA is as exact for a few words as for many, so sumy's warning helps no reader.
    warnings.filterwarnings("ignore", r"Number of words \(\d+\) is lower than number of sentences")
    module = importlib.import_module(f"sumy.summarizers.{method}")
    summarizer = getattr(module, f"{method.title().replace('_', '')}Summarizer")()
    scores: dict[str, float] = {}

    def keep(infos: Sequence[Any]) -> Sequence[Any]:
        # LexRank divides 0 by 0 where no two sentences are alike: then none is better than another.
        scores.update((str(info.sentence), round(float(np.nan_to_num(info.rating)), 9)) for info in infos)
        return infos

    with np.errstate(invalid="ignore"):
        summarizer(document, keep)
    return sorted(scores.items(), key=lambda item: (-item[1], lines.index(item[0])))


@dataclass(frozen=True, kw_only=True, slots=True)
class SentenceRecipe:
    """A generator without weights that takes the sentences of an article in its `order`; any language."""

    languages: ClassVar[frozenset[str]] = frozenset()
    styles: ClassVar[frozenset[generator.HeadlineStyle]] = frozenset()

    most_words: int = field(
        default=0,
        metadata={"label": "Words at most", "help": "0 keeps whole sentences", "low": 0, "high": 100},
    )

    def check(self) -> None:
        """Nothing is needed."""

    def build(self, runtime: Runtime) -> generator.Generator:
        return self

    def order(self, text: str) -> Scored:
        """The different sentences of an article, best first; here in their order, scored 0, -1, -2, …."""
        return [(line, float(-place)) for place, line in enumerate(headline_text.leading(text))]

    def write(
        self, articles: Sequence[str], options: generator.GenerationOptions, runtime: Runtime
    ) -> list[list[generator.HeadlineCandidate]]:
        """The best sentences of each article; one "" where it holds no word. See `Generator.write`."""
        most = min((words for words in (self.most_words, options.bounds()[1]) if words), default=0)
        written = []
        for text in runtime.track(articles, "Writing headlines"):
            lines: dict[str, float] = {}
            for sentence, score in self.order(text):
                lines.setdefault(headline_text.shortened(sentence, most), score)
            candidates = itertools.starmap(generator.HeadlineCandidate, lines.items() or [("", 0.0)])
            written.append(list(candidates)[: options.candidates])
        return written


@generator.headline_generators.register("first_sentence.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FirstSentence(SentenceRecipe):
    """The first sentence of the article, without the agency's dateline: the usual baseline.

    Source: Malykh and Kalaidin 2019, "Headline Generation Shared Task on Dialogue'2019", the baseline.
    """

    summary: ClassVar[str] = "The first sentence of the article"


@generator.headline_generators.register("compressed_sentence.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CompressedSentence(SentenceRecipe):
    """The first sentence that tells something by itself, shortened by rules; English, and other languages.

    Attributions, days, appositions, relative and other clauses are taken off; nothing is added.
    """

    summary: ClassVar[str] = "The first sentence of the article, shortened by rules"

    def order(self, text: str) -> Scored:
        language = language_of(text)
        lines = headline_text.leading(text, language)
        alone = [line for line in lines if compression.stands_alone(line, language)] or lines[:1]
        return [(compression.compressed(line, language), float(-place)) for place, line in enumerate(alone)]


@generator.headline_generators.register("lead_one.v1")
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

    def check(self) -> None:
        with extras():
            importlib.import_module("sumy")

    def order(self, text: str) -> Scored:
        return ranked(text, self.method)


@generator.headline_generators.register("lexrank.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LexRank(Summarizer):
    """The most central sentence of the article, by PageRank over tf-idf cosines of at least 0.1.

    Source: Erkan and Radev 2004, "LexRank: Graph-based Lexical Centrality as Salience in
    Text Summarization"; sumy.
    """

    summary: ClassVar[str] = "The most central sentence, by PageRank over tf-idf cosines"
    method: ClassVar[str] = "lex_rank"


@generator.headline_generators.register("lsa.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Lsa(Summarizer):
    """The sentence with the greatest length in the space of the article's topics.

    Source: Steinberger and Ježek 2004, "Using Latent Semantic Analysis in Text Summarization"; sumy.
    """

    summary: ClassVar[str] = "The sentence that weighs most in the article's topics"
    method: ClassVar[str] = "lsa"


@generator.headline_generators.register("luhn.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Luhn(Summarizer):
    """The sentence with the densest run of words that the article repeats.

    Source: Luhn 1958, "The Automatic Creation of Literature Abstracts"; sumy.
    """

    summary: ClassVar[str] = "The sentence with the densest run of repeated words"
    method: ClassVar[str] = "luhn"


@generator.headline_generators.register("sumbasic.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SumBasic(Summarizer):
    """The sentence whose words are the most frequent of the article on average.

    More candidates are the next ones, once the words of those before count less.

    Source: Nenkova and Vanderwende 2005, "The Impact of Frequency on Summarization"; sumy.
    """

    summary: ClassVar[str] = "The sentence with the most frequent words"
    method: ClassVar[str] = "sum_basic"


@generator.headline_generators.register("textrank.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TextRank(Summarizer):
    """The most central sentence of the article, by PageRank over shared words.

    Source: Mihalcea and Tarau 2004, "TextRank: Bringing Order into Texts"; sumy.
    """

    summary: ClassVar[str] = "The most central sentence, by PageRank over shared words"
    method: ClassVar[str] = "text_rank"
