"""Cosines of an encoder's vectors: of headlines, faded in time, and of headline and article."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.pairs.context import PairContext, require_vectors
from core.pairs.fading import TAU_DAYS, WINDOW_DAYS, tau_variants, time_factor, time_part
from core.pairs.features.documents import CHARACTERS, documents
from core.pairs.scorer import Formula, Need, PairScorer, PreparedScorer, ScorePart, pair_scorers
from core.pairs.selection import Selection
from core.runtime import Runtime


def cosine(vectors: Float32Array) -> Callable[[Selection], Float32Array]:
    """Cosines of pairs of unit vectors, float32 [n, d], negative ones counted as 0."""

    def score(at: Selection) -> Float32Array:
        scores = at.inner(vectors)
        return np.clip(scores, 0.0, 1.0, out=scores)

    return score


@pair_scorers.register("cosine.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Cosine(PairScorer):
    """Cosine of the encoder's vectors, negative values counted as 0; dates are ignored."""

    summary: ClassVar[str] = "How close the meanings of two headlines are; dates play no part"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})
    threshold: ClassVar[float] = 0.36
    part: ClassVar[str] = "meaning"

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        require_vectors(context)
        return Formula(cosine(context.vectors))


@pair_scorers.register("siamese_pooled.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SiamesePooled(Cosine):
    """Cosine of `e5_siamese.v1`: a siamese network with global multihead pooling and a contrastive loss.

    Source: Dialogue 2021 (Gusev and Smurov), section 3, SBERT; there over a Russian BERT.
    """

    summary: ClassVar[str] = "How close two headlines are to a siamese network trained on pairs (SBERT)"
    encoder: ClassVar[str] = "e5_siamese.v1"
    threshold: ClassVar[float] = 0.54


@pair_scorers.register("cosine_time.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CosineTime(PairScorer):
    """Cosine of the encoder's vectors times exp(-|days apart| / tau_days).

    Where either date is missing the time factor is exactly 1 and the window does not apply.
    """

    summary: ClassVar[str] = "How close two headlines are in meaning and in time"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})
    threshold: ClassVar[float] = 0.32

    tau_days: float = field(default=8.0, metadata=TAU_DAYS)
    window_days: float = field(default=14.0, metadata=WINDOW_DAYS)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        require_vectors(context)
        meaning = cosine(context.vectors)

        def score(at: Selection) -> Float32Array:
            scores = meaning(at)
            scores *= time_factor(np.subtract(*at.sides(context.days)), self.tau_days)
            return scores

        return Formula(score)

    def fade(self, left: FloatArray, right: FloatArray) -> Float32Array:
        return time_factor(left - right, self.tau_days)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        meaning = float(np.clip(context.vectors[left] @ context.vectors[right], 0.0, 1.0))
        apart = context.days[left] - context.days[right]
        return ScorePart("meaning", meaning), time_part(apart, self.tau_days)

    def variants(self, days_apart: FloatArray, labels: IntArray) -> Sequence[PairScorer]:
        return tau_variants(self)


@pair_scorers.register("text_cosine.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TextCosine(PairScorer):
    """Cosine of the vectors of headline and article, negative values counted as 0; dates are ignored.

    Source: Gusev and Smurov 2021, section 3.2, there with the Universal Sentence Encoder.
    """

    summary: ClassVar[str] = "How close the meanings of two articles are, headline and beginning"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.BODIES})
    threshold: ClassVar[float] = 0.54
    part: ClassVar[str] = "meaning of the article"

    encoder: str = field(default="e5_small.v1", metadata={"help": "the encoder: its name, or its signature"})
    characters: int = field(default=2_000, metadata={**CHARACTERS, "low": 1})

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoder", encoders.signature(encoders.parse(self.encoder)))

    @property
    def inside(self) -> tuple[object, ...]:
        return (encoders.parse(self.encoder),)

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        texts = documents(context, self.characters)
        return Formula(cosine(encode_cached(texts, encoders.parse(self.encoder), runtime)))
