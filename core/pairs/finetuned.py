"""A classifier that reads two headlines, fine-tuned on pairs of headlines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.pairs.cross_encoder.config import PairModelConfig
from core.pairs.cross_encoder.scoring import CHECKPOINT_BASE, ELECTRA, MODEL, PairModelScorer
from core.pairs.scorer import pair_scorers


@pair_scorers.register("finetuned.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FineTuned(PairModelScorer):
    """Probability of the same event, by a classifier fine-tuned on pairs of headlines.

    `model` takes a folder of `headline-lab train pair`, a sequence classifier of the hub, or a checkpoint
    file over `base`; the one that ships has low-rank updates over MiniLM.

    Source: HLGD (Laban et al. 2021), section 4.3, "Electra finetune".
    """

    summary: ClassVar[str] = "Both headlines read at once by a classifier fine-tuned on headlines"
    reads: ClassVar[PairModelConfig] = PairModelConfig(adapter="full", max_tokens=128)

    model: str = field(default="minilm_headlines", metadata=MODEL)
    base: str = field(default=ELECTRA, metadata=CHECKPOINT_BASE)
