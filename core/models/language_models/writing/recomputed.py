"""Texts that are read anew at every step: slow, and right for any causal model.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from core.models.language_models.packing import Tokens
from core.models.language_models.writing.search import Move
from core.models.networks.batches import padded, plan

READ = 1_024
"""Padded tokens that are read at a time."""


class Recomputed:
    """For models with a recurrent state, or whose positions are a part of attention itself.

    Args:
        model: Of transformers.
        prefixes: Tokens, at least one each.
        pause: Called between batches; may raise.
    """

    def __init__(self, model: Any, prefixes: Sequence[Tokens], *, pause: Callable[[], None]) -> None:
        self._model = model
        self._texts = [[tokens] for tokens in prefixes]
        self._pause = pause

    def begin(self) -> Tensor:
        """Logits of the first token of every text, [prefixes, 1, v]."""
        return self._forward()

    def advance(self, move: Move) -> Tensor:
        """Logits of the tokens after those of a move, [a, k, v]."""
        self._texts = [
            [(*self._texts[row][parent], token) for parent, token in zip(parents, tokens, strict=True)]
            for row, parents, tokens in zip(
                move.keep.tolist(), move.parents.tolist(), move.tokens.tolist(), strict=True
            )
        ]
        return self._forward()

    def _forward(self) -> Tensor:
        texts = [tokens for row in self._texts for tokens in row]
        found: list[Tensor | None] = [None] * len(texts)
        for batch in plan([len(tokens) for tokens in texts], READ):
            self._pause()
            ids, lengths = padded([texts[k] for k in batch.tolist()], 0)
            # No mask: nothing stands after a text but padding, which it cannot see.
            logits = self._model(
                input_ids=torch.from_numpy(ids).to(self._model.device), use_cache=False
            ).logits
            for place, row, length in zip(batch.tolist(), logits, lengths.tolist(), strict=True):
                found[place] = row[length - 1]
        stacked = torch.stack([one for one in found if one is not None])
        return stacked.view(len(self._texts), -1, stacked.shape[1])
