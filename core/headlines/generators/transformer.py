"""Headlines by the encoder-decoder Transformer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.generator import headline_generators
from core.headlines.neural.recipe import NeuralRecipe


@headline_generators.register("transformer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Transformer(NeuralRecipe):
    """Transformer trained from scratch, from the first sentence to the headline: the NMT baseline.

    Source: Malykh and Kalaidin 2019, "Headline Generation Shared Task"; Vaswani et al. 2017.
    """

    summary: ClassVar[str] = "Encoder-decoder Transformer, trained from scratch"
    architecture: ClassVar[str] = "transformer"
