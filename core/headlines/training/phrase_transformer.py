"""The Transformer with phrase-based attention from scratch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.headlines.training.trainer import headline_trainers
from core.headlines.training.transformer import PHRASES, TransformerTrainer


@headline_trainers.register("phrase_transformer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PhraseTransformerTrainer(TransformerTrainer):
    """The Transformer with two heads over words and two over pairs of words in every attention.

    Source: Nguyen and Joty 2018; Sokolov 2019.
    """

    summary: ClassVar[str] = "Transformer with phrase-based attention from scratch"
    generator: ClassVar[str] = "phrase_transformer.v1"
    architecture: ClassVar[str] = "phrase_transformer"

    phrases: str = field(default="1 1 2 2", metadata=PHRASES)
