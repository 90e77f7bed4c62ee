"""How an article enters an encoder-decoder: as it is, or through one vector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from core.headlines.hub.opening import EncoderDecoder
from core.text.normalise import without_surrogates

if TYPE_CHECKING:
    from torch import Tensor


LETTERS_A_TOKEN = 12
"""More letters than tokens have on average: articles are cut there before they are read."""


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What the decoder sees of b articles."""

    hidden: Tensor  # float [b, l, d]
    present: Tensor  # 1 where there is a token, int64 [b, l]

    def repeated(self, times: int) -> Read:
        """Every article so many times, one after the other."""
        return Read(self.hidden.repeat_interleave(times, dim=0), self.present.repeat_interleave(times, dim=0))


class Reader(Protocol):
    """Reads articles for one model."""

    @property
    def network(self) -> EncoderDecoder: ...

    def tokens(self, texts: Sequence[str]) -> list[list[int]]: ...

    def read(self, rows: Sequence[Sequence[int]]) -> Read:
        """What the decoder sees of token ids; gradients flow where they are asked for."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class WholeArticle:
    """The decoder sees every token."""

    network: EncoderDecoder  # the model
    prefix: str  # stands before every article
    most: int  # tokens of an article at most, special ones included

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        most = min(self.most, self.network.positions)
        cut = [self.prefix + without_surrogates(text[: most * LETTERS_A_TOKEN]) for text in texts]
        rows = self.network.tokenizer(cut, truncation=True, max_length=most, split_special_tokens=True)
        return [list(row) for row in rows["input_ids"]]

    def read(self, rows: Sequence[Sequence[int]]) -> Read:
        ids, present = padded(rows, self.network.pad, self.network.model.device)
        found = self.network.model.get_encoder()(input_ids=ids, attention_mask=present)
        return Read(found.last_hidden_state, present)


@dataclass(frozen=True, slots=True, eq=False)
class FirstToken(WholeArticle):
    """The decoder sees the encoder's vector of the first token alone: all it is to write must be in there.

    Source: TTGenBottleneck of the Dialogue 2021 report ("practically disabled cross-attention").
    """

    def read(self, rows: Sequence[Sequence[int]]) -> Read:
        whole = WholeArticle.read(self, rows)
        return Read(whole.hidden[:, :1], whole.present[:, :1])


def padded(rows: Sequence[Sequence[int]], fill: int, device: Any) -> tuple[Tensor, Tensor]:
    """Rows of one length, filled up on the right, and 1 where they were not, int64 [b, l] both."""
    import torch

    width = max(1, *map(len, rows))
    ids = torch.tensor([[*row, *[fill] * (width - len(row))] for row in rows])
    present = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
    return ids.to(device), present.to(device)


IGNORED = -100
"""What transformers takes for no label."""


def logits_of(network: EncoderDecoder, read: Read, labels: Tensor) -> Tensor:
    """Scores of the next token at every place of the labels, float [b, t, v]."""
    import torch

    start = torch.full_like(labels[:, :1], network.start)
    before = torch.cat([start, labels[:, :-1]], dim=1).masked_fill(labels.roll(1, 1) == IGNORED, network.pad)
    before[:, 0] = network.start
    logits: Tensor = network.model(
        encoder_outputs=_outputs(read), attention_mask=read.present, decoder_input_ids=before
    ).logits
    return logits


def log_likelihoods(network: EncoderDecoder, read: Read, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Summed log-likelihood of each row of labels, in nats, and its number of tokens, float32 [b] both."""
    kept = labels != IGNORED
    scores = logits_of(network, read, labels).float().log_softmax(dim=-1)
    chosen = scores.gather(2, labels.masked_fill(~kept, 0)[..., None])[..., 0].masked_fill(~kept, 0.0)
    return chosen.sum(dim=1), kept.sum(dim=1).float()


def labels_of(rows: Sequence[Sequence[int]], device: object) -> Tensor:
    return padded(rows, IGNORED, device)[0]


def _outputs(read: Read) -> object:
    from transformers.modeling_outputs import BaseModelOutput

    return BaseModelOutput(last_hidden_state=read.hidden)
