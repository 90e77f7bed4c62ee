"""The encoder-decoder Transformer, plain or with phrase-based attention, trained from scratch."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from research.neural.batches import ArticleBatch, SourceBatch, State, Step, words_before
from research.neural.vocabulary import PAD, UNKNOWN

Layer = Callable[[Tensor], Tensor]


class PhraseAttention(nn.Module):
    """Attention of heads over windows of n words that end at their place, so none looks ahead."""

    def __init__(self, width: int, sizes: tuple[int, ...], dropout: float) -> None:
        super().__init__()
        self.sizes = sizes
        self.depth = width // len(sizes)
        self.dropout = dropout
        # Heads of one size are computed together.
        self.groups = tuple((size, len(list(same))) for size, same in groupby(sizes))
        self.query = nn.Linear(width, sum(sizes) * self.depth)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, sum(sizes) * self.depth)
        self.out: Layer = nn.Linear(width, width)

    def project(self, read: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and the parts of values, before windows are taken: [b, l, width] and [b, l, sum(n) depth]."""
        return self.key(read), self.value(read)

    def forward(
        self, asking: Tensor, keys: Tensor, values: Tensor, seen: Tensor | None, *, causal: bool = False
    ) -> Tensor:
        """What each place that asks finds, [b, q, width], of keys and values of `project`.

        `seen`, bool [b, 1, 1 or q, l], is where it may look; None for all, or up to it if `causal` (q = l).
        """
        parts = [
            F.scaled_dot_product_attention(
                query, key, value, attn_mask=seen, is_causal=causal, dropout_p=self.dropout * self.training
            )
            for query, key, value in self._by_size(asking, keys, values)
        ]
        joined = torch.cat(parts, dim=1).transpose(1, 2)
        return self.out(joined.reshape(*asking.shape[:2], -1))

    def weights(self, asking: Tensor, keys: Tensor, seen: Tensor | None) -> Tensor:
        """How much the last head looks at each place, in log, [b, q, l]."""
        size = self.sizes[-1]
        query = self.query(asking)[..., -size * self.depth :]
        key = _windows(keys[..., -self.depth :], size)
        scores = query @ key.transpose(1, 2) / math.sqrt(size * self.depth)
        if seen is not None:
            scores = scores.masked_fill(~seen[:, 0], -torch.inf)
        looks: Tensor = scores.float().log_softmax(dim=-1)
        return looks

    def _by_size(self, asking: Tensor, keys: Tensor, values: Tensor) -> list[tuple[Tensor, Tensor, Tensor]]:
        wide = [size * count * self.depth for size, count in self.groups]
        narrow = [count * self.depth for _, count in self.groups]
        queries, parts = (torch.split(given, wide, dim=-1) for given in (self.query(asking), values))
        taken = []
        groups = zip(self.groups, queries, torch.split(keys, narrow, dim=-1), parts, strict=True)
        for (size, count), query, plain, part in groups:
            key = _windows(plain.reshape(*plain.shape[:2], count, -1), size).transpose(1, 2)
            first, *others = part.reshape(*part.shape[:2], size, count, -1).unbind(dim=2)
            value = sum((_back(other, places) for places, other in enumerate(others, 1)), first)
            asked = query.reshape(*query.shape[:2], count, -1)
            taken.append((asked.transpose(1, 2), key, value.transpose(1, 2)))
        return taken


def _back(vectors: Tensor, places: int) -> Tensor:
    if not places:
        return vectors
    padding = vectors.new_zeros(vectors.shape[0], min(places, vectors.shape[1]), *vectors.shape[2:])
    return torch.cat([padding, vectors[:, :-places]], dim=1)


def _windows(keys: Tensor, size: int) -> Tensor:
    return torch.cat([_back(keys, places) for places in range(size)], dim=-1) if size > 1 else keys


