"""A classifier that reads the beginnings of two articles instead of their headlines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.pairs.cross_encoder.config import PairModelConfig
from core.pairs.cross_encoder.scoring import CHECKPOINT_BASE, ELECTRA, MODEL, PairModelScorer
from core.pairs.scorer import pair_scorers


@pair_scorers.register("finetuned_content.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FineTunedContent(PairModelScorer):
    """Probability of the same event, by a classifier that reads the first 255 words of each article.

    What does not fit into the model's tokens is cut, the longer text first.

    Source: HLGD (Laban et al. 2021), section 4.3, "Electra finetune on content".
    """

    summary: ClassVar[str] = "Both articles' beginnings read at once, instead of the headlines"
    reads: ClassVar[PairModelConfig] = PairModelConfig(input="content", adapter="full", max_tokens=512)

    model: str = field(default="minilm_content", metadata=MODEL)
    base: str = field(default=ELECTRA, metadata=CHECKPOINT_BASE)
