"""A headline and sentences as one row of tokens, the numerals between marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from core.arrays import IntArray
from core.numerals.entailing.question import ClaimQuestion, Span
from core.text.normalise import without_surrogates

if TYPE_CHECKING:
    from tokenizers import Tokenizer

WEIGHTS: Final = "claims.safetensors"  # what a folder of the network holds
BASE: Final = "minilm"  # the encoder that the low-rank updates belong to
MOST_TOKENS: Final = 80  # tokens of a row; of longer sentences those near the marked numbers are read
HEADLINE_TOKENS: Final = 36  # a longer headline is cut around its numeral
_OPEN, _CLOSE = "«", "»"


@dataclass(frozen=True, slots=True, eq=False)
class ClaimRow:
    """One question as the network reads it."""

    ids: IntArray  # `[CLS] headline [SEP] sentences [SEP]`, int64 [w], the numerals between « and »
    first: int  # how many of them are the headline and the two special tokens beside it (token type 0)
    looked_at: tuple[int, int, int]  # places of [CLS], of the headline's « and of the first source's «


class ClaimTokenizer:
    """Makes rows."""

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._start, self._end = self._id("[CLS]"), self._id("[SEP]")
        self.pad = self._id("[PAD]")
        self._open, self._close = self._id(_OPEN), self._id(_CLOSE)

    def rows(self, questions: Sequence[ClaimQuestion]) -> list[ClaimRow]:
        """One row a question, in order."""
        texts = [
            part
            for one in questions
            for part in (
                _marked(one.headline, ((one.start, one.end),)),
                *(_marked(text, spans) for text, spans in one.sentences),
            )
        ]
        read = (self._tokenizer.encode(text, add_special_tokens=False) for text in texts)
        found = []
        for one in questions:
            headline = list(next(read).ids)
            sentences = [list(next(read).ids) for _ in one.sentences]
            found.append(self._row(headline, sentences))
        return found

    def _row(self, headline: list[int], sentences: list[list[int]]) -> ClaimRow:
        headline = self._around(headline, HEADLINE_TOKENS)
        room = MOST_TOKENS - len(headline) - 3
        # What short sentences leave, the longer ones get.
        left, shares = room, {}
        for rank, at in enumerate(sorted(range(len(sentences)), key=lambda at: len(sentences[at]))):
            shares[at] = min(len(sentences[at]), left // (len(sentences) - rank))
            left -= shares[at]
        body = [token for at, one in enumerate(sentences) for token in self._around(one, shares[at])]
        ids = [self._start, *headline, self._end, *body, self._end]
        first = len(headline) + 2
        asked = 1 + self._first_mark(headline)
        source = self._first_mark(body)
        marked = first + source if source >= 0 else 0
        return ClaimRow(np.array(ids, dtype=np.int64), first, (0, max(asked, 0), marked))

    def _around(self, ids: list[int], most: int) -> list[int]:
        if len(ids) <= most:
            return ids
        mark = max(self._first_mark(ids), 0)
        start = min(max(0, mark - most // 2), len(ids) - most)
        return ids[start : start + most]

    def _first_mark(self, ids: Sequence[int]) -> int:
        return ids.index(self._open) if self._open in ids else -1

    def _id(self, name: str) -> int:
        return int(self._tokenizer.token_to_id(name) or 0)


def _marked(text: str, spans: Sequence[Span]) -> str:
    text = text.replace(_OPEN, '"').replace(_CLOSE, '"')
    for start, end in sorted(set(spans), reverse=True):
        text = f"{text[:start]} {_OPEN} {text[start:end]} {_CLOSE} {text[end:]}"
    return without_surrogates(text)
