"""Recurrent networks: an encoder and decoder of LSTM cells with attention, some of which copy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from research.neural.batches import ArticleBatch, SourceBatch, State, Step, words_before
from research.neural.vocabulary import PAD, UNKNOWN

INITIAL = 0.1  # weights are drawn from -INITIAL to INITIAL, as in OpenNMT (Klein et al. 2017)
LEXICAL = 4.0
"""Weight of an attended word's embedding in the output at the start; with embeddings that begin with a
standard deviation of 0.1 the word's score is then about 5 above that of another."""
TINY = 1e-9  # keeps the logarithm of a probability finite
GRAMMEME_WEIGHT = 0.1  # weight of the loss of the next word's grammeme


@dataclass(frozen=True, kw_only=True, slots=True)
class RecurrentSettings:
    embedding: int = 128
    hidden: int = 256  # LSTM cells of the decoder; the encoder has half of them in each direction
    dropout: float = 0.0
    lexical: bool = True  # the attended words' own embeddings enter the output


class Memory(NamedTuple):
    states: Tensor
    keys: Tensor  # what attention compares with, float32 [b, s, hidden]
    embedded: Tensor  # embeddings of the words, float32 [b, s, embedding]
    extended: Tensor
    padding: Tensor
    extra: int
    first: list[Tensor]  # first state and cell of the decoder, float32 [b, hidden] each


class Thought(NamedTuple):
    """What the decoder has before it writes t words of b headlines."""

    inputs: Tensor
    hidden: Tensor  # its states, float32 [b, t, hidden]
    attention: Tensor  # weights of the article's words, float32 [b, t, s]
    context: Tensor  # the states that they pick, float32 [b, t, hidden]


