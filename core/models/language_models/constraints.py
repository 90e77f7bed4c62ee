"""What a written text may not go on with: repeats, forbidden numbers, too few or too many words."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.arrays import IntArray
from core.models.language_models import allowed_numbers, language_model
from core.models.language_models.pieces import Pieces

WORDLESS = 5  # tokens without a letter or digit at the beginning, after which one must come


class DecodingConstraints:
    def __init__(
        self,
        decoding: language_model.Decoding,
        pieces: Pieces,
        end: int,
        device: Any,
        *,
        numbers: allowed_numbers.AllowedNumbers | None = None,
    ) -> None:
        self._decoding = decoding
        self._pieces = pieces
        self._end = end
        self._numbers = numbers
        self._banned = torch.from_numpy(pieces.banned).to(device)
        self._starts = torch.from_numpy(pieces.starts).to(device)
        self._wordless = torch.from_numpy(~pieces.words).to(device)

    def forbid(self, scores: Tensor, tokens: IntArray, prefixes: IntArray) -> None:
        least, most = self._decoding.least_words, self._decoding.most_words
        end = scores[:, self._end].clone()
        free = None if self._numbers is None else self._numbers.before(scores)
        scores.masked_fill_(self._banned, -torch.inf)
        where, what = repeated(tokens, self._decoding.no_repeat)
        scores[torch.from_numpy(where), torch.from_numpy(what)] = -torch.inf
        starts, words = self._pieces.starts[tokens], self._pieces.words[tokens]
        any_word = words.any(axis=1)
        # The first word may begin without a space.
        unmarked = (words & (starts.cumsum(axis=1) == 0)).any(axis=1)
        count = starts.sum(axis=1) + unmarked
        if most:
            full = torch.from_numpy(count >= most).to(scores.device)
            scores.masked_fill_(full[:, None] & self._starts, -torch.inf)
        if least and tokens.shape[1] >= WORDLESS:
            none = torch.from_numpy(~any_word).to(scores.device)
            scores.masked_fill_(none[:, None] & self._wordless, -torch.inf)
        early = torch.from_numpy((count < least) | ((least > 0) & ~any_word)).to(scores.device)
        scores[:, self._end] = end.masked_fill(early, -torch.inf)
        if self._numbers is not None and free is not None:
            self._numbers.forbid(scores, free, tokens, prefixes)
        # Where nothing is left the text ends: a number of hundreds of digits that may not be begun.
        nothing = (scores == -torch.inf).all(dim=-1)
        scores[:, self._end].masked_fill_(nothing, 0.0)


def repeated(tokens: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """Tokens that would complete a sequence of `size` tokens which a text holds already."""
    length = tokens.shape[1]
    if not size or length < size:
        nothing = np.empty(0, dtype=np.int64)
        return nothing, nothing
    windows = np.lib.stride_tricks.sliding_window_view(tokens, size, axis=1)
    last = tokens[:, length - size + 1 :]
    rows, places = np.nonzero((windows[..., :-1] == last[:, None]).all(axis=2))
    return rows.astype(np.int64), windows[rows, places, -1]
