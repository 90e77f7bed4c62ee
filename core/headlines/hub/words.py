"""How many words a headline may have, kept while it is written token by token; and drawing at random.

Both are logits processors of transformers: called with the tokens so far, int64 [r, t], and the scores of
the next ones, float [r, v].
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from torch import Tensor

_MARKS: Final = ("\u2581", "\u0120")
"""What pieces begin with that begin a word: SentencePiece's and byte-level BPE's sign for a space."""

_CONTINUED: Final = "##"
"""What WordPiece writes before a piece that continues a word."""

_WORDLESS: Final = 5
"""Tokens without a letter or digit at the beginning, after which one must come."""


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """What the tokens of a vocabulary are.

    Attributes:
        starts: They begin a word, bool [v].
        words: They hold a letter or a digit, bool [v].
        banned: They are never written: padding, unknown, mask; bool [v].
    """

    starts: Tensor
    words: Tensor
    banned: Tensor


def pieces_of(tokenizer: Any, size: int, *, keep: int, device: str) -> Pieces:
    """The pieces of a tokenizer.

    Args:
        tokenizer: Of transformers.
        size: Scores that the model gives; it may have more than the tokenizer has tokens.
        keep: The token that ends a headline, which is never banned.
        device: Where they are used.
    """
    import torch

    names = tokenizer.convert_ids_to_tokens(list(range(min(size, len(tokenizer)))))
    special = set(tokenizer.all_special_ids)
    marked = any(name.startswith(_MARKS) for name in names if name)
    starts = np.zeros(size, dtype=bool)
    words = np.zeros(size, dtype=bool)
    banned = np.zeros(size, dtype=bool)
    banned[len(names) :] = True
    for number, name in enumerate(names):
        if name is None or number in special:
            continue
        # Not the name: byte-level pieces are spelled with letters that stand for bytes.
        holds = any(map(str.isalnum, tokenizer.convert_tokens_to_string([name])))
        words[number] = holds
        starts[number] = name.startswith(_MARKS) if marked else holds and not name.startswith(_CONTINUED)
    for token in (tokenizer.pad_token_id, tokenizer.unk_token_id, tokenizer.mask_token_id):
        if token is not None and token != keep:
            banned[token] = True
    return Pieces(*(torch.from_numpy(part).to(device) for part in (starts, words, banned)))


@dataclass(frozen=True, slots=True, eq=False)
class WordLimits:
    """Keeps headlines between two numbers of words, and from being without any letter or digit.

    Attributes:
        pieces: Of the tokenizer.
        begin: Tokens before the headline in every row.
        end: The token that ends it.
        least: Words at least.
        most: Words at most, 0 for no limit.
    """

    pieces: Pieces
    begin: int
    end: int
    least: int
    most: int

    def __call__(self, ids: Tensor, scores: Tensor) -> Tensor:
        """Scores with minus infinity where a token is not allowed."""
        import torch

        pieces = self.pieces
        written = ids[:, self.begin :]
        starts, words = pieces.starts[written], pieces.words[written]
        # The first word may begin without a mark.
        unmarked = (words & (starts.cumsum(dim=1) == 0)).any(dim=1)
        count = starts.sum(dim=1) + unmarked
        any_word = words.any(dim=1)
        scores = scores.masked_fill(pieces.banned, -torch.inf)
        too_short = (count < self.least) | ~any_word
        scores[:, self.end] = scores[:, self.end].masked_fill(too_short, -torch.inf)
        if self.most:
            full = count >= self.most
            scores = scores.masked_fill(full[:, None] & pieces.starts, -torch.inf)
        if written.shape[1] >= _WORDLESS:
            scores = scores.masked_fill(~any_word[:, None] & ~pieces.words, -torch.inf)
        return scores


class Draw:
    """Makes the likeliest token a random one: with Gumbel noise its share is that of the softmax.

    Each row has a generator of its own, so that what is drawn does not depend on the other rows.

    Source: Gumbel 1954; Holtzman et al. 2020 for `top_p`.

    Args:
        seeds: One a row.
        temperature: Above 0.
        top_p: Tokens from the likeliest ones that hold this share.
    """

    def __init__(self, seeds: Sequence[int], *, temperature: float, top_p: float) -> None:
        self._random = [np.random.default_rng(seed) for seed in seeds]
        self._temperature = temperature
        self._top_p = top_p

    def __call__(self, ids: Tensor, scores: Tensor) -> Tensor:
        """Scores whose highest entry is the token that was drawn."""
        import torch

        scores = scores.float() / self._temperature
        shares, order = scores.softmax(dim=-1).sort(dim=-1, descending=True, stable=True)
        outside = shares.cumsum(dim=-1) - shares >= self._top_p
        scores = scores.masked_fill(outside.gather(1, order.argsort(dim=-1)), -torch.inf)
        noise = np.stack([random.gumbel(size=scores.shape[1]) for random in self._random])
        return scores + torch.from_numpy(noise).to(scores)


def seed_of(text: str, seed: int, place: int) -> int:
    """A seed that hangs on the run's seed, the article and the place of the candidate alone."""
    return zlib.crc32(f"{seed}\0{place}\0".encode() + text.encode("utf-8", errors="surrogatepass"))