class SequenceToSequenceNetwork(nn.Module):
    """Bidirectional LSTM encoder, LSTM decoder, attention; words of the vocabulary only.

    Attention is bilinear and does not feed back into the decoder's cells (Luong et al. 2015), where the paper
    has Bahdanau's: so all words of a headline are learned in a few products. Input and output share their
    embeddings (Press and Wolf 2017). `lexical` adds the attended words' embeddings to the output (Nguyen and
    Chiang 2018), which lets a network without copying write a rare word that it reads.

    Source: Cafagna et al. 2019, "Suitable Doesn't Mean Attractive": one layer, 256 cells, embeddings of 128.
    """

    words_table: ClassVar[str] = "embedding.weight"
    bridged: ClassVar[bool] = False
    copies: ClassVar[bool] = False

    def __init__(self, size: int, settings: RecurrentSettings) -> None:
        super().__init__()
        self.size = size
        self.settings = settings
        embedding, hidden = settings.embedding, settings.hidden
        self.embedding: nn.Module = self._new_embedding()
        self.encoder = nn.LSTM(embedding, hidden // 2, batch_first=True, bidirectional=True)
        self.decoder = nn.LSTM(self._input_size(), hidden, batch_first=True)
        self.key = nn.Linear(hidden, hidden, bias=False)
        self.output = nn.Linear(2 * hidden, embedding)
        self.bias = nn.Parameter(torch.zeros(size))
        self.dropout: Callable[[Tensor], Tensor] = nn.Dropout(settings.dropout)
        if self.bridged:
            self.bridge = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(2))
        if settings.lexical:
            self.lexical = nn.Linear(embedding, embedding)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -INITIAL, INITIAL)
        nn.init.zeros_(self.bias)
        if settings.lexical:
            # Attended words are likely from the beginning; found by chance it would take long.
            nn.init.eye_(self.lexical.weight)
            self.lexical.weight.data *= LEXICAL

    def _new_embedding(self) -> nn.Module:
        return nn.Embedding(self.size, self.settings.embedding)

    def _input_size(self) -> int:
        return self.settings.embedding

    def embedded_source(self, source: SourceBatch) -> Tensor:
        return self.embedded_words(source.words)

    def embedded_words(self, words: Tensor) -> Tensor:
        """Embeddings of words of the vocabulary, float32 [..., embedding]."""
        embedded: Tensor = self.embedding(words)
        return embedded

    def table(self) -> Tensor:
        return self.get_parameter(self.words_table)

    def known(self, words: Tensor) -> Tensor:
        """Words of the vocabulary; the others become `UNKNOWN`."""
        return words.masked_fill(words >= self.size, UNKNOWN)

    def read(self, source: SourceBatch) -> Memory:
        embedded = self.embedded_source(source)
        given, lengths = self.dropout(embedded), source.lengths
        packed = pack_padded_sequence(given, lengths, batch_first=True, enforce_sorted=False)
        outputs, last = self.encoder(packed)
        states, _ = pad_packed_sequence(outputs, batch_first=True, total_length=embedded.shape[1])
        first = [torch.cat([part[0], part[1]], dim=-1) for part in last]
        if self.bridged:
            first = [torch.relu(layer(part)) for layer, part in zip(self.bridge, first, strict=True)]
        padding = source.words == PAD
        return Memory(states, self.key(states), embedded, source.extended, padding, source.extra, first)

    def decoder_inputs(self, memory: Memory, words: Tensor) -> Tensor:
        """What the decoder reads of the words before, int64 [b, t]: their embeddings, float32 [b, t, …]."""
        return self.dropout(self.embedded_words(self.known(words)))

    def match(self, memory: Memory, hidden: Tensor) -> Tensor:
        """How well decoder states match the article's words, before the softmax, float32 [b, t, s]."""
        scores = torch.bmm(hidden, memory.keys.transpose(1, 2)).float()
        return scores.masked_fill(memory.padding[:, None], -torch.inf)

    def logits(self, memory: Memory, thought: Thought) -> Tensor:
        """Scores of the vocabulary's words before the softmax, float32 [b, t, v]."""
        made = torch.tanh(self.output(torch.cat([thought.hidden, thought.context], dim=-1)))
        if self.settings.lexical:
            attended = torch.bmm(thought.attention, memory.embedded)
            made = made + torch.tanh(self.lexical(attended)) + attended
        # Probabilities are computed in float32, whatever the products are.
        return nn.functional.linear(self.dropout(made), self.table(), self.bias).float()

    def target_scores(self, memory: Memory, thought: Thought, targets: Tensor) -> Tensor:
        """Log-probabilities of the words that were to be written, float32 [b, t]."""
        return self.written(memory, thought).gather(-1, self.known(targets)[..., None])[..., 0]

    def written(self, memory: Memory, thought: Thought) -> Tensor:
        """Log-probabilities of the vocabulary's words, float32 [b, t, v]."""
        return self.logits(memory, thought).log_softmax(dim=-1)

    def counted(self, targets: Tensor) -> Tensor:
        """Which targets are learned: no padding and no unknown word that cannot be copied, bool [b, t]."""
        words = (targets != PAD) & (targets != UNKNOWN)
        return words if self.copies else words & (targets < self.size)

    def learned_beside(self, batch: ArticleBatch, thought: Thought, counted: Tensor) -> Tensor | float:
        return 0.0

    def think(self, memory: Memory, inputs: Tensor, hidden: Tensor) -> Thought:
        return self.attended(memory, inputs, hidden, self.match(memory, hidden).softmax(dim=-1))

    def attended(self, memory: Memory, inputs: Tensor, hidden: Tensor, attention: Tensor) -> Thought:
        return Thought(inputs, hidden, attention, torch.bmm(attention, memory.states))

    def loss(self, batch: ArticleBatch) -> Tensor:
        memory, counted = self.read(batch.source), self.counted(batch.targets)
        inputs = self.decoder_inputs(memory, words_before(batch.targets))
        hidden, _ = self.decoder(inputs, tuple(part[None] for part in memory.first))
        thought = self.think(memory, inputs, hidden)
        scores = self.target_scores(memory, thought, batch.targets).masked_fill(~counted, 0.0)
        return -scores.sum() / counted.sum().clamp(min=1) + self.learned_beside(batch, thought, counted)

    def distribution(self, memory: Memory, thought: Thought) -> Tensor:
        """Log-probabilities of all words, float32 [b, t, v + extra]."""
        return nn.functional.pad(self.written(memory, thought), (0, memory.extra), value=-torch.inf)

    def begin(self, source: SourceBatch) -> tuple[Step, State]:
        memory = self.read(source)

        def step(words: Tensor, state: State) -> tuple[Tensor, State]:
            inputs = self.decoder_inputs(memory, words)
            rows = tuple(part.flatten(0, 1)[None].contiguous() for part in state[:2])
            hidden, rows = self.decoder(inputs.flatten(0, 1)[:, None], rows)
            thought, rest = self.think_on(memory, inputs, hidden.view(*words.shape, -1), state[2:])
            after = tuple(part[0].view(*words.shape, -1) for part in rows)
            return self.distribution(memory, thought), (*after, *rest)

        return step, (*(part[:, None] for part in memory.first), *self.more_state(memory))

    def think_on(self, memory: Memory, inputs: Tensor, hidden: Tensor, state: State) -> tuple[Thought, State]:
        """Attention of one step, with what is remembered beside the cells."""
        return self.think(memory, inputs, hidden), state

    def more_state(self, memory: Memory) -> State:
        return ()


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
        written = super().target_scores(memory, thought, targets).exp().masked_fill(targets >= self.size, 0.0)
        copied = (thought.attention * standing(memory, targets)).sum(dim=-1)
        share = self.generate_share(thought)[..., 0]
        return (share * written + (1 - share) * copied + TINY).log()

    def distribution(self, memory: Memory, thought: Thought) -> Tensor:
        share = self.generate_share(thought)
        written = share * self.logits(memory, thought).softmax(dim=-1)
        return mixed(written, (1 - share) * thought.attention, memory)


