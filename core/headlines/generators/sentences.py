"""Sentences of the article by sumy's summarizers; candidates of any generator whose claims pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar, Final

from core.data.articles.articles import READ_CHARACTERS
from core.errors import InputError
from core.headlines.extractive import LanguageModelWriter, Scored, SentenceRecipe, ranked
from core.headlines.generator import (
    MOST_CANDIDATES,
    Generator,
    GeneratorRecipe,
    HeadlineCandidate,
    HeadlineStyle,
    Wishes,
    headline_generators,
    kept_wishes,
)
from core.headlines.hub.opening import FlanT5Writer
from core.headlines.numeral_safety import instead_of, passes, safest_first
from core.numerals.question import numeral_attachers
from core.runtime import Runtime
from core.text.language import language_of
from core.text.normalise import comparison_key
from core.text.numerals.languages import unread_language

if TYPE_CHECKING:
    from core.numerals.checking import Checker
    from core.numerals.provenance import CheckedHeadline


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


NONE_PASSED: Final = "No headline was sure enough to stand first."
OWN_WORDS: Final = "This is the article's own first sentence."
TEMPERATURE: Final = 0.7
TOP_P: Final = 0.9
"""How the headlines beside the likeliest ones are drawn."""
DEEPEST: Final = 4
"""Generators that may stand around each other: more is a mistake, and reading them recurses."""


@headline_generators.register("numeral_safe.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumeralSafe:
    """Candidates of another generator, compared with the article claim by claim and put in a new order.

    The generator is asked twice: for the likeliest headlines, and for some that are drawn at random. Those
    come first against whose numbers nothing speaks, and whose words stand where the numbers come from; among
    equals wording, and what most candidates say (`core.headlines.numeral_safety.safest_first`). No headline
    is changed. Where none passes, and in languages that the generator does not write, the article's own first
    sentence comes first, trimmed and said to be that (`HeadlineCandidate.instead`). With `constrain` a
    language model writes no number in digits that cannot be had from the article.

    How often it is wrong all the same was counted by hand (docs/numeral_benchmark.md).

    Source: ours, after Huang et al. 2023, "NumHG", whose generators get three numbers in ten wrong.
    """

    summary: ClassVar[str] = (
        "Another generator, the headlines first that pass the check of numbers; else the first sentence"
    )

    generator: str = field(
        default="smollm2_headlines.v1",
        metadata={"help": "the generator inside: its name, or its signature", "label": "Generator inside"},
    )
    candidates: int = field(
        default=8,
        metadata={
            "help": "likeliest headlines that it is asked for at least",
            "low": 1,
            "high": MOST_CANDIDATES,
        },
    )
    draws: int = field(
        default=12,
        metadata={
            "help": "headlines that are drawn at random beside them",
            "low": 0,
            "high": MOST_CANDIDATES,
        },
    )
    weight: float = field(
        default=0.2,
        metadata={
            "help": "how much it counts that a headline's words stand around its numbers in the article, and "
            "that other candidates state the same numbers, beside its likeness to them",
            "low": 0.0,
            "high": 10.0,
            "step": 0.05,
        },
    )
    abstain: bool = field(
        default=True,
        metadata={"help": "give the article's first sentence where no headline passes the check"},
    )
    constrain: bool = field(
        default=False,
        metadata={"help": "let a language model write no number in digits that the article does not give"},
    )
    attacher: str = field(
        default="lexical.v1",
        metadata={"help": "what says which of the article's numbers belongs where", "label": "Judge"},
    )

    def __post_init__(self) -> None:
        if _depth(self.generator) > DEEPEST:
            raise InputError(
                f"More than {DEEPEST} generators stand around each other.", hint="Leave some of them out."
            )
        inner = headline_generators.signature(_generator(self.generator))
        object.__setattr__(self, "generator", inner)
        attacher = numeral_attachers.signature(numeral_attachers.parse(self.attacher))
        object.__setattr__(self, "attacher", attacher)

    @property
    def inner(self) -> GeneratorRecipe:
        return _generator(self.generator)

    @property
    def languages(self) -> frozenset[str]:
        return self.inner.languages

    @property
    def styles(self) -> frozenset[HeadlineStyle]:
        return self.inner.styles

    @property
    def inside(self) -> tuple[object, ...]:
        return self.inner, numeral_attachers.parse(self.attacher)

    def check(self) -> None:
        self.inner.check()
        numeral_attachers.parse(self.attacher).check()

    def build(self, runtime: Runtime) -> Generator:
        from core.numerals.checking import load_checker

        generator = self.inner.build(runtime)
        if self.constrain:
            generator = constrained(generator)
        return SafeWriter(
            generator,
            load_checker(self.attacher, runtime),
            candidates=self.candidates,
            draws=self.draws,
            weight=self.weight,
            abstain=self.abstain,
            languages=self.languages,
        )


@dataclass(frozen=True, slots=True, eq=False)
class SafeWriter:
    generator: Generator
    checker: Checker
    candidates: int
    draws: int
    weight: float
    abstain: bool = True
    languages: frozenset[str] = frozenset()

    def write(
        self, articles: Sequence[str], wishes: Wishes, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        told = [language_of(text) if text else "" for text in articles]
        why_not = [self._why_not(text, language) for text, language in zip(articles, told, strict=True)]
        read = [text for text, why in zip(articles, why_not, strict=True) if not why]
        found = self._found(read, wishes, runtime)
        checks = iter(
            self.checker.check(
                [candidate.text for one in found for candidate in one],
                [text[:READ_CHARACTERS] for text, one in zip(read, found, strict=True) for _ in one],
                runtime,
            )
        )
        written = iter(found)
        result = []
        for text, language, why in zip(articles, told, why_not, strict=True):
            if why:
                result.append([instead_of(text, f"{why} {OWN_WORDS}", wishes)])
                continue
            one = next(written)
            result.append(self._ordered(text, one, [next(checks) for _ in one], wishes, language))
        return result

    def _found(
        self, articles: Sequence[str], wishes: Wishes, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        asked = replace(wishes, candidates=max(wishes.candidates, self.candidates))
        found = self.generator.write(articles, asked, runtime)
        if wishes.sample or not self.draws:
            return found
        drawing = replace(wishes, candidates=self.draws, sample=True, temperature=TEMPERATURE, top_p=TOP_P)
        drawn = self.generator.write(articles, drawing, runtime)
        return [_distinct((*likely, *some)) for likely, some in zip(found, drawn, strict=True)]

    def _why_not(self, text: str, language: str) -> str:
        if text and self.languages and language not in self.languages:
            return f"The system does not write the article's language ({language})."
        if unread := unread_language(text[:READ_CHARACTERS]):
            return f"Numbers are not read in the article's language ({unread})."
        return ""

    def _ordered(
        self,
        text: str,
        found: Sequence[HeadlineCandidate],
        checks: Sequence[CheckedHeadline],
        wishes: Wishes,
        language: str,
    ) -> list[HeadlineCandidate]:
        ordered = safest_first(
            found,
            checks,
            wishes=[kept_wishes(candidate.text, wishes) for candidate in found],
            weight=self.weight,
            language=language,
        )
        if not self.abstain or any(map(passes, checks)):
            return ordered[: wishes.candidates]
        first = instead_of(text, f"{NONE_PASSED} {OWN_WORDS}", wishes)
        if not first.text:
            return ordered[: wishes.candidates]
        rest = [one for one in ordered if comparison_key(one.text) != comparison_key(first.text)]
        return [first, *rest][: wishes.candidates]


def _distinct(candidates: Sequence[HeadlineCandidate]) -> list[HeadlineCandidate]:
    found: dict[str, HeadlineCandidate] = {}
    for one in candidates:
        found.setdefault(comparison_key(one.text), one)
    return list(found.values())


def constrained(generator: Generator) -> Generator:
    """A generator that writes no number in digits but those that can be had from the article."""
    from core.headlines.numeral_safety import derivable_numbers

    if not isinstance(generator, LanguageModelWriter | FlanT5Writer):
        raise InputError(
            "This generator cannot be held to the article's numbers while it writes.",
            hint="Set `constrain:false`, or put one of these inside: `flan_t5_headlines`, "
            "`smollm2_headlines`, `smollm2`, `causal`.",
        )
    return replace(generator, numbers=derivable_numbers)


@lru_cache(maxsize=64)
def _generator(signature: str) -> GeneratorRecipe:
    return headline_generators.parse(signature)


def _depth(signature: str) -> int:
    return max(accumulate((sign == "(") - (sign == ")") for sign in signature), default=0)
