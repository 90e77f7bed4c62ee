"""How likely headlines are after articles: what candidates are ordered by, and what losses are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.headlines.hub.opening import EncoderDecoder
from core.headlines.hub.reading import Read, padded

if TYPE_CHECKING:
    from torch import Tensor

IGNORED = -100
"""What transformers takes for no label."""


def logits_of(network: EncoderDecoder, read: Read, labels: Tensor) -> Tensor:
    """Scores of the next token at every place of the labels, float [b, t, v].

    Args:
        network: The model.
        read: Articles, one for each row of the labels.
        labels: int64 [b, t], `IGNORED` beyond the end.
    """
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
    """Token ids as labels, int64 [b, t]."""
    return padded(rows, IGNORED, device)[0]


def _outputs(read: Read) -> object:
    from transformers.modeling_outputs import BaseModelOutput

    return BaseModelOutput(last_hidden_state=read.hidden)