@dataclass(frozen=True, kw_only=True, slots=True)
class TransformerSettings:
    width: int = 192
    phrases: str = "1 1 1 1"  # words that each head looks at together; all 1 for the plain Transformer
    layers: int = 2
    hidden: int = 384  # width inside the feed-forward layers
    dropout: float = 0.1
    smoothing: float = 0.1  # share of a word's probability that is spread over all words in training
    guidance: float = 0.5  # weight of the loss that shows one head where the article has the next word
    places: int = 24  # unknown words of an article that can be told apart
    shared: bool = False  # one layer is gone through as often as there are layers
    first_sentence: bool = True  # it is shown no more than the article's first sentence

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(sorted(map(int, self.phrases.split())))


class TransformerNetwork(nn.Module):
    """Layers with their norm in front, sinusoid places, one matrix for source, target and output words.

    An unknown word of an article has a number in the order of appearance, source and target alike, so that
    a network without a copy mode can name it; in training the numbers are turned round at random.

    Source: Vaswani et al. 2017; Xiong et al. 2020 for the place of the norms; Press and Wolf 2017 for the
    shared matrix; Luong et al. 2015 ("Rare Word Problem") for the numbers of unknown words; Dehghani et al.
    2019 for shared layers, here without halting; Garg et al. 2019 for the guided head.
    """

    words_table: ClassVar[str] = "words.weight"
    unit_words: ClassVar[bool] = True

    def __init__(self, size: int, settings: TransformerSettings) -> None:
        super().__init__()
        sizes = settings.sizes
        if not sizes or min(sizes) < 1 or settings.width % (2 * len(sizes)):
            raise ValueError(f"{len(sizes)} heads do not fit a width of {settings.width}")
        self.size = size
        self.settings = settings
        self.words = nn.Embedding(size, settings.width)
        self.places = nn.Parameter(torch.empty(settings.places, settings.width))
        for table in (self.words.weight, self.places):
            nn.init.normal_(table, std=settings.width**-0.5)
        self.bias = nn.Parameter(torch.zeros(size + settings.places))
        self.dropout: Layer = nn.Dropout(settings.dropout)
        own = 1 if settings.shared else settings.layers
        self.encoder = nn.ModuleList(EncoderLayer(settings) for _ in range(own))
        self.decoder = nn.ModuleList(DecoderLayer(settings) for _ in range(own))
        self.encoder_norm: Layer = nn.LayerNorm(settings.width)
        self.decoder_norm = nn.LayerNorm(settings.width)

    def table(self) -> Tensor:
        """Vectors of the vocabulary and of unknown words, float [size + places, width]."""
        return torch.cat([self.words.weight, self.places])

    def embed(self, numbers: Tensor, table: Tensor, first: int = 0) -> Tensor:
        """Vectors of numbers int64 [b, l] whose first stands at place `first`: [b, l, width]."""
        width = self.settings.width
        places = sinusoids(first + numbers.shape[1], width, numbers.device)[first:]
        return self.dropout(F.embedding(numbers, table) * math.sqrt(width) + places)

    def encode(self, read: "TransformerInput", table: Tensor) -> Tensor:
        """The article as the decoder sees it, [b, s, width]."""
        hidden = self.embed(read.numbers, table)
        for depth, layer in enumerate(self._repeated(self.encoder)):
            hidden = layer(self._at(depth, hidden), read.seen)
        return self.encoder_norm(hidden)

    def scores(self, hidden: Tensor, table: Tensor) -> Tensor:
        return F.linear(self.decoder_norm(hidden), table, self.bias)

    def read(self, source: SourceBatch, turned: Tensor | None = None) -> "TransformerInput":
        """Articles as the network numbers them, unknown words turned round so far, int64 [b, 1]."""
        numbers = renumbered(source.extended, self.size, self.settings.places, turned)
        return TransformerInput(numbers, (numbers != PAD)[:, None, None])

    def decoding(self) -> "list[DecoderLayer]":
        return [layer for layer in self._repeated(self.decoder) if isinstance(layer, DecoderLayer)]

    def _repeated(self, layers: nn.ModuleList) -> list[nn.Module]:
        return list(layers) * (self.settings.layers if self.settings.shared else 1)

    def _at(self, depth: int, hidden: Tensor) -> Tensor:
        """What goes into a layer: a shared one is told how often it was gone through."""
        if not self.settings.shared:
            return hidden
        return hidden + sinusoids(depth + 1, self.settings.width, hidden.device)[depth]

    def loss(self, batch: ArticleBatch) -> Tensor:
        settings, table = self.settings, self.table()
        turned = torch.randint(settings.places, (len(batch.targets), 1), device=batch.targets.device)
        read = self.read(batch.source, turned)
        targets = renumbered(batch.targets, self.size, settings.places, turned)
        before = words_before(targets)
        memory = self.encode(read, table)
        hidden, asking = self.embed(before, table), memory
        for depth, layer in enumerate(self.decoding()):
            hidden, asking = layer(self._at(depth, hidden), layer.across.project(memory), read.seen)
        shown = alignment(read, targets, before)
        learned = (targets != PAD) & (targets != UNKNOWN) & ((targets < self.size) | shown.any(dim=2))
        written = F.cross_entropy(
            self.scores(hidden, table).float().flatten(0, 1),
            targets.masked_fill(~learned, PAD).flatten(),
            ignore_index=PAD,
            label_smoothing=settings.smoothing,
        )
        if not settings.guidance:
            return written
        across = self.decoding()[-1].across
        looks = across.weights(asking, across.project(memory)[0], read.seen)
        guided = learned & shown.any(dim=2)
        looked = looks.masked_fill(~shown, -torch.inf).logsumexp(dim=2).masked_fill(~guided, 0.0)
        return written - settings.guidance * looked.sum() / guided.sum().clamp(min=1)

    def begin(self, source: SourceBatch) -> tuple[Step, State]:
        table = self.table()
        read = self.read(source)
        memory = self.encode(read, table)
        across = [layer.across.project(memory) for layer in self.decoding()]
        # Places of unknown words that an article does not have.
        numbers = torch.arange(self.size + self.settings.places, device=table.device)
        missing = numbers >= read.numbers.amax(dim=1, keepdim=True).clamp(min=self.size - 1) + 1

        def step(words: Tensor, state: State) -> tuple[Tensor, State]:
            rows, beams = words.shape
            flat = renumbered(words, self.size, self.settings.places, None).reshape(-1, 1)
            hidden = self.embed(flat, table, first=state[0].shape[2])
            after = []
            for place, layer in enumerate(self.decoding()):
                known = [part.flatten(0, 1) for part in state[2 * place : 2 * place + 2]]
                hidden, known = layer.step(self._at(place, hidden), known, across[place], read.seen, rows)
                after += [part.reshape(rows, beams, *part.shape[1:]) for part in known]
            logits = self.scores(hidden.view(rows, beams, -1), table)
            logits = logits.masked_fill(missing[:, None], -torch.inf)
            logits[..., UNKNOWN] = -torch.inf
            known_words = logits.float().log_softmax(dim=-1)
            beyond = source.extra - self.settings.places
            return F.pad(known_words, (0, beyond), value=-torch.inf), tuple(after)

        empty = [part.new_zeros(len(memory), 1, 0, part.shape[2]) for pair in across for part in pair]
        return step, tuple(empty)


