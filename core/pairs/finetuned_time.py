"""A classifier that reads two headlines, with the days between them beside the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.pairs.cross_encoder.config import PairModelConfig
from core.pairs.cross_encoder.scoring import CHECKPOINT_BASE, ELECTRA, MODEL, PairModelScorer
from core.pairs.scorer import pair_scorers


@pair_scorers.register("finetuned_time.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FineTunedTime(PairModelScorer):
    """Probability of the same event, from both headlines and a layer that reads the days between.

    The encoder's output and the day difference each pass a small feed-forward layer, are concatenated
    and classified. Where grouping meets a headline without a date its score with any other is 0.

    Source: HLGD (Laban et al. 2021), section 4.3, "Electra finetune + Time"; its layer sizes were lost,
    see `PairModel`.
    """

    summary: ClassVar[str] = "Both headlines read at once, and the days between them beside the text"
    reads: ClassVar[PairModelConfig] = PairModelConfig(time="concat", adapter="full", max_tokens=128)

    model: str = field(default="minilm_time", metadata=MODEL)
    base: str = field(default=ELECTRA, metadata=CHECKPOINT_BASE)
