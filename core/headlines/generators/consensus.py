"""The headline that most candidates of a writer agree on, of those that pass every check; else a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
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
from core.headlines.generators.sentences import CompressedSentence
from core.headlines.headline_refusals import refusal
from core.headlines.headline_text import in_sentence_case
from core.numerals.checked_headline import PASSING
from core.numerals.checks.verdict_words import light_of, word_of
from core.numerals.question import source_aligners
from core.runtime import Runtime
from core.text.language import language_of
from core.text.normalise import comparison_key
from core.text.tokens import content, tokenize

if TYPE_CHECKING:
    from core.numerals.checked_headline import CheckedHeadline
    from core.numerals.checking import Checker

WRITER: Final = {"help": "the writer inside: its name, or its signature", "label": "Writer"}
SAME_IDEA: Final = 0.6  # share of the words of the shorter of two headlines that make them one idea
SHORTENED: Final = "this is the article's first sentence, shortened."


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


@headline_generators.register("consensus.v3")
@dataclass(frozen=True, kw_only=True, slots=True)
class Consensus(AroundWriter):
    """The headline that most candidates of a writer agree on; those that fail a check are dropped.

    Of the writer's likeliest headlines those that say anything but what the article's first sentences do are
    dropped (`core.headlines.headline_refusals`), the others put in order by minimum Bayes risk, the shortened
    first sentence among the voters. Behind them stands that sentence, and then the next ones where they tell
    something else; where nothing passes it is the first, and says so (`HeadlineCandidate.instead`), as it
    does in a language that the writer does not write. How many are asked for changes nothing but where the
    list ends.

    Source: Kumar and Byrne 2004, "Minimum Bayes-Risk Decoding for Statistical Machine Translation"; the
    checks are ours.
    """

    name: ClassVar[str] = "consensus"
    summary: ClassVar[str] = "What most headlines of a writer agree on where it passes every check"

    generator: str = field(default="flan_t5_headlines.v1|allowed_numbers:restated", metadata=WRITER)
    candidates: int = field(
        default=4, metadata={"help": "likeliest headlines", "low": 1, "high": MOST_CANDIDATES}
    )

    @property
    def inside(self) -> tuple[object, ...]:
        from core.numerals.checking import DEFAULT, readers

        return self.writer, source_aligners.parse(DEFAULT), *readers()

    def build(self, runtime: Runtime) -> Generator:
        from core.numerals.checking import load_checker

        writer, checker = self.writer.build(runtime), load_checker(None, runtime)
        return ConsensusWriter(writer, checker, self.candidates, self.languages)


@dataclass(frozen=True, slots=True, eq=False)
class ConsensusWriter:
    writer: Generator
    checker: Checker
    candidates: int
    languages: frozenset[str]  # that the writer writes; empty for any

    def write(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        texts = list(dict.fromkeys(articles))
        languages = {text: language_of(text) for text in texts if text} if self.languages else {}
        foreign = {text: code for text, code in languages.items() if code not in self.languages}
        read = [text for text in texts if text not in foreign]
        pools = dict(zip(read, self._pools(read, options, runtime), strict=True))
        every = replace(options, candidates=min(MOST_CANDIDATES, 2 * options.candidates - 1))
        own = CompressedSentence().build(runtime).write(texts, every, runtime.quietly())
        lines = [[*pools.get(text, []), *given] for text, given in zip(texts, own, strict=True)]
        checks = iter(
            self.checker.check(
                [candidate.text for some in lines for candidate in some],
                [text[:READ_CHARACTERS] for text, some in zip(texts, lines, strict=True) for _ in some],
                runtime.quietly(),
            )
        )
        written: dict[str, list[HeadlineCandidate]] = {}
        for text, some in zip(texts, lines, strict=True):
            size, checked = len(pools.get(text, [])), [next(checks) for _ in some]
            sentences = [marked(line, check) for line, check in zip(some[size:], checked[size:], strict=True)]
            passed = best_first(some[:size], checked[:size], sentences[0].text, options)
            if not passed and sentences[0].text:
                why = "No written headline passed every check"
                if text in foreign:
                    why = f"Nothing writes the article's language here ({foreign[text]})"
                sentences[0] = replace(sentences[0], instead=f"{why}: {SHORTENED}")
            written[text] = one_idea_each([*passed, *sentences])[: options.candidates]
        return [written[text] for text in articles]

    def _pools(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        likely = replace(options, candidates=self.candidates)
        # The time goes with the number of headlines; to check them takes about as long as one more.
        part = runtime.within("Writing headlines", 0, likely.candidates, of=likely.candidates + 1)
        pools = []
        for some in self.writer.write(articles, likely, part):
            pool: dict[str, HeadlineCandidate] = {}
            for candidate in some:
                pool.setdefault(comparison_key(candidate.text), candidate)
            pools.append(list(pool.values()))
        return pools


def best_first(
    candidates: Sequence[HeadlineCandidate],
    checks: Sequence[CheckedHeadline],
    sentence: str,
    options: GenerationOptions,
) -> list[HeadlineCandidate]:
    """The candidates of one article that pass every check, those that keep most of what is wished first.

    Then by their mean likeness to the others and to the shortened sentence (`likenesses`).
    """
    alike = likenesses([*(candidate.text for candidate in candidates), sentence])
    passed = []
    for candidate, check, likeness in zip(candidates, checks, alike, strict=False):
        if not refusal(check):
            text = in_sentence_case(candidate.text, check.article.text)
            passed.append(replace(marked(candidate, check), text=text, score=likeness))
    return sorted(passed, key=lambda candidate: (-options_met(candidate.text, options), -candidate.score))


def marked(candidate: HeadlineCandidate, check: CheckedHeadline) -> HeadlineCandidate:
    """A candidate with its light, and with a caution where that is amber or red."""
    doubt = "" if check.light in PASSING else f"{check.light.value.capitalize()}: {check.reason}"
    return replace(candidate, light=word_of(light_of(check)), caution=doubt)


def one_idea_each(candidates: Sequence[HeadlineCandidate]) -> list[HeadlineCandidate]:
    """The candidates without those that tell what one before them does."""
    chosen: list[HeadlineCandidate] = []
    ideas: list[frozenset[str]] = []
    for candidate in candidates:
        forms = frozenset(token.form for token in content(tokenize(candidate.text)))
        fewest = (max(1, min(len(forms), len(other))) for other in ideas)
        shared = (len(forms & other) / size for other, size in zip(ideas, fewest, strict=True))
        if max(shared, default=0.0) < SAME_IDEA:
            chosen.append(candidate)
            ideas.append(forms)
    return chosen


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
