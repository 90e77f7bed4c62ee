"""The sequence-to-sequence network with attention of Cafagna et al. 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.training.recurrent import RecurrentTrainer
from core.headlines.training.trainer import headline_trainers


@headline_trainers.register("s2s.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SequenceToSequenceTrainer(RecurrentTrainer):
    """Sequence to sequence with attention; words of the vocabulary only.

    The defaults are the paper's: 256 LSTM cells, embeddings of 128, Adagrad at 0.15, gradients clipped at 2,
    500 words read, no dropout. Embeddings start from WordLlama's, because thousands of articles are too few
    for words to get a meaning; the paper had a hundred thousand, and pretrained embeddings did not help it.

    Source: Cafagna et al. 2019, "Suitable Doesn't Mean Attractive", section 3.
    """

    summary: ClassVar[str] = "Sequence to sequence with attention, without copying"
    generator: ClassVar[str] = "s2s.v1"
    architecture: ClassVar[str] = "s2s"
