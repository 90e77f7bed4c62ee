"""A classifier trained on paraphrases of news sentences, asked about headlines it was not trained for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.pairs.cross_encoder.config import PairModelConfig
from core.pairs.cross_encoder.scoring import CHECKPOINT_BASE, ELECTRA, MODEL, PairModelScorer
from core.pairs.scorer import pair_scorers


@pair_scorers.register("mrpc_zero_shot.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class MrpcZeroShot(PairModelScorer):
    """Probability that two headlines are paraphrases, by a classifier trained on MRPC alone.

    `model` takes any sequence classifier of the hub that was trained on MRPC (ELECTRA, BERT); the one that
    ships has low-rank updates over MiniLM.

    Source: HLGD (Laban et al. 2021), section 4.2, "Electra MRPC zero-shot"; Dolan et al. 2004.
    """

    summary: ClassVar[str] = "Whether one headline paraphrases the other, learned on MRPC alone"
    reads: ClassVar[PairModelConfig] = PairModelConfig(adapter="full", max_tokens=128)

    model: str = field(default="minilm_mrpc", metadata=MODEL)
    base: str = field(default=ELECTRA, metadata=CHECKPOINT_BASE)
