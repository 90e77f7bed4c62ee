"""Headlines by the Transformer with phrase-based attention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.generator import headline_generators
from core.headlines.neural.recipe import NeuralRecipe


@headline_generators.register("phrase_transformer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PhraseTransformer(NeuralRecipe):
    """Transformer of which some heads look for phrases instead of words: DreamTeam's system.

    Source: Sokolov 2019, "Phrase-based attentional transformer for headline generation"; Nguyen and Joty
    2018.
    """

    summary: ClassVar[str] = "Transformer with phrase-based attention, trained from scratch"
    architecture: ClassVar[str] = "phrase_transformer"
