"""Attention whose heads look for phrases: n-grams of keys and values; n = 1 is the plain one.

Source: Nguyen and Joty 2018, "Phrase-based attentions" (the query-as-kernel form), as eq. 4 of the
report on Dialogue 2019 has it: `softmax(Conv_n(K W_k, Q W_q) / sqrt(d_k n)) Conv_n(V, W_v)`.
The query is the kernel of the first convolution: n vectors that meet the n keys of a window. So the
scores are plain products of a query n times as wide with n keys side by side. Vaswani et al. 2017 for n = 1.
"""

from __future__ import annotations

import math
from itertools import groupby

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn


class PhraseAttention(nn.Module):
    """Multi-head attention.

    A window of n ends at its place, so that it never looks ahead and one rule serves the encoder, the
    decoder and what joins them; before the first place stand zeros.

    Args:
        width: Of the vectors that come in and go out.
        sizes: The n of each head, in rising order; as many heads as entries, and they divide the width.
        dropout: Of the attention weights.
    """

    def __init__(self, width: int, sizes: tuple[int, ...], dropout: float) -> None:
        super().__init__()
        self.sizes = sizes
        self.heads = len(sizes)
        self.depth = width // self.heads
        self.dropout = dropout
        # Heads of one size are computed together.
        self.groups = tuple((size, len(list(same))) for size, same in groupby(sizes))
        self.query = nn.Linear(width, sum(sizes) * self.depth)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, sum(sizes) * self.depth)
        self.out = nn.Linear(width, width)

    def project(self, read: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and the parts of values, before windows are taken: [b, l, width] and [b, l, sum(n) depth]."""
        return self.key(read), self.value(read)

    def forward(
        self, asking: Tensor, keys: Tensor, values: Tensor, seen: Tensor | None, *, causal: bool = False
    ) -> Tensor:
        """What each place that asks finds.

        Args:
            asking: [b, q, width].
            keys: Of `project`, [b, l, width].
            values: Of `project`.
            seen: bool [b, 1, 1 or q, l], True where a place may be looked at; None for all.
            causal: Place i sees the places up to i (q = l); `seen` is None then.

        Returns:
            [b, q, width].
        """
        found = [
            F.scaled_dot_product_attention(
                query, key, value, attn_mask=seen, is_causal=causal, dropout_p=self.dropout * self.training
            )
            for query, key, value in self._by_size(asking, keys, values)
        ]
        joined = torch.cat(found, dim=1).transpose(1, 2)
        mixed: Tensor = self.out(joined.reshape(*asking.shape[:2], -1))
        return mixed

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
        queries = self.query(asking)
        taken, ready, first = [], 0, 0
        for size, count in self.groups:
            wide = size * count * self.depth
            query = _split(queries[..., ready : ready + wide], count)
            places = keys.shape[:2]
            key = keys[..., first : first + count * self.depth].reshape(*places, count, self.depth)
            value = values[..., ready : ready + wide].reshape(*places, size, count, self.depth)
            taken.append((query, _windows(key, size).transpose(1, 2), _summed(value).transpose(1, 2)))
            ready, first = ready + wide, first + count * self.depth
        return taken


def _split(vectors: Tensor, heads: int) -> Tensor:
    return vectors.reshape(*vectors.shape[:2], heads, -1).transpose(1, 2)


def _back(vectors: Tensor, places: int) -> Tensor:
    if not places:
        return vectors
    padding = vectors.new_zeros(vectors.shape[0], min(places, vectors.shape[1]), *vectors.shape[2:])
    return torch.cat([padding, vectors[:, :-places]], dim=1)


def _windows(keys: Tensor, size: int) -> Tensor:
    if size == 1:
        return keys
    return torch.cat([_back(keys, places) for places in range(size)], dim=-1)


def _summed(values: Tensor) -> Tensor:
    summed = values[:, :, 0]
    for places in range(1, values.shape[2]):
        summed = summed + _back(values[:, :, places], places)
    return summed
