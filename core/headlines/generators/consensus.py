"""The headline that most candidates of a writer agree on, and what the verdict on its numbers is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Final

from core.data.articles.article_files import READ_CHARACTERS
from core.errors import InputError
from core.headlines.generator import (
    MOST_CANDIDATES,
    GenerationOptions,
    Generator,
    GeneratorRecipe,
    HeadlineCandidate,
    HeadlineStyle,
    headline_generators,
    options_met,
)
from core.headlines.generators.sentences import FirstSentence
from core.headlines.headline_warnings import foreign_words, not_said
from core.numerals.checked_headline import PASSING, Light
from core.numerals.question import source_aligners
from core.runtime import Runtime
from core.text.language import language_of
from core.text.normalise import comparison_key
from core.text.tokens import tokenize

if TYPE_CHECKING:
    from core.numerals.checked_headline import CheckedHeadline
    from core.numerals.checking import Checker

PENALTIES: Final = {Light.CHECK: 0.05, Light.WRONG: 0.15}  # of a headline's likeness
FOREIGN_WORD: Final = 0.2  # what each of `foreign_words` takes
TEMPERATURE: Final = 0.7
TOP_P: Final = 0.9  # how the headlines beside the likeliest ones are drawn
WRITER: Final = {"help": "the writer inside: its name, or its signature", "label": "Writer"}


@dataclass(frozen=True, kw_only=True, slots=True)
class AroundWriter:
    """Base of generators that choose among the headlines of another one."""

    name: ClassVar[str]  # without a version

    generator: str = field(metadata=WRITER)

    def __post_init__(self) -> None:
        # Looked for before it is read: a signature may hold itself many times over.
        if self.name in self.generator:
            what = self.name.rpartition("_")[2]
            raise InputError(f"A {what} cannot be its own writer.", hint="Name another writer.")
        inner = headline_generators.signature(headline_generators.parse(self.generator))
        object.__setattr__(self, "generator", inner)

    @property
    def writer(self) -> GeneratorRecipe:
        return headline_generators.parse(self.generator)

    @property
    def languages(self) -> frozenset[str]:
        return self.writer.languages

    @property
    def styles(self) -> frozenset[HeadlineStyle]:
        return self.writer.styles

    def check(self) -> None:
        self.writer.check()


@headline_generators.register("consensus.v2")
@dataclass(frozen=True, kw_only=True, slots=True)
class Consensus(AroundWriter):
    """The headline that most candidates of a writer agree on; each is held against the article.

    The writer is asked for its likeliest headlines and for some drawn at random; `best_first` puts them in
    order by minimum Bayes risk and the verdict. No headline is changed or replaced; one whose numbers are to
    be checked or wrong, or with a word that the article does not say, says so (`HeadlineCandidate.caution`).
    An article in a language that the writer does not write gets its own first sentence, and says so
    (`HeadlineCandidate.instead`).

    Source: Kumar and Byrne 2004, "Minimum Bayes-Risk Decoding for Statistical Machine Translation"; the
    verdict is ours.
    """

    name: ClassVar[str] = "consensus"
    summary: ClassVar[str] = "What most headlines of a writer agree on, with a verdict on its numbers"

    generator: str = field(default="flan_t5_headlines.v1|allowed_numbers:restated", metadata=WRITER)
    candidates: int = field(
        default=4, metadata={"help": "likeliest headlines, at least", "low": 1, "high": MOST_CANDIDATES}
    )
    draws: int = field(
        default=12, metadata={"help": "headlines drawn at random", "low": 0, "high": MOST_CANDIDATES}
    )

    @property
    def inside(self) -> tuple[object, ...]:
        from core.numerals.checking import DEFAULT, readers

        return self.writer, source_aligners.parse(DEFAULT), *readers()

    def build(self, runtime: Runtime) -> Generator:
        from core.numerals.checking import load_checker

        writer, checker = self.writer.build(runtime), load_checker(None, runtime)
        return ConsensusWriter(writer, checker, self.candidates, self.draws, self.languages)


@dataclass(frozen=True, slots=True, eq=False)
class ConsensusWriter:
    writer: Generator
    checker: Checker
    candidates: int
    draws: int
    languages: frozenset[str]  # that the writer writes; empty for any

    def write(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        languages = {text: language_of(text) for text in articles if text} if self.languages else {}
        foreign = {text: code for text, code in languages.items() if code not in self.languages}
        read = [text for text in dict.fromkeys(articles) if text not in foreign]
        pools = self._pools(read, options, runtime)
        checks = iter(
            self.checker.check(
                [candidate.text for pool in pools for candidate in pool],
                [text[:READ_CHARACTERS] for text, pool in zip(read, pools, strict=True) for _ in pool],
                runtime.quietly(),
            )
        )
        given = zip(read, pools, strict=True)
        ranked = ((text, best_first(pool, [next(checks) for _ in pool], options)) for text, pool in given)
        written = {text: candidates[: options.candidates] for text, candidates in ranked}
        alone = replace(options, candidates=1)
        sentences = FirstSentence().build(runtime).write(list(foreign), alone, runtime.quietly())
        for (text, language), (sentence,) in zip(foreign.items(), sentences, strict=True):
            why = f"Nothing writes the article's language here ({language}): this is its own first sentence."
            written[text] = [replace(sentence, instead=why if sentence.text else "")]
        return [written[text] for text in articles]

    def _pools(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        likely = replace(options, candidates=max(options.candidates, self.candidates))
        draws = 0 if options.sample else self.draws
        # The time goes with the number of headlines; to check them takes about as long as one more.
        part_of = partial(runtime.within, "Writing headlines", of=likely.candidates + draws + 1)
        written = [self.writer.write(articles, likely, part_of(0, likely.candidates))]
        if draws:
            drawn = replace(likely, candidates=draws, sample=True, temperature=TEMPERATURE, top_p=TOP_P)
            rest = part_of(likely.candidates, likely.candidates + draws)
            written.append(self.writer.write(articles, drawn, rest))
        pools = []
        for parts in zip(*written, strict=True):
            pool: dict[str, HeadlineCandidate] = {}
            for candidate in chain.from_iterable(parts):
                pool.setdefault(comparison_key(candidate.text), candidate)
            pools.append(list(pool.values()))
        return pools


def best_first(
    candidates: Sequence[HeadlineCandidate], checks: Sequence[CheckedHeadline], options: GenerationOptions
) -> list[HeadlineCandidate]:
    """The candidates of one article: those that keep most of what is wished first, then by their new score,

    mean likeness to the others (`likenesses`) - 0.2 · foreign words - what the light takes (`PENALTIES`)
    """
    alike = likenesses([candidate.text for candidate in candidates])
    scored = []
    for candidate, check, likeness in zip(candidates, checks, alike, strict=True):
        foreign = foreign_words(candidate.text, check.article.text)
        caution = f"{Light.CHECK.value.capitalize()}: {not_said(foreign)}" if foreign else ""
        if check.light not in PASSING:
            caution = f"{check.light.value.capitalize()}: {check.reason}"
        score = likeness - FOREIGN_WORD * len(foreign) - PENALTIES.get(check.light, 0.0)
        scored.append(replace(candidate, score=score, caution=caution))
    return sorted(scored, key=lambda candidate: (-options_met(candidate.text, options), -candidate.score))


def likenesses(headlines: Sequence[str]) -> list[float]:
    """Mean likeness of each headline to the others, 0–1: F1 of words and of neighbouring words, averaged."""
    cut = [_words(text) for text in headlines]
    counted = [(Counter(words), Counter(pairwise(words))) for words in cut]
    sums = [0.0] * len(headlines)
    for row, first in enumerate(counted):
        for other, second in enumerate(counted[:row]):
            likeness = (_f1(first[0], second[0]) + _f1(first[1], second[1])) / 2
            sums[row] += likeness
            sums[other] += likeness
    return [total / max(1, len(headlines) - 1) for total in sums]


def _words(text: str) -> list[str]:
    return [token.text.casefold() for token in tokenize(text)]


def _f1(first: Counter[Any], second: Counter[Any]) -> float:
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0
