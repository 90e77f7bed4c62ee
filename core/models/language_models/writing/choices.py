"""What may come next and what is drawn: ends as one token, no repeated sequences, nucleus sampling.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from core.arrays import IntArray
from core.models.language_models.language_model import Decoding
from core.models.language_models.writing.allowed_numbers import AllowedNumbers, Pieces

NUCLEUS = 1_024
"""Tokens that are sorted to draw one; more only where these do not hold the share asked for."""

_EQUAL = 1_000
"""Log-probabilities that are equal in so many parts of 1 are equal but for rounding."""

WORDLESS = 5
"""Tokens without a letter or digit at the beginning, after which one must come."""


def with_one_end(logits: Tensor, ends: Tensor) -> Tensor:
    """Log-probabilities in which the first of the tokens that end a text stands for all of them.

    Args:
        logits: [..., v], any number format.
        ends: Ids of those tokens, int64 [e], one or more.

    Returns:
        float32 [..., v]; minus infinity for the other ends.
    """
    scores = logits.float().log_softmax(dim=-1)
    end = scores[..., ends].logsumexp(dim=-1)
    scores[..., ends] = -torch.inf
    scores[..., ends[0]] = end
    return scores


def repeated(tokens: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """Tokens that would complete a sequence of `size` tokens which a text holds already.

    Args:
        tokens: Texts so far, int64 [n, t].
        size: 0 for none.

    Returns:
        Rows and forbidden tokens, both int64 [m].
    """
    length = tokens.shape[1]
    if not size or length < size:
        nothing = np.empty(0, dtype=np.int64)
        return nothing, nothing
    windows = np.lib.stride_tricks.sliding_window_view(tokens, size, axis=1)
    last = tokens[:, length - size + 1 :]
    rows, places = np.nonzero((windows[..., :-1] == last[:, None]).all(axis=2))
    return rows.astype(np.int64), windows[rows, places, -1]


class DecodingConstraints:
    """What a text may not go on with.

    Args:
        decoding: Words at least and at most, and `no_repeat`.
        pieces: Of the tokenizer.
        end: The token that stands for all ends.
        device: Where scores lie.
        numbers: What numbers texts may hold; None for any.
    """

    def __init__(
        self,
        decoding: Decoding,
        pieces: Pieces,
        end: int,
        device: Any,
        *,
        numbers: AllowedNumbers | None = None,
    ) -> None:
        self._decoding = decoding
        self._pieces = pieces
        self._end = end
        self._numbers = numbers
        self._banned = torch.from_numpy(pieces.banned).to(device)
        self._starts = torch.from_numpy(pieces.starts).to(device)
        self._wordless = torch.from_numpy(~pieces.words).to(device)

    def forbid(self, scores: Tensor, tokens: IntArray, prefixes: IntArray) -> None:
        """Sets scores to minus infinity where a token is not allowed.

        Args:
            scores: Log-probabilities, float32 [n, v].
            tokens: Texts so far, int64 [n, t].
            prefixes: Row of the prefix that each text stands after, int64 [n].
        """
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


def drawn(scores: Tensor, draws: npt.NDArray[np.float64], *, temperature: float, top_p: float) -> IntArray:
    """One token of each row by nucleus sampling, int64 [n].

    Source: Holtzman et al. 2020, "The Curious Case of Neural Text Degeneration".

    Args:
        scores: Log-probabilities or any logits, [n, v].
        draws: Numbers from 0 to 1 that decide, float64 [n].
        temperature: Above 0.
        top_p: Above 0, at most 1.
    """
    scaled = (scores / temperature).log_softmax(dim=-1)
    most = min(NUCLEUS, scaled.shape[1])
    best, ids = scaled.topk(most, dim=1)
    if most < scaled.shape[1] and bool((best.exp().sum(dim=1) < top_p).any()):
        best, ids = scaled.sort(dim=1, descending=True)
    # Those that are equally likely but for rounding stand in the order of the vocabulary: which of them comes
    # first would depend on what is computed beside them.
    best, ids = (part.gather(1, ids.argsort(dim=1)) for part in (best, ids))
    order = (best * _EQUAL).round().argsort(dim=1, descending=True, stable=True)
    best, ids = best.gather(1, order), ids.gather(1, order)
    shares = best.double().exp()
    before = shares.cumsum(dim=1) - shares
    shares = shares.masked_fill(before >= top_p, 0.0)
    reached = shares.cumsum(dim=1)
    wanted = torch.from_numpy(draws).to(reached.device)[:, None] * reached[:, -1:]
    place = (reached <= wanted).sum(dim=1, keepdim=True)
    last = (shares > 0).sum(dim=1, keepdim=True) - 1
    chosen: IntArray = ids.gather(1, torch.minimum(place, last))[:, 0].cpu().numpy()
    return chosen
