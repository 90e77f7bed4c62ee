"""CopyNet: writing and copying compete in one softmax.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from core.headlines.neural.pointers import TINY, mixed
from core.headlines.neural.recurrent import Memory, RecurrentSettings, SequenceToSequence, Thought
from core.headlines.neural.vocabulary import PAD, UNKNOWN


class CopyNet(SequenceToSequence):
    """A sequence-to-sequence network with a copy mode of its own and a selective read.

    The vocabulary's words and the article's places have scores in one softmax; a word's probability is
    the sum of its own and its places'. The decoder also reads the encoder's states where the word before
    stands in the article. They are averaged evenly there, and not by their copy probabilities, so that a
    headline is learned in one go.

    Source: Gu et al. 2016, "Incorporating Copying Mechanism in Sequence-to-Sequence Learning".
    """

    def __init__(self, size: int, settings: RecurrentSettings) -> None:
        super().__init__(size, settings)
        self.copy = nn.Linear(settings.hidden, settings.hidden)

    def _input_size(self) -> int:
        return self.settings.embedding + self.settings.hidden

    def decoder_inputs(self, memory: Memory, words: Tensor) -> Tensor:
        """Embeddings of the words before, and the selective read of them, float32 [b, t, …]."""
        same = (words[..., None] == memory.extended[:, None]).to(memory.states.dtype)
        read = torch.bmm(same / same.sum(dim=-1, keepdim=True).clamp(min=1), memory.states)
        return torch.cat([super().decoder_inputs(memory, words), read], dim=-1)

    def _scores(self, memory: Memory, thought: Thought) -> tuple[Tensor, Tensor]:
        """Probabilities of the vocabulary's words, [b, t, v], and of the article's places, [b, t, s]."""
        logits = self.logits(memory, thought)
        copies = torch.bmm(thought.hidden, torch.tanh(self.copy(memory.states)).transpose(1, 2)).float()
        copies = copies.masked_fill(memory.padding[:, None], -torch.inf)
        both = torch.cat([logits, copies], dim=-1).softmax(dim=-1)
        return both[..., : self.size], both[..., self.size :]

    def target_scores(self, memory: Memory, thought: Thought, targets: Tensor) -> Tensor:
        """See `SequenceToSequence`."""
        written, copied = self._scores(memory, thought)
        known = targets.masked_fill(targets >= self.size, UNKNOWN)
        chosen = written.gather(-1, known[..., None])[..., 0].masked_fill(targets >= self.size, 0.0)
        same = targets[..., None] == memory.extended[:, None]
        return (chosen + (copied * same).sum(dim=-1) + TINY).log()

    def counted(self, targets: Tensor) -> Tensor:
        """See `SequenceToSequence`; unknown words of the article can be copied."""
        return (targets != PAD) & (targets != UNKNOWN)

    def distribution(self, memory: Memory, thought: Thought) -> Tensor:
        """See `SequenceToSequence`."""
        written, copied = self._scores(memory, thought)
        return mixed(written, copied, memory)
