"""Cosine of an encoder's vectors of whole texts: the headline and the beginning of its article."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.models.encoders.cache import encode_cached
from core.models.encoders.encoder import encoders
from core.pairs.features.text2title import CHARACTERS, documents
from core.pairs.scorer import Formula, Need, PairContext, PairScorer, PreparedScorer, pair_scorers
from core.pairs.scorers.cosine import cosine
from core.runtime import Runtime


@pair_scorers.register("text_cosine.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TextCosine(PairScorer):
    """Cosine of the vectors of headline and article, negative values counted as 0; dates are ignored.

    Source: Gusev and Smurov 2021, section 3.2, there with the Universal Sentence Encoder.
    """

    summary: ClassVar[str] = "How close the meanings of two articles are, headline and beginning"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.BODIES})
    threshold: ClassVar[float] = 0.6
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
