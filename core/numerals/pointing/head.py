"""What stands on the encoder: scores of the numerals, and of the ways."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn

from core.numerals.attachment import WAYS

ALPHA: Final = 2.0
"""The encoder's low-rank updates are scaled by this (alpha / rank)."""
WIDTH: Final = 192
"""Units of the hidden layers; chosen small beside the encoder's 384."""


class PointerHead(nn.Module):
    """Scores each numeral by its own vector, the blank's and their product.

    Args:
        size: Length of the encoder's vectors.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.numeral = nn.Sequential(nn.Linear(3 * size, WIDTH), nn.GELU(), nn.Linear(WIDTH, 1))
        self.way = nn.Sequential(nn.Linear(size, WIDTH), nn.GELU(), nn.Linear(WIDTH, len(WAYS)))
        self.unseen = nn.Parameter(torch.zeros(1))
        """Score of a numeral beyond the tokens that are read."""

    def forward(self, hidden: Tensor, blank: int, starts: Tensor, ends: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of one question.

        Args:
            hidden: The encoder's vectors, [w, d].
            blank: Place of the mask.
            starts: First token of each numeral, int64 [n]; 0 where it was not read.
            ends: The token after its last, int64 [n].

        Returns:
            Scores of the numerals, [n], and logits of the ways, [7].
        """
        asked = hidden[blank]
        if not len(starts):
            return hidden.new_zeros(0), self.way(asked)
        # Differences of running sums are the sums of the numerals' tokens.
        sums = torch.cat([hidden.new_zeros(1, hidden.shape[1]), hidden.cumsum(dim=0)])
        lengths = (ends - starts).clamp(min=1)
        means = (sums[ends] - sums[starts]) / lengths[:, None]
        blanks = asked.expand_as(means)
        scores = self.numeral(torch.cat([means, blanks, means * blanks], dim=1)).squeeze(1)
        return torch.where(ends > 0, scores, self.unseen), self.way(asked)
