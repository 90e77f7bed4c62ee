"""The generator over a headline model: articles in, headlines out."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from core.headlines.generator import GenerationOptions, HeadlineCandidate
from core.models.language_models.language_model import LONG_WORDS, Length
from core.runtime import Runtime
from research.neural import words
from research.neural.batches import ArticleExample, by_length, source_of
from research.neural.model import HeadlineModel
from research.neural.search import BeamConstraints, HeadlineLimits, Hypothesis, beam_search, sample
from research.neural.vocabulary import cut

ARTICLES_AT_ONCE = 16
LEAST_WORDS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class BeamSearchSettings:
    beam_size: int = 5
    length_penalty: float = 1.0
    limits: HeadlineLimits = field(default_factory=lambda: HeadlineLimits(least_words=LEAST_WORDS))


@dataclass(frozen=True, slots=True, eq=False)
class NeuralWriter:
    model: HeadlineModel
    search: BeamSearchSettings = field(default_factory=BeamSearchSettings)
    ordered: Callable[[str], str] = str

    def write(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        config = self.model.config
        how: dict[str, Any] = {"language": config.language, "digits": config.style.digits}
        read = (words.article_words(self.ordered(text), **how, most=config.words_read) for text in articles)
        texts = [cut(text, self.model.byte_pairs) for text in read]
        results: list[list[HeadlineCandidate]] = [[HeadlineCandidate("", 0.0)] for _ in articles]
        rows = [row for row, text in enumerate(texts) if any(map(words.is_word, text.forms))]
        examples = [self.model.example(texts[row]) for row in rows]
        batches = by_length([len(example.source) for example in examples], ARTICLES_AT_ONCE)
        for batch in runtime.track(batches, "Writing headlines"):
            some = [examples[place] for place in batch]
            lines = (" ".join(texts[rows[place]].written).encode(errors="surrogatepass") for place in batch)
            seeds = [
                int.from_bytes(hashlib.sha256(text).digest()[:8], "big") ^ runtime.seed for text in lines
            ]
            for place, hypotheses in zip(batch, self._search(some, seeds, options), strict=True):
                results[rows[place]] = self._candidates(hypotheses, examples[place], options)
        return results

    def _search(
        self, examples: Sequence[ArticleExample], seeds: Sequence[int], options: GenerationOptions
    ) -> list[list[Hypothesis]]:
        device = str(next(self.model.module.parameters()).device)
        with torch.inference_mode():
            source = source_of(examples, self.model.vocabulary).to(device)
            step, state = self.model.network.begin(source)
            limits, penalty = wished(self.search.limits, options), self.search.length_penalty
            rules = BeamConstraints(limits, self.model.vocabulary, examples, source.extra, device)
            if options.sample:
                return sample(step, state, rules, options, seeds=seeds, length_penalty=penalty)
            # Some of the found headlines are the same when they are put together.
            width = max(self.search.beam_size, options.candidates + (options.candidates > 1))
            return beam_search(step, state, rules, width=width, length_penalty=penalty)

    def _candidates(
        self, hypotheses: Sequence[Hypothesis], example: ArticleExample, options: GenerationOptions
    ) -> list[HeadlineCandidate]:
        different: dict[str, HeadlineCandidate] = {}
        for hypothesis in hypotheses:
            text = self.text(hypothesis.numbers, example)
            different.setdefault(text, HeadlineCandidate(text, hypothesis.score))
        different.pop("", None)
        return list(different.values())[: options.candidates] or [HeadlineCandidate("", 0.0)]

    def text(self, numbers: Sequence[int], example: ArticleExample) -> str:
        """Numbers of words as one line, written as in the article where they stand there."""
        vocabulary = self.model.vocabulary
        spelled = []
        for number in numbers:
            form = vocabulary.form(number, example.extra)
            usual = vocabulary.written[number] if number < len(vocabulary) else form
            spelled.append(example.written.get(form, usual))
        return words.join(spelled, self.model.config.style)


def wished(limits: HeadlineLimits, options: GenerationOptions) -> HeadlineLimits:
    least, most = options.bounds(limits.least_words, limits.most_words)
    longest = LONG_WORDS if options.length is Length.LONG else limits.least_words
    steps = max(limits.most_steps, 2 * longest)
    return replace(limits, least_words=least, most_words=most, most_steps=steps)
