"""How many words a headline may have, kept while it is written token by token; and drawing at random.

Both are logits processors of transformers: called with the tokens so far, int64 [r, t], and the scores of
the next ones, float [r, v]. The rules and the draw are those of language models.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from core.models.language_models.writing import allowed_numbers
from core.models.language_models.writing.allowed_numbers import Pieces
from core.models.language_models.writing.choices import DecodingConstraints, drawn

_CONTINUED: Final = "##"
"""What WordPiece writes before a piece that continues a word."""


def pieces_of(tokenizer: Any, size: int, *, end: int) -> Pieces:
    """The pieces of a tokenizer of transformers; of special ones padding, unknown and mask are banned."""
    read = allowed_numbers.pieces_of(tokenizer, size)
    banned = np.arange(size) >= len(tokenizer)
    never = {tokenizer.pad_token_id, tokenizer.unk_token_id, tokenizer.mask_token_id} - {None, end}
    banned[list(never)] = True
    starts = read.starts
    if not starts.any():
        names = tokenizer.convert_ids_to_tokens(list(range(min(size, len(tokenizer)))))
        continued = [number for number, name in enumerate(names) if name and name.startswith(_CONTINUED)]
        starts = read.words.copy()
        starts[continued] = False
    return replace(read, banned=banned, starts=starts)


@dataclass(frozen=True, slots=True, eq=False)
class WordLimits:
    """The rules of a language model's texts, for headlines that stand behind the decoder's first token.

    Attributes:
        rules: For texts of `articles` articles, as many of each, one article after the other.
    """

    rules: DecodingConstraints
    articles: int = 1

    def __call__(self, ids: Tensor, scores: Tensor) -> Tensor:
        """Scores with minus infinity where a token is not allowed."""
        scores = scores.clone()
        article = np.arange(len(ids), dtype=np.int64) // (len(ids) // self.articles)
        self.rules.forbid(scores, ids[:, 1:].cpu().numpy(), article)
        return scores


class Draw:
    """Leaves the token that is drawn; what is drawn in a row does not depend on the others.

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
        """Scores with minus infinity for every other token."""
        places = np.array([random.random() for random in self._random])
        chosen = drawn(scores.float(), places, temperature=self._temperature, top_p=self._top_p)
        place = torch.from_numpy(chosen)[:, None].to(scores.device)
        return torch.full_like(scores, -torch.inf).scatter_(1, place, 0.0)


def seed_of(text: str, seed: int, place: int) -> int:
    """A seed that depends on the run's seed, the article and the place of the candidate alone."""
    return zlib.crc32(f"{seed}\0{place}\0".encode() + text.encode("utf-8", errors="surrogatepass"))
