"""Headlines by the sequence-to-sequence network with attention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.generator import headline_generators
from core.headlines.neural.recipe import NeuralRecipe


@headline_generators.register("s2s.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SequenceToSequence(NeuralRecipe):
    """LSTM encoder and decoder with attention; it can write words of its vocabulary only.

    Source: Cafagna et al. 2019, "Suitable Doesn't Mean Attractive": S2S.
    """

    summary: ClassVar[str] = "Sequence to sequence with attention; words of its vocabulary only"
    architecture: ClassVar[str] = "s2s"