class SelfAttention(nn.Module):
    def __init__(self, settings: TransformerSettings) -> None:
        super().__init__()
        self.attend_norm = nn.LayerNorm(settings.width)
        self.attend = PhraseAttention(settings.width, settings.sizes, settings.dropout)
        self.dropout: Layer = nn.Dropout(settings.dropout)

    def attended(self, hidden: Tensor, seen: Tensor | None, *, causal: bool = False) -> Tensor:
        asking = self.attend_norm(hidden)
        mixed = self.attend(asking, *self.attend.project(asking), seen, causal=causal)
        return hidden + self.dropout(mixed)


class EncoderLayer(SelfAttention):
    def __init__(self, settings: TransformerSettings) -> None:
        super().__init__(settings)
        self.think: Layer = FeedForward(settings)

    def forward(self, hidden: Tensor, seen: Tensor) -> Tensor:
        hidden = self.attended(hidden, seen)
        return hidden + self.think(hidden)


class DecoderLayer(SelfAttention):
    """Self-attention over what is written, attention over what was read, a feed-forward layer."""

    def __init__(self, settings: TransformerSettings) -> None:
        super().__init__(settings)
        self.across_norm = nn.LayerNorm(settings.width)
        self.across = PhraseAttention(settings.width, settings.sizes, settings.dropout)
        self.think: Layer = FeedForward(settings)

    def forward(self, hidden: Tensor, source: tuple[Tensor, Tensor], seen: Tensor) -> tuple[Tensor, Tensor]:
        """[b, t, width] → the same shape, and what asked the article."""
        return self._after(self.attended(hidden, None, causal=True), source, seen)

    def step(
        self, hidden: Tensor, known: list[Tensor], source: tuple[Tensor, Tensor], seen: Tensor, rows: int
    ) -> tuple[Tensor, list[Tensor]]:
        asking = self.attend_norm(hidden)
        known = [torch.cat(pair, dim=1) for pair in zip(known, self.attend.project(asking), strict=True)]
        hidden = hidden + self.attend(asking, known[0], known[1], None)
        # The headlines of an article ask side by side.
        together = hidden.view(rows, -1, hidden.shape[2])
        return self._after(together, source, seen)[0].view_as(hidden), known

    def _after(self, hidden: Tensor, source: tuple[Tensor, Tensor], seen: Tensor) -> tuple[Tensor, Tensor]:
        asking = self.across_norm(hidden)
        hidden = hidden + self.dropout(self.across(asking, *source, seen))
        return hidden + self.think(hidden), asking


