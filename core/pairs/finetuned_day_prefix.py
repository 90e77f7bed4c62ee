"""A classifier that reads two headlines with the days between them written before the first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.pairs.cross_encoder.config import PairModelConfig
from core.pairs.cross_encoder.scoring import CHECKPOINT_BASE, ELECTRA, MODEL, PairModelScorer
from core.pairs.scorer import pair_scorers


@pair_scorers.register("finetuned_day_prefix.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FineTunedDayPrefix(PairModelScorer):
    """Probability of the same event, from the text "[SEP] days [SEP] headline a [SEP] headline b".

    This is the input of the checkpoint that the paper's authors released. Give that file as `model`
    (`cls_elec_base_hlgd_0.74f1.bin`) and its architecture as `base`; like its authors' script it then
    marks no segments. Where grouping meets a headline without a date its score with any other is 0.

    Source: HLGD (Laban et al. 2021), the released classifier.
    """

    summary: ClassVar[str] = "Both headlines read at once, the days between them written before the first"
    reads: ClassVar[PairModelConfig] = PairModelConfig(
        time="prefix", adapter="full", max_tokens=128, segments=False
    )

    model: str = field(default="minilm_day_prefix", metadata=MODEL)
    base: str = field(default=ELECTRA, metadata=CHECKPOINT_BASE)
