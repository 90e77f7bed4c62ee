"""Pointer-generator networks: words come from the vocabulary or, by attention, from the article.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from core.headlines.neural.batches import Batch
from core.headlines.neural.network import State
from core.headlines.neural.recurrent import Memory, RecurrentSettings, SequenceToSequence, Thought
from core.headlines.neural.vocabulary import PAD, UNKNOWN

TINY = 1e-9
"""Keeps the logarithm of a probability finite."""


class PointerGenerator(SequenceToSequence):
    """A sequence-to-sequence network that mixes writing with copying; the attention points at the word.

    `p_gen`, from context, state and input, is the share of the vocabulary; the rest goes to the article's
    words by their attention weights, so that unknown words can be written. A bridge, one layer, makes the
    decoder's first state of the encoder's last one.

    Source: See et al. 2017, "Get To The Point"; Cafagna et al. 2019 for the bridge.
    """

    bridged: ClassVar[bool] = True

    def __init__(self, size: int, settings: RecurrentSettings) -> None:
        super().__init__(size, settings)
        self.switch = nn.Linear(2 * settings.hidden + self._input_size(), 1)

    def generate_share(self, thought: Thought) -> Tensor:
        """p_gen, float32 [b, t, 1], 0 to 1."""
        parts = torch.cat([thought.context, thought.hidden, thought.inputs], dim=-1)
        return torch.sigmoid(self.switch(parts).float())

    def target_scores(self, memory: Memory, thought: Thought, targets: Tensor) -> Tensor:
        """See `SequenceToSequence`."""
        known = targets.masked_fill(targets >= self.size, UNKNOWN)
        written = self.logits(memory, thought).log_softmax(dim=-1).gather(-1, known[..., None])[..., 0].exp()
        written = written.masked_fill(targets >= self.size, 0.0)
        same = targets[..., None] == memory.extended[:, None]
        copied = (thought.attention * same).sum(dim=-1)
        share = self.generate_share(thought)[..., 0]
        return (share * written + (1 - share) * copied + TINY).log()

    def counted(self, targets: Tensor) -> Tensor:
        """See `SequenceToSequence`; unknown words of the article can be copied."""
        return (targets != PAD) & (targets != UNKNOWN)

    def distribution(self, memory: Memory, thought: Thought) -> Tensor:
        """See `SequenceToSequence`."""
        share = self.generate_share(thought)
        written = share * self.logits(memory, thought).softmax(dim=-1)
        return mixed(written, (1 - share) * thought.attention, memory)


def mixed(written: Tensor, copied: Tensor, memory: Memory) -> Tensor:
    """Log-probabilities of words that are both written and copied, float32 [b, t, v + extra].

    Args:
        written: Probabilities of the vocabulary's words, float32 [b, t, v].
        copied: Probabilities of the article's places, float32 [b, t, s].
        memory: The articles.
    """
    both = nn.functional.pad(written, (0, memory.extra))
    places = memory.extended[:, None].expand(copied.shape)
    return both.scatter_add(-1, places, copied).log()


class CoverageNetwork(PointerGenerator):
    """A pointer-generator that remembers what it has attended to and is kept from going there again.

    The coverage of a word is the sum of its attention weights so far. It enters the attention scores
    with a learned factor, and min(attention, coverage), summed over the words, is added to the loss.

    Source: See et al. 2017, equations 10 to 13; the coverage loss has their weight 1.
    """

    def __init__(self, size: int, settings: RecurrentSettings) -> None:
        super().__init__(size, settings)
        self.covering = nn.Parameter(torch.zeros(1))

    def think(self, memory: Memory, inputs: Tensor, hidden: Tensor) -> Thought:
        """Attention for decoder states, one after another as coverage grows."""
        coverage = memory.keys.new_zeros(memory.keys.shape[:2])
        scores = self._plain_scores(memory, hidden)
        weights = []
        for place in range(hidden.shape[1]):
            weights.append((scores[:, place] + self.covering * coverage).softmax(dim=-1))
            coverage = coverage + weights[-1]
        attention = torch.stack(weights, dim=1)
        return Thought(inputs, hidden, attention, torch.bmm(attention, memory.states))

    def learned_beside(self, batch: Batch, thought: Thought, counted: Tensor) -> Tensor | float:
        """The coverage loss, a mean over the words that are learned."""
        before = thought.attention.cumsum(dim=1) - thought.attention
        shared = torch.minimum(thought.attention, before).sum(dim=-1)
        return shared.masked_fill(~counted, 0.0).sum() / counted.sum().clamp(min=1)

    def think_on(self, memory: Memory, inputs: Tensor, hidden: Tensor, state: State) -> tuple[Thought, State]:
        """See `SequenceToSequence`; the coverage is remembered."""
        coverage = state[0]
        attention = (self._plain_scores(memory, hidden) + self.covering * coverage).softmax(dim=-1)
        thought = Thought(inputs, hidden, attention, torch.bmm(attention, memory.states))
        return thought, (coverage + attention,)

    def more_state(self, memory: Memory) -> State:
        """No coverage yet."""
        return (memory.keys.new_zeros(memory.keys.shape[:2])[:, None],)

    def _plain_scores(self, memory: Memory, hidden: Tensor) -> Tensor:
        scores = torch.bmm(hidden, memory.keys.transpose(1, 2)).float()
        return scores.masked_fill(memory.padding[:, None], -torch.inf)
