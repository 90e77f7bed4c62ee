"""Headlines by the pointer-generator network with coverage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.generator import headline_generators
from core.headlines.neural.recipe import NeuralRecipe


@headline_generators.register("pointer_coverage.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PointerCoverage(NeuralRecipe):
    """A pointer-generator network that keeps from going over the same words again.

    Source: See et al. 2017, "Get To The Point"; Cafagna et al. 2019: PNC.
    """

    summary: ClassVar[str] = "Pointer-generator network that keeps from repeating itself"
    architecture: ClassVar[str] = "pointer_coverage"
