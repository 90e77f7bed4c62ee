"""Headlines by the pointer-generator network over stems and grammemes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.generator import headline_generators
from core.headlines.neural.recipe import NeuralRecipe


@headline_generators.register("pointer_grammemes.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PointerGrammemes(NeuralRecipe):
    """A pointer-generator network that reads and writes words as stem, ending and grammeme.

    Source: Malykh and Kalaidin 2019, "Headline Generation Shared Task on Dialogue'2019": Burning Headlines.
    """

    summary: ClassVar[str] = "Pointer-generator network over stems, endings and grammemes"
    architecture: ClassVar[str] = "pointer_grammemes"
