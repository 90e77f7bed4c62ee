"""Pointer-generator networks: words come from the vocabulary or, by attention, from the article."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from research.neural.batches import ArticleBatch, SourceBatch, State
from research.neural.recurrent import Memory, RecurrentSettings, SequenceToSequenceNetwork, Thought
from research.neural.vocabulary import UNKNOWN

TINY = 1e-9
"""Keeps the logarithm of a probability finite."""


class PointerGenerator(SequenceToSequenceNetwork):
    """A sequence-to-sequence network that mixes writing with copying; the attention points at the word.

    `p_gen`, from context, state and input, is the share of the vocabulary; the rest goes to the article's
    words by their attention weights, so that unknown words can be written. A bridge, one layer, makes the
    decoder's first state of the encoder's last one.

    Source: See et al. 2017, "Get To The Point"; Cafagna et al. 2019 for the bridge.
    """

    bridged: ClassVar[bool] = True
    copies: ClassVar[bool] = True

    def __init__(self, size: int, settings: RecurrentSettings) -> None:
        super().__init__(size, settings)
        self.switch = nn.Linear(2 * settings.hidden + self._input_size(), 1)

    def generate_share(self, thought: Thought) -> Tensor:
        """p_gen, float32 [b, t, 1], 0 to 1."""
        parts = torch.cat([thought.context, thought.hidden, thought.inputs], dim=-1)
        return torch.sigmoid(self.switch(parts).float())

    def target_scores(self, memory: Memory, thought: Thought, targets: Tensor) -> Tensor:
        known = targets.masked_fill(targets >= self.size, UNKNOWN)
        written = self.logits(memory, thought).log_softmax(dim=-1).gather(-1, known[..., None])[..., 0].exp()
        written = written.masked_fill(targets >= self.size, 0.0)
        same = targets[..., None] == memory.extended[:, None]
        copied = (thought.attention * same).sum(dim=-1)
        share = self.generate_share(thought)[..., 0]
        return (share * written + (1 - share) * copied + TINY).log()

    def distribution(self, memory: Memory, thought: Thought) -> Tensor:
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
        coverage = memory.keys.new_zeros(memory.keys.shape[:2])
        scores = self._plain_scores(memory, hidden)
        weights = []
        for place in range(hidden.shape[1]):
            weights.append((scores[:, place] + self.covering * coverage).softmax(dim=-1))
            coverage = coverage + weights[-1]
        attention = torch.stack(weights, dim=1)
        return Thought(inputs, hidden, attention, torch.bmm(attention, memory.states))

    def learned_beside(self, batch: ArticleBatch, thought: Thought, counted: Tensor) -> Tensor | float:
        before = thought.attention.cumsum(dim=1) - thought.attention
        shared = torch.minimum(thought.attention, before).sum(dim=-1)
        return shared.masked_fill(~counted, 0.0).sum() / counted.sum().clamp(min=1)

    def think_on(self, memory: Memory, inputs: Tensor, hidden: Tensor, state: State) -> tuple[Thought, State]:
        coverage = state[0]
        attention = (self._plain_scores(memory, hidden) + self.covering * coverage).softmax(dim=-1)
        thought = Thought(inputs, hidden, attention, torch.bmm(attention, memory.states))
        return thought, (coverage + attention,)

    def more_state(self, memory: Memory) -> State:
        return (memory.keys.new_zeros(memory.keys.shape[:2])[:, None],)

    def _plain_scores(self, memory: Memory, hidden: Tensor) -> Tensor:
        scores = torch.bmm(hidden, memory.keys.transpose(1, 2)).float()
        return scores.masked_fill(memory.padding[:, None], -torch.inf)


class CopyNetwork(SequenceToSequenceNetwork):
    """A sequence-to-sequence network with a copy mode of its own and a selective read.

    The vocabulary's words and the article's places have scores in one softmax; a word's probability is
    the sum of its own and its places'. The decoder also reads the encoder's states where the word before
    stands in the article. They are averaged evenly there, and not by their copy probabilities, so that a
    headline is learned in one go.

    Source: Gu et al. 2016, "Incorporating Copying Mechanism in Sequence-to-Sequence Learning".
    """

    copies: ClassVar[bool] = True

    def __init__(self, size: int, settings: RecurrentSettings) -> None:
        super().__init__(size, settings)
        self.copy = nn.Linear(settings.hidden, settings.hidden)

    def _input_size(self) -> int:
        return self.settings.embedding + self.settings.hidden

    def decoder_inputs(self, memory: Memory, words: Tensor) -> Tensor:
        same = (words[..., None] == memory.extended[:, None]).to(memory.states.dtype)
        read = torch.bmm(same / same.sum(dim=-1, keepdim=True).clamp(min=1), memory.states)
        return torch.cat([super().decoder_inputs(memory, words), read], dim=-1)

    def _scores(self, memory: Memory, thought: Thought) -> tuple[Tensor, Tensor]:
        logits = self.logits(memory, thought)
        copies = torch.bmm(thought.hidden, torch.tanh(self.copy(memory.states)).transpose(1, 2)).float()
        copies = copies.masked_fill(memory.padding[:, None], -torch.inf)
        both = torch.cat([logits, copies], dim=-1).softmax(dim=-1)
        return both[..., : self.size], both[..., self.size :]

    def target_scores(self, memory: Memory, thought: Thought, targets: Tensor) -> Tensor:
        written, copied = self._scores(memory, thought)
        known = targets.masked_fill(targets >= self.size, UNKNOWN)
        chosen = written.gather(-1, known[..., None])[..., 0].masked_fill(targets >= self.size, 0.0)
        same = targets[..., None] == memory.extended[:, None]
        return (chosen + (copied * same).sum(dim=-1) + TINY).log()

    def distribution(self, memory: Memory, thought: Thought) -> Tensor:
        written, copied = self._scores(memory, thought)
        return mixed(written, copied, memory)


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

    def embedded_source(self, source: SourceBatch) -> Tensor:
        if source.grams is None:
            raise ValueError("the articles were read without stems and grammemes")
        return self._joined(source.grams)

    def embedded_words(self, words: Tensor) -> Tensor:
        return self._joined(self.parts[words])

    def table(self) -> Tensor:
        return self._joined(self.parts)

    def learned_beside(self, batch: ArticleBatch, thought: Thought, counted: Tensor) -> Tensor | float:
        known = batch.targets.masked_fill(batch.targets >= self.size, UNKNOWN)
        wanted = self.parts[known][..., 2].masked_fill(known == UNKNOWN, 0)
        scores = self.grammeme(torch.cat([thought.hidden, thought.context], dim=-1))
        losses = nn.functional.cross_entropy(scores.flatten(0, 1), wanted.flatten(), reduction="none")
        used = (counted & (wanted > 0)).flatten()
        return GRAMMEME_WEIGHT * losses.masked_fill(~used, 0.0).sum() / used.sum().clamp(min=1)
