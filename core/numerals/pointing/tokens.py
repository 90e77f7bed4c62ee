"""A masked headline and its article as one row of tokens, with the places of the numerals in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from core.arrays import IntArray
from core.numerals.question import NumeralQuestion, ReadArticle
from core.text.normalise import without_surrogates

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

WEIGHTS: Final = "pointer.safetensors"  # what a folder of the network holds
BASE: Final = "minilm"  # the encoder that its low-rank updates belong to
MOST_TOKENS: Final = 512  # what BERT has positions for
HEADLINE_TOKENS: Final = 64  # a longer headline is cut around its blank


@dataclass(frozen=True, slots=True, eq=False)
class QuestionRow:
    """One question as the network reads it."""

    ids: IntArray  # `[CLS] headline with [MASK] [SEP] sentences of the article [SEP]`, int64 [w]
    first: int  # how many of them are the headline and the two special tokens beside it (token type 0)
    blank: int  # place of the mask
    starts: IntArray  # first token of each numeral of the article, int64 [n]; 0 for one that is not read
    ends: IntArray  # token after its last one, int64 [n]; 0 for one that is not read


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    ids: IntArray
    starts: IntArray
    ends: IntArray


class QuestionTokenizer:
    """Makes rows; a sentence that several questions share is tokenised once."""

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._start, self._end, self._mask = (self._id(name) for name in ("[CLS]", "[SEP]", "[MASK]"))
        self.pad = self._id("[PAD]")

    def rows(
        self, questions: Sequence[NumeralQuestion], within: Sequence[Collection[int]] | None = None
    ) -> list[QuestionRow]:
        """One row a question, in order."""
        known: dict[tuple[int, int], _Read] = {}
        found = []
        for at, question in enumerate(questions):
            article = question.article
            chosen = {0, *article.places} if within is None else within[at]
            found.append(self._row(question, self._read(article, chosen, known)))
        return found

    def _row(self, question: NumeralQuestion, article: _Read) -> QuestionRow:
        before = self._ids(question.headline[: question.start])[-HEADLINE_TOKENS // 2 :]
        after = self._ids(question.headline[question.end :])[: HEADLINE_TOKENS // 2]
        headline = [self._start, *before, self._mask, *after, self._end]
        room = MOST_TOKENS - len(headline) - 1
        ids = np.concatenate([headline, article.ids[:room], [self._end]]).astype(np.int64)
        there = (article.starts < article.ends) & (article.starts < room)
        starts = np.where(there, article.starts + len(headline), 0)
        ends = np.where(there, np.minimum(article.ends, room) + len(headline), 0)
        return QuestionRow(ids, len(headline), 1 + len(before), starts, ends)

    def _read(
        self, article: ReadArticle, chosen: Collection[int], known: dict[tuple[int, int], _Read]
    ) -> _Read:
        ids: list[IntArray] = [np.zeros(0, dtype=np.int64)]
        starts, ends = np.zeros((2, len(article.numerals)), dtype=np.int64)
        size = 0
        for at in sorted(row for row in chosen if row < len(article.sentences)):
            key = (id(article), at)
            if key not in known:
                known[key] = self._sentence(article, at)
            one = known[key]
            own = [row for row, place in enumerate(article.places) if place == at]
            starts[own], ends[own] = one.starts + size, one.ends + size
            ids.append(one.ids)
            size += len(one.ids)
        return _Read(np.concatenate(ids), starts, ends)

    def _sentence(self, article: ReadArticle, at: int) -> _Read:
        start, end = article.sentences[at]
        encoding = self._encode(article.text[start:end])
        offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2) + start
        own = [one for one, place in zip(article.numerals, article.places, strict=True) if place == at]
        wanted = np.array([(one.number_start, one.number_end) for one in own], dtype=np.int64).reshape(-1, 2)
        return _Read(
            ids=np.array(encoding.ids, dtype=np.int64),
            starts=np.searchsorted(offsets[:, 1], wanted[:, 0], side="right"),
            ends=np.searchsorted(offsets[:, 0], wanted[:, 1], side="left"),
        )

    def _encode(self, text: str) -> Encoding:
        return self._tokenizer.encode(without_surrogates(text), add_special_tokens=False)

    def _ids(self, text: str) -> list[int]:
        return list(self._encode(text).ids)

    def _id(self, name: str) -> int:
        return int(self._tokenizer.token_to_id(name) or 0)
