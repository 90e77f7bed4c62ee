"""A loaded headline model as a generator: batches, beam search or sampling, words put together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import torch

from core.headlines.generator import HeadlineCandidate, Wishes
from core.models.language_models.frames import LONG_WORDS, Length
from core.runtime import Runtime
from research.neural.batches import ArticleExample, by_length, source_of
from research.neural.limits import BeamConstraints, HeadlineLimits
from research.neural.model import HeadlineModel
from research.neural.search import Hypothesis, beam_search, sample
from research.neural.words import TextWords, article_words, is_word, join

ARTICLES_AT_ONCE = 16
LEAST_WORDS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class BeamSearchSettings:
    """How headlines are searched for.

    Attributes:
        beam_size: Headlines that are followed at a time, 1 or more.
        length_penalty: See `beam_search`.
        limits: Bounds of a headline that nobody wished otherwise.
    """

    beam_size: int = 5
    length_penalty: float = 1.0
    limits: HeadlineLimits = field(default_factory=lambda: HeadlineLimits(least_words=LEAST_WORDS))


@dataclass(frozen=True, slots=True, eq=False)
class NeuralWriter:
    """A generator over a headline model."""

    model: HeadlineModel
    search: BeamSearchSettings = field(default_factory=BeamSearchSettings)
    ordered: Callable[[str], str] = str

    def write(
        self, articles: Sequence[str], wishes: Wishes, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        config = self.model.config
        texts = [
            article_words(
                self.ordered(text),
                language=config.language,
                digits=config.style.digits,
                most=config.words_read,
            )
            for text in articles
        ]
        found: list[list[HeadlineCandidate]] = [[HeadlineCandidate("", 0.0)] for _ in articles]
        rows = [row for row, words in enumerate(texts) if any(map(is_word, words.forms))]
        examples = [self.model.example(texts[row]) for row in rows]
        batches = by_length([len(one.source) for one in examples], ARTICLES_AT_ONCE)
        for batch in runtime.track(batches, "Writing headlines"):
            some = [examples[place] for place in batch]
            seeds = [_seed(texts[rows[place]], runtime.seed) for place in batch]
            for place, hypotheses in zip(batch, self._search(some, seeds, wishes), strict=True):
                found[rows[place]] = self._candidates(hypotheses, examples[place], wishes)
        return found

    def _search(
        self, examples: Sequence[ArticleExample], seeds: Sequence[int], wishes: Wishes
    ) -> list[list[Hypothesis]]:
        module = self.model.module
        device = str(next(module.parameters()).device)
        with torch.inference_mode():
            source = source_of(examples, self.model.vocabulary).to(device)
            step, state = self.model.network.begin(source)
            rules = BeamConstraints(
                wished(self.search.limits, wishes), self.model.vocabulary, examples, source.extra, device
            )
            if wishes.sample:
                return sample(
                    step,
                    state,
                    rules,
                    seeds=seeds,
                    count=wishes.candidates,
                    temperature=wishes.temperature,
                    top_p=wishes.top_p,
                    length_penalty=self.search.length_penalty,
                )
            return beam_search(
                step,
                state,
                rules,
                # Some of the found headlines are the same when they are put together.
                width=max(self.search.beam_size, wishes.candidates + (wishes.candidates > 1)),
                length_penalty=self.search.length_penalty,
            )

    def _candidates(
        self, hypotheses: Sequence[Hypothesis], example: ArticleExample, wishes: Wishes
    ) -> list[HeadlineCandidate]:
        different: dict[str, HeadlineCandidate] = {}
        for one in hypotheses:
            text = self.text(one.numbers, example)
            if text:
                different.setdefault(text, HeadlineCandidate(text, one.score))
        return list(different.values())[: wishes.candidates] or [HeadlineCandidate("", 0.0)]

    def text(self, numbers: Sequence[int], example: ArticleExample) -> str:
        """Numbers of words as one line, written as in the article where they stand there."""
        vocabulary = self.model.vocabulary
        words = []
        for number in numbers:
            form = vocabulary.form(number, example.extra)
            usual = vocabulary.written[number] if number < len(vocabulary) else form
            words.append(example.written.get(form, usual))
        return join(words, self.model.config.style)


def wished(limits: HeadlineLimits, wishes: Wishes) -> HeadlineLimits:
    """The limits with what is asked of a call."""
    least, most = wishes.bounds(limits.least_words, limits.most_words)
    longest = LONG_WORDS if wishes.length is Length.LONG else limits.least_words
    steps = max(limits.most_steps, 2 * longest)
    return replace(limits, least_words=least, most_words=most, most_steps=steps)


def _seed(words: TextWords, seed: int) -> int:
    digest = hashlib.sha256(" ".join(words.written).encode(errors="surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") ^ seed
