"""Headlines by CopyNet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.generator import headline_generators
from core.headlines.neural.recipe import NeuralRecipe


@headline_generators.register("copynet.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CopyNet(NeuralRecipe):
    """Writing and copying compete for every word, and what was copied last is read again.

    Source: Gu et al. 2016; Malykh and Kalaidin 2019, "Headline Generation Shared Task on Dialogue'2019":
    Black and Yellow.
    """

    summary: ClassVar[str] = "CopyNet: writing and copying compete for every word"
    architecture: ClassVar[str] = "copynet"
