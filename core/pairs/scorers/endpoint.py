"""The scorer that asks a language model at an address whether two headlines report one event."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final

import msgspec
import numpy as np

from core.arrays import Float32Array, IntArray
from core.errors import ModelUnavailableError
from core.models.endpoints import asking, recipe
from core.pairs.context import PairContext
from core.pairs.scorer import PairByPair, PairScorer, PreparedScorer, ScoreScale, pair_scorers
from core.registry import told
from core.runtime import Runtime

LOGPROBS, SCALE = "logprobs", "scale"
_LIKELIEST: Final = 20  # first tokens whose probability is asked for: the most that servers give
_LEAST: Final = 0.1  # probability of yes and no together below which the answer is neither
_TOKENS: Final = 32  # of an answer on the scale


class _Score(msgspec.Struct):
    score: Annotated[int, msgspec.Meta(ge=0, le=100)]


@pair_scorers.register("endpoint.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EndpointPairs(recipe.EndpointModel, PairScorer):
    """What a language model at an address says to the question whether two headlines report one event.

    With `logprobs` it is P(yes) / (P(yes) + P(no)) of the first token, with `scale` the number from 0 to 100
    that the model gives, over 100. The order of the headlines counts: `symmetric` asks in both. An answer
    that is neither gives no score. A headline and itself are not asked about.

    Source: Kadavath et al. 2022, "Language Models (Mostly) Know What They Know", for the probability of a
    token as an answer.
    """

    summary: ClassVar[str] = "A language model of your own, by its address"
    holds: ClassVar[tuple[str, ...]] = ("left", "right")
    what: ClassVar[str] = "Headlines"
    part: ClassVar[str] = "the model's answer"
    unread: ClassVar[str] = "The model's answer is neither yes nor no, nor a number that was asked for."

    answer: str = told(
        LOGPROBS, "probability of yes, or a number that the model gives", choices=(LOGPROBS, SCALE)
    )

    @property
    def usual_prompt(self) -> str:
        return "same_event.v1" if self.answer == LOGPROBS else "same_event_scale.v1"

    @property
    def scale(self) -> ScoreScale:
        return ScoreScale(symmetric=False)

    @property
    def unfitted(self) -> str:
        return "The threshold of 0.5 was fitted to nothing: choose one on labelled pairs."

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        self.check()

        def score(left: IntArray, right: IntArray) -> Float32Array:
            scores = np.ones(len(left), dtype=np.float32)
            apart = np.flatnonzero(left != right)
            rows = zip(left[apart].tolist(), right[apart].tolist(), strict=True)
            texts = [{"left": context.texts[a], "right": context.texts[b]} for a, b in rows]
            scores[apart] = [self._score(answer) for answer in self.ask(texts, runtime, **self.how)]
            return scores

        return PairByPair(len(context), score)

    @property
    def how(self) -> dict[str, Any]:
        """How long an answer may be, and its form, as `asking.Request` has them."""
        if self.answer == LOGPROBS:
            return {"tokens": 1, "logprobs": _LIKELIEST}
        number = {"type": "integer", "minimum": 0, "maximum": 100}
        return {"tokens": _TOKENS, "schema": recipe.object_of(score=number)}

    def _score(self, answer: asking.Answer) -> float:
        if self.answer == SCALE:
            read = recipe.parsed(answer.text, _Score)
            return math.nan if read is None else read.score / 100
        if answer.first is None:
            message = f"{self.address} gives no probabilities of tokens (logprobs)."
            raise ModelUnavailableError(message, hint="Ask for a number: endpoint.v1|answer:scale.")
        return yes_of(answer.first)


def yes_of(first: Mapping[str, float]) -> float:
    said = {"yes": 0.0, "no": 0.0}
    for token, logprob in first.items():
        word = "".join(filter(str.isalpha, token)).casefold()
        if word in said:
            said[word] += math.exp(logprob)
    both = said["yes"] + said["no"]
    return said["yes"] / both if both >= _LEAST else math.nan
