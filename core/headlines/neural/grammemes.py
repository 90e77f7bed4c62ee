"""The pointer-generator network that reads and writes words as stem, ending and grammeme.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from core.headlines.neural.batches import Batch, Source
from core.headlines.neural.pointers import PointerGenerator
from core.headlines.neural.recurrent import RecurrentSettings, Thought
from core.headlines.neural.vocabulary import UNKNOWN

GRAMMEME_WEIGHT = 0.1
"""Weight of the loss of the next word's grammeme."""


class GrammemePointer(PointerGenerator):
    """A pointer-generator whose embeddings are sums of those of stem, ending and grammeme.

    Unknown words of an article keep their ending, their grammeme and often their stem. With each word the
    network also learns to say the word's grammeme before it is written.

    Source: the "Burning Headlines" system of Malykh and Kalaidin 2019, section 6.3. The paper says neither
    how the parts are joined nor the weight of the grammemes' loss; both are ours.

    Args:
        size: Words of the vocabulary.
        settings: Sizes.
        sizes: How many stems, endings and grammemes there are.
        parts: Stem, ending and grammeme of each word of the vocabulary, int64 [size, 3].
    """

    words_table: ClassVar[str] = "embedding.0.weight"
    parts: Tensor

    def __init__(
        self, size: int, settings: RecurrentSettings, sizes: tuple[int, int, int], parts: Tensor
    ) -> None:
        self._sizes = sizes
        super().__init__(size, settings)
        self.register_buffer("parts", parts, persistent=False)
        self.grammeme = nn.Linear(2 * settings.hidden, sizes[2])

    def _new_embedding(self) -> nn.Module:
        return nn.ModuleList(nn.Embedding(size, self.settings.embedding) for size in self._sizes)

    def _joined(self, parts: Tensor) -> Tensor:
        tables = (self.get_parameter(f"embedding.{kind}.weight") for kind in range(len(self._sizes)))
        rows = [nn.functional.embedding(parts[..., kind], table) for kind, table in enumerate(tables)]
        return torch.stack(rows).sum(dim=0)

    def embedded_source(self, source: Source) -> Tensor:
        """See `SequenceToSequence`.

        Raises:
            ValueError: The articles were read without stems and grammemes.
        """
        if source.grams is None:
            raise ValueError("the articles were read without stems and grammemes")
        return self._joined(source.grams)

    def embedded_words(self, words: Tensor) -> Tensor:
        """See `SequenceToSequence`."""
        return self._joined(self.parts[words])

    def table(self) -> Tensor:
        """See `SequenceToSequence`."""
        return self._joined(self.parts)

    def learned_beside(self, batch: Batch, thought: Thought, counted: Tensor) -> Tensor | float:
        """The loss of the grammemes of the words that are to be written."""
        known = batch.targets.masked_fill(batch.targets >= self.size, UNKNOWN)
        wanted = self.parts[known][..., 2].masked_fill(known == UNKNOWN, 0)
        scores = self.grammeme(torch.cat([thought.hidden, thought.context], dim=-1))
        losses = nn.functional.cross_entropy(scores.flatten(0, 1), wanted.flatten(), reduction="none")
        used = (counted & (wanted > 0)).flatten()
        return GRAMMEME_WEIGHT * losses.masked_fill(~used, 0.0).sum() / used.sum().clamp(min=1)
