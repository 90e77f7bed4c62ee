"""A pair classifier as in the Dialogue 2021 shared task: a text encoder over two headlines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.pairs.cross_encoder.config import PairModelConfig
from core.pairs.cross_encoder.scoring import CHECKPOINT_BASE, MODEL, PairModelScorer
from core.pairs.scorer import pair_scorers


@pair_scorers.register("pair_classifier.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PairClassifier(PairModelScorer):
    """Probability of the same event, by a classifier over both headlines.

    Of the hub any sequence classifier that was trained on pairs will do (multilingual BERT, RuBERT); the one
    that ships is English, has low-rank updates over MiniLM, and was trained on headlines and on the first
    sentences of articles.

    Source: Dialogue 2021, Russian News Clustering (Gusev and Smurov), BERT pair classifiers.
    """

    summary: ClassVar[str] = "A classifier over both headlines, as BERT was used in the Dialogue 2021 task"
    reads: ClassVar[PairModelConfig] = PairModelConfig(adapter="full", max_tokens=128)

    model: str = field(default="minilm_pairs", metadata=MODEL)
    base: str = field(default="bert-base-multilingual-cased", metadata=CHECKPOINT_BASE)
