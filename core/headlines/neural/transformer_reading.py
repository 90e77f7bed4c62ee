"""What a Transformer reads of an article: by which numbers, and where the words of a headline stand in it.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from core.headlines.neural.batches import Source
from core.headlines.neural.vocabulary import PAD, UNKNOWN


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """b articles as they are read.

    Attributes:
        numbers: Of their words, int64 [b, s]; unknown words after the vocabulary, `PAD` beyond the end.
        seen: True where there is a word, bool [b, 1, 1, s].
    """

    numbers: Tensor
    seen: Tensor

    @staticmethod
    def of(source: Source, size: int, places: int, turned: Tensor | None) -> Reading:
        """Articles by the numbers of a network.

        Args:
            source: The articles.
            size: Words of the vocabulary.
            places: Unknown words that can be told apart; further ones are `UNKNOWN`.
            turned: How far the numbers of unknown words are turned round, int64 [b, 1]; None for not.
        """
        numbers = renumbered(source.extended, size, places, turned)
        return Reading(numbers, (numbers != PAD)[:, None, None])


def renumbered(numbers: Tensor, size: int, places: int, turned: Tensor | None) -> Tensor:
    """Numbers with those of unknown words in `size` to `size + places - 1`, further ones `UNKNOWN`."""
    unknown = numbers - size
    moved = unknown if turned is None else (unknown + turned) % places
    numbers = torch.where(unknown >= 0, moved + size, numbers)
    return numbers.masked_fill(unknown >= places, UNKNOWN)


def alignment(read: Reading, targets: Tensor, before: Tensor) -> Tensor:
    """Where each word that is to be written stands in its article, bool [b, t, s].

    Of several places those count that follow a place of the word written before, where there are any.

    Args:
        read: The articles.
        targets: Numbers of the words, int64 [b, t].
        before: Numbers of the words before them, int64 [b, t].
    """
    known = (targets != PAD) & (targets != UNKNOWN)
    same = (read.numbers[:, None] == targets[..., None]) & known[..., None]
    previous = F.pad(read.numbers[:, :-1], (1, 0), value=PAD)
    following = same & (previous[:, None] == before[..., None])
    return torch.where(following.any(dim=2, keepdim=True), following, same)
