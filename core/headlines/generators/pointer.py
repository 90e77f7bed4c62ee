"""Headlines by the pointer-generator network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.generator import headline_generators
from core.headlines.neural.recipe import NeuralRecipe


@headline_generators.register("pointer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Pointer(NeuralRecipe):
    """Writes words or copies them from the article, by the weights of its attention.

    Source: See et al. 2017, "Get To The Point"; Cafagna et al. 2019: PN.
    """

    summary: ClassVar[str] = "Pointer-generator network: writes words or copies them from the article"
    architecture: ClassVar[str] = "pointer"