class FeedForward(nn.Module):
    def __init__(self, settings: TransformerSettings) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(settings.width)
        self.wide = nn.Linear(settings.width, settings.hidden)
        self.narrow = nn.Linear(settings.hidden, settings.width)
        self.dropout: Layer = nn.Dropout(settings.dropout)

    def forward(self, hidden: Tensor) -> Tensor:
        return self.dropout(self.narrow(self.dropout(F.relu(self.wide(self.norm(hidden))))))


def sinusoids(places: int, width: int, device: torch.device) -> Tensor:
    """Vectors of the places 0, 1, …, float32 [places, width]; Vaswani et al. 2017, section 3.5."""
    rates = torch.exp(torch.arange(0, width, 2, device=device) * (-math.log(10_000.0) / width))
    angles = torch.arange(places, device=device)[:, None] * rates
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)


class TransformerInput(NamedTuple):
    numbers: Tensor  # of their words, int64 [b, s]; unknown words after the vocabulary, `PAD` beyond the end
    seen: Tensor  # true where there is a word, bool [b, 1, 1, s]


def renumbered(numbers: Tensor, size: int, places: int, turned: Tensor | None) -> Tensor:
    """Numbers with those of unknown words in `size` to `size + places - 1`, further ones `UNKNOWN`."""
    unknown = numbers - size
    moved = unknown if turned is None else (unknown + turned) % places
    numbers = torch.where(unknown >= 0, moved + size, numbers)
    return numbers.masked_fill(unknown >= places, UNKNOWN)


def alignment(read: TransformerInput, targets: Tensor, before: Tensor) -> Tensor:
    """Where each word to be written, int64 [b, t], stands in its article, bool [b, t, s]."""
    # Of several places those count that follow a place of the word written before, where there are any.
    known = (targets != PAD) & (targets != UNKNOWN)
    same = (read.numbers[:, None] == targets[..., None]) & known[..., None]
    previous = F.pad(read.numbers[:, :-1], (1, 0), value=PAD)
    following = same & (previous[:, None] == before[..., None])
    return torch.where(following.any(dim=2, keepdim=True), following, same)