def standing(memory: Memory, words: Tensor) -> Tensor:
    """Where words int64 [b, t] stand in their articles, bool [b, t, s]."""
    return words[..., None] == memory.extended[:, None]


def mixed(written: Tensor, copied: Tensor, memory: Memory) -> Tensor:
    """Log-probabilities [b, t, v + extra], of those of words to write [b, t, v] and to copy [b, t, s]."""
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
        coverage = self.more_state(memory)[0][:, 0]
        weights = []
        for scores in self.match(memory, hidden).unbind(dim=1):
            weights.append((scores + self.covering * coverage).softmax(dim=-1))
            coverage = coverage + weights[-1]
        return self.attended(memory, inputs, hidden, torch.stack(weights, dim=1))

    def learned_beside(self, batch: ArticleBatch, thought: Thought, counted: Tensor) -> Tensor | float:
        before = thought.attention.cumsum(dim=1) - thought.attention
        shared = torch.minimum(thought.attention, before).sum(dim=-1)
        return shared.masked_fill(~counted, 0.0).sum() / counted.sum().clamp(min=1)

    def think_on(self, memory: Memory, inputs: Tensor, hidden: Tensor, state: State) -> tuple[Thought, State]:
        attention = (self.match(memory, hidden) + self.covering * state[0]).softmax(dim=-1)
        return self.attended(memory, inputs, hidden, attention), (state[0] + attention,)

    def more_state(self, memory: Memory) -> State:
        return (memory.keys.new_zeros(memory.keys.shape[:2])[:, None],)


class CopyNetwork(SequenceToSequenceNetwork):
    """A sequence-to-sequence network with a copy mode of its own and a selective read.

    The vocabulary's words and the article's places have scores in one softmax; a word has its own probability
    and its places'. The decoder also reads the encoder's states where the word before stands in the article,
    averaged evenly and not by their copy probabilities, so that a headline is learned in one go.

    Source: Gu et al. 2016, "Incorporating Copying Mechanism in Sequence-to-Sequence Learning".
    """

    copies: ClassVar[bool] = True

    def __init__(self, size: int, settings: RecurrentSettings) -> None:
        super().__init__(size, settings)
        self.copy = nn.Linear(settings.hidden, settings.hidden)

    def _input_size(self) -> int:
        return self.settings.embedding + self.settings.hidden

    def decoder_inputs(self, memory: Memory, words: Tensor) -> Tensor:
        same = standing(memory, words).to(memory.states.dtype)
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
        chosen = written.gather(-1, self.known(targets)[..., None])[..., 0]
        chosen = chosen.masked_fill(targets >= self.size, 0.0)
        return (chosen + (copied * standing(memory, targets)).sum(dim=-1) + TINY).log()

    def distribution(self, memory: Memory, thought: Thought) -> Tensor:
        return mixed(*self._scores(memory, thought), memory)


class GrammemePointer(PointerGenerator):
    """A pointer-generator whose embeddings are sums of those of stem, ending and grammeme.

    Unknown words of an article keep their ending, their grammeme and often their stem. With each word the
    network also learns to say the word's grammeme before it is written.

    Source: the "Burning Headlines" system of Malykh and Kalaidin 2019, section 6.3. The paper says neither
    how the parts are joined nor the weight of the grammemes' loss; both are ours.
    """

    words_table: ClassVar[str] = "embedding.0.weight"
    parts: Tensor  # stem, ending and grammeme of each word of the vocabulary, int64 [size, 3]

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
        tables: Any = self.embedding
        return torch.stack([table(parts[..., kind]) for kind, table in enumerate(tables)]).sum(dim=0)

    def embedded_source(self, source: SourceBatch) -> Tensor:
        if source.grams is None:
            raise ValueError("the articles were read without stems and grammemes")
        return self._joined(source.grams)

    def embedded_words(self, words: Tensor) -> Tensor:
        return self._joined(self.parts[words])

    def table(self) -> Tensor:
        return self._joined(self.parts)

    def learned_beside(self, batch: ArticleBatch, thought: Thought, counted: Tensor) -> Tensor | float:
        known = self.known(batch.targets)
        wanted = self.parts[known][..., 2].masked_fill(known == UNKNOWN, 0)
        scores = self.grammeme(torch.cat([thought.hidden, thought.context], dim=-1))
        losses = nn.functional.cross_entropy(scores.flatten(0, 1), wanted.flatten(), reduction="none")
        used = (counted & (wanted > 0)).flatten()
        return GRAMMEME_WEIGHT * losses.masked_fill(~used, 0.0).sum() / used.sum().clamp(min=1)
