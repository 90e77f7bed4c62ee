"""Headline Generator Swap: could each article carry the other's headline?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.errors import InputError
from core.models.language_models.language_model import LanguageModel, LanguageModelRecipe, language_models
from core.pairs.language_model_field import LANGUAGE_MODEL, completed, every_pair, once_each
from core.pairs.scorer import Need, PairContext, Part, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.timeless import Timeless
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PreparedHeadlineSwap:
    """A loaded language model beside the headlines and their articles.

    Attributes:
        model: Any language model.
        context: Headlines and articles.
        content_tokens: Tokens of an article that are read.
        headline_tokens: Tokens of a headline that are scored.
    """

    model: LanguageModel
    context: PairContext
    content_tokens: int
    headline_tokens: int

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        """Scores of the pairs (left[k], right[k]), float32 [m], 0 to 1."""
        return once_each(self._ask, left, right)

    def block(self, rows: slice, columns: slice) -> Float32Array:
        """Scores of two ranges of headlines, float32 [rows, columns], 0 to 1."""
        return every_pair(self, len(self.context), rows, columns)

    def _ask(self, left: IntArray, right: IntArray) -> Float32Array:
        # Both directions in one call, so that an article that stands on both sides is read once.
        articles = np.concatenate([left, right]).tolist()
        headlines = np.concatenate([right, left]).tolist()
        found = self.model.log_likelihood(
            [self.context.bodies[row] for row in articles],
            [self.context.texts[row] for row in headlines],
            frame=self.model.headline_frame,
            prefix_tokens=self.content_tokens,
            continuation_tokens=self.headline_tokens,
        )
        first, second = found.mean[: len(left)], found.mean[len(left) :]
        return np.exp((first + second) / 2).astype(np.float32)


@pair_scorers.register("headline_swap.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineSwap(Timeless):
    """How likely each headline is as the headline of the other's article.

    With L(h | c) the mean log-likelihood a token of headline h (its end counted) after article c, the
    score of articles a and b is exp((L(h_b | c_a) + L(h_a | c_b)) / 2): the geometric mean of the two
    conditional probabilities of a token. The authors' script sums the two mean negative
    log-likelihoods and calls a pair positive below 6.75 with their GPT-2-medium generator, which is a
    score of exp(-6.75 / 2) = 0.034 here. An untuned model wants another threshold.

    Source: HLGD (Laban et al. 2021), eq. 3 and appendix B; cuts at 300 and 30 tokens as in the
    authors' script.
    """

    summary: ClassVar[str] = "How likely each headline is as the headline of the other's article"
    scale: ClassVar[ScoreScale] = ScoreScale(low=0.0, high=1.0, symmetric=True)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.BODIES})
    # Middle, in nats, between the 10 positive and 9 negative pairs of the training and validation parts of
    # tgcontest_en, which SmolLM2 separates: 0.0213 and 0.0123.
    threshold: ClassVar[float] = 0.0162

    language_model: str = field(default="smollm2.v1", metadata=LANGUAGE_MODEL)
    content_tokens: int = field(
        default=300, metadata={"help": "tokens of an article that are read", "low": 1, "high": 100_000}
    )
    headline_tokens: int = field(
        default=30, metadata={"help": "tokens of a headline that are scored", "low": 1, "high": 1_000}
    )

    def __post_init__(self) -> None:
        """Completes the language model's signature, so that this one pins all of its parameters."""
        object.__setattr__(self, "language_model", completed(self.language_model))

    @property
    def inside(self) -> tuple[LanguageModelRecipe, ...]:
        """The language model; see `core.models.weights.taking_part`."""
        return (language_models.parse(self.language_model),)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Loads the language model.

        Raises:
            InputError: The context has no articles.
            ModelUnavailableError: The model is not on this machine.
        """
        if len(context) and len(context.bodies) != len(context):
            raise InputError(
                "This scorer reads the articles, and the headlines come without them.",
                hint="Choose a scorer that reads headlines alone, or load a file with a column of bodies.",
            )
        model = language_models.parse(self.language_model).build(runtime)
        return PreparedHeadlineSwap(model, context, self.content_tokens, self.headline_tokens)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The likelihood alone."""
        return (Part("likelihood of swapped headlines, a token", score),)
