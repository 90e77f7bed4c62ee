"""Networks that learned to write headlines from articles alone: recurrent ones and Transformers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.generator import headline_generators
from research.neural.recipe import NeuralRecipe


@headline_generators.register("s2s.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SequenceToSequence(NeuralRecipe):
    """LSTM encoder and decoder with attention; it can write words of its vocabulary only.

    Source: Cafagna et al. 2019, "Suitable Doesn't Mean Attractive": S2S.
    """

    summary: ClassVar[str] = "Sequence to sequence with attention; words of its vocabulary only"
    architecture: ClassVar[str] = "s2s"


@headline_generators.register("pointer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Pointer(NeuralRecipe):
    """Writes words or copies them from the article, by the weights of its attention.

    Source: See et al. 2017, "Get To The Point"; Cafagna et al. 2019: PN.
    """

    summary: ClassVar[str] = "Pointer-generator network: writes words or copies them from the article"
    architecture: ClassVar[str] = "pointer"


@headline_generators.register("pointer_coverage.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PointerCoverage(NeuralRecipe):
    """A pointer-generator network that keeps from going over the same words again.

    Source: See et al. 2017, "Get To The Point"; Cafagna et al. 2019: PNC.
    """

    summary: ClassVar[str] = "Pointer-generator network that keeps from repeating itself"
    architecture: ClassVar[str] = "pointer_coverage"


@headline_generators.register("pointer_grammemes.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PointerGrammemes(NeuralRecipe):
    """A pointer-generator network that reads and writes words as stem, ending and grammeme.

    Source: Malykh and Kalaidin 2019, "Headline Generation Shared Task on Dialogue'2019": Burning Headlines.
    """

    summary: ClassVar[str] = "Pointer-generator network over stems, endings and grammemes"
    architecture: ClassVar[str] = "pointer_grammemes"


@headline_generators.register("copynet.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CopyNet(NeuralRecipe):
    """Writing and copying compete for every word, and what was copied last is read again.

    Source: Gu et al. 2016; Malykh and Kalaidin 2019, "Headline Generation Shared Task on Dialogue'2019":
    Black and Yellow.
    """

    summary: ClassVar[str] = "CopyNet: writing and copying compete for every word"
    architecture: ClassVar[str] = "copynet"


@headline_generators.register("transformer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Transformer(NeuralRecipe):
    """Transformer trained from scratch, from the first sentence to the headline: the NMT baseline.

    Source: Malykh and Kalaidin 2019, "Headline Generation Shared Task"; Vaswani et al. 2017.
    """

    summary: ClassVar[str] = "Encoder-decoder Transformer, trained from scratch"
    architecture: ClassVar[str] = "transformer"


@headline_generators.register("phrase_transformer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PhraseTransformer(NeuralRecipe):
    """Transformer of which some heads look for phrases instead of words: DreamTeam's system.

    Source: Sokolov 2019, "Phrase-based attentional transformer for headline generation"; Nguyen and Joty
    2018.
    """

    summary: ClassVar[str] = "Transformer with phrase-based attention, trained from scratch"
    architecture: ClassVar[str] = "phrase_transformer"
