"""Fills the blank of a headline with a number of its article."""

import dataclasses
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.models.cards import SHIPPED
from core.models.language_models import language_model
from core.models.language_models.causal import ABOUT, AdapterConfig, base_of, read_about, with_adapter
from core.models.language_models.network import CausalNetwork
from core.models.language_models.recipe import LanguageModelRecipe
from core.models.networks.precision import numbers_signature
from core.models.weights import is_installed, weights_signature
from core.numerals import checking, weighing
from core.numerals.checked_headline import FilledBlank
from core.numerals.derivations import operands, singles
from core.numerals.derivations.features import features
from core.numerals.question import (
    Aligner,
    Alignment,
    NumeralQuestion,
    blank_of,
    read_article,
    shares_of,
    source_aligners,
)
from core.runtime import Runtime
from core.text.desk_marks import without_dateline

DEFAULT: Final = "blend.v1"  # the aligner that fills blanks by default
ADAPTER: Final = SHIPPED / "smollm2_headlines"
LANGUAGE: Final = "en"  # what the adapter was trained on
STEP: Final = "Filling blanks"
PORTION: Final = 64
READ: Final = 8  # answers that the language model reads: the right one is hardly ever further down
SURE: Final = 0.97  # share of the best answer from which the language model is not asked
OTHERS: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class ClozeReader:
    model: CausalNetwork  # the language model with the headline adapter
    about: AdapterConfig  # what stands around article and headline, and how many tokens of each are read

    @property
    def weights(self) -> tuple[Path, ...]:
        return (ADAPTER,)

    @property
    def inside(self) -> tuple[LanguageModelRecipe, ...]:
        return (base_of(ADAPTER),)

    def read(self, article: str, headlines: Sequence[str], runtime: Runtime) -> npt.NDArray[np.float64]:
        """Log-likelihood of whole headlines of one article, in nats, float64 [m]."""
        model = dataclasses.replace(self.model, runtime=runtime)
        first, about = headlines[0], self.about
        # The control tags of training hold for all of them: they differ in the number alone.
        tags = language_model.after_text(
            language_model.length_of(first), question=language_model.is_question(first), number=True
        )
        template = language_model.PromptTemplate(about.before, tags, about.end)
        tokens = {"prefix_tokens": about.article_tokens, "continuation_tokens": about.headline_tokens}
        texts = [without_dateline(article)] * len(headlines)
        read = model.log_likelihood(texts, headlines, template=template, **tokens)
        return np.asarray(read.mean * read.tokens)


def is_there() -> bool:
    return (ADAPTER / ABOUT).is_file() and is_installed(base_of(ADAPTER).check)


def open_reader(runtime: Runtime) -> ClozeReader:
    return ClozeReader(with_adapter(ADAPTER, runtime), read_about(ADAPTER))


@dataclass(frozen=True, slots=True, eq=False)
class Filler:
    aligner: Aligner  # judges what belongs in a blank
    weights: weighing.Weights  # weigh what it says
    reader: ClozeReader | None  # reads headlines with the answers in them; None where it is not installed
    system: str  # signature of the aligner, and of the reader, and their weights
    least: float = 0.0  # probability below which a blank stays blank

    def fill(self, headlines: Sequence[str], articles: Sequence[str], runtime: Runtime) -> list[FilledBlank]:
        read, quiet = {text: read_article(text) for text in dict.fromkeys(articles)}, runtime.quietly()
        asked = [blank_of(headline, read[text]) for headline, text in zip(headlines, articles, strict=True)]
        portions = (asked[start : start + PORTION] for start in range(0, len(asked), PORTION))
        aligned = [each for portion in portions for each in self.aligner.align(portion, quiet)]
        rows = runtime.track(range(len(asked)), STEP)
        return [self._answer(asked[row], aligned[row], quiet) for row in rows]

    def _answer(self, question: NumeralQuestion, alignment: Alignment, runtime: Runtime) -> FilledBlank:
        candidates = singles.fillings_of(question)
        if not candidates:
            return FilledBlank("", (), 0.0, ())
        sums = self.weights.answers.predict(features(question, alignment, candidates))
        logits = sums * self.weights.constants.sharpness
        answers = answers_of(candidates, logits)
        order = sorted(answers, key=lambda answer: -answers[answer])
        if self.reader is not None and question.article.language == LANGUAGE and answers[order[0]] < SURE:
            first = order[:READ]
            texts = [question.holding(answer) for answer in first]
            likelihoods = self.reader.read(question.article.text, texts, runtime)
            scores = np.log([max(answers[answer], 1e-12) for answer in first])
            scores = scores + self.weights.constants.language_model * likelihoods
            shares = shares_of(scores) * sum(answers[answer] for answer in first)
            answers |= zip(first, shares.tolist(), strict=True)
            order = sorted(answers, key=lambda answer: -answers[answer])
        best, shown = order[0], tuple((answer, answers[answer]) for answer in order[: 1 + OTHERS])
        if answers[best] < self.least:
            return FilledBlank("", (), answers[best], shown[:OTHERS])
        ways = [row for row, candidate in enumerate(candidates) if candidate.answer == best]
        derivations = checking.ranked([candidates[row] for row in ways], logits[ways], answers[best])
        return FilledBlank(best, derivations, answers[best], shown[1:])


def load_filler(
    aligner: str | None, runtime: Runtime, *, least: float = 0.0, with_reader: bool = True
) -> Filler:
    """Loads a filler, with the language model where it is wanted and on this machine."""
    recipe = checking.recipe_of(aligner or DEFAULT)
    reader = open_reader(runtime) if with_reader and is_there() else None
    read_by = (reader,) if reader else ()
    parts = [source_aligners.signature(recipe) + " + smollm2_headlines" * bool(reader)]
    parts += [*weights_signature(recipe, *read_by), *numbers_signature(runtime, recipe, *read_by)]
    system = " · ".join(parts)
    return Filler(recipe.build(runtime), weighing.read_weights(recipe.folder), reader, system, least)


def answers_of(candidates: Sequence[operands.DerivationCandidate], logits: FloatArray) -> dict[str, float]:
    shares: dict[str, float] = defaultdict(float)
    for candidate, share in zip(candidates, shares_of(logits).tolist(), strict=True):
        shares[candidate.answer] += share
    return dict(shares)
