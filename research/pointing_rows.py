"""Rows of tokens for the network that points: a headline with a blank, and sentences of its article."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from core.arrays import IntArray
from core.numerals.question import NumeralQuestion, ReadArticle
from core.text.normalise import without_surrogates

if TYPE_CHECKING:
    from tokenizers import Encoding

MOST_TOKENS: Final = 512  # what BERT has positions for
HEADLINE_TOKENS: Final = 64  # a longer headline is cut around its blank


class QuestionRow(NamedTuple):
    ids: IntArray  # `[CLS] headline with [MASK] [SEP] sentences of the article [SEP]`, int64 [w]
    headline_length: int  # tokens of the headline and the two special ones beside it (token type 0)
    blank: int  # place of the mask
    starts: IntArray  # first token of each numeral of the article, int64 [n]; 0 for one that is not read
    ends: IntArray  # token after its last one, int64 [n]; 0 for one that is not read


class _ArticleTokens(NamedTuple):
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
        """A row for each question, of the sentences `within`; None for the first and those with numerals."""
        sentences: dict[tuple[int, int], _ArticleTokens] = {}
        places = within or [{0, *question.article.places} for question in questions]
        asked = zip(questions, places, strict=True)
        return [self._row(question, self._read(question.article, own, sentences)) for question, own in asked]

    def _row(self, question: NumeralQuestion, article: _ArticleTokens) -> QuestionRow:
        before = self._encode(question.headline[: question.start]).ids[-HEADLINE_TOKENS // 2 :]
        after = self._encode(question.headline[question.end :]).ids[: HEADLINE_TOKENS // 2]
        headline = [self._start, *before, self._mask, *after, self._end]
        room = MOST_TOKENS - len(headline) - 1
        ids = np.concatenate([headline, article.ids[:room], [self._end]]).astype(np.int64)
        there = (article.starts < article.ends) & (article.starts < room)
        starts = np.where(there, article.starts + len(headline), 0)
        ends = np.where(there, np.minimum(article.ends, room) + len(headline), 0)
        return QuestionRow(ids, len(headline), 1 + len(before), starts, ends)

    def _read(
        self, article: ReadArticle, chosen: Collection[int], sentences: dict[tuple[int, int], _ArticleTokens]
    ) -> _ArticleTokens:
        ids: list[IntArray] = [np.zeros(0, dtype=np.int64)]
        starts, ends = np.zeros((2, len(article.numerals)), dtype=np.int64)
        size = 0
        for at in sorted(row for row in chosen if row < len(article.sentences)):
            key = (id(article), at)
            if key not in sentences:
                sentences[key] = self._sentence(article, at)
            sentence = sentences[key]
            own = [row for row, place in enumerate(article.places) if place == at]
            starts[own], ends[own] = sentence.starts + size, sentence.ends + size
            ids.append(sentence.ids)
            size += len(sentence.ids)
        return _ArticleTokens(np.concatenate(ids), starts, ends)

    def _sentence(self, article: ReadArticle, at: int) -> _ArticleTokens:
        start, end = article.sentences[at]
        encoding = self._encode(article.text[start:end])
        offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2) + start
        placed = zip(article.numerals, article.places, strict=True)
        own = [(numeral.number_start, numeral.number_end) for numeral, place in placed if place == at]
        wanted = np.array(own, np.int64).reshape(-1, 2)
        return _ArticleTokens(
            ids=np.array(encoding.ids, dtype=np.int64),
            starts=np.searchsorted(offsets[:, 1], wanted[:, 0], side="right"),
            ends=np.searchsorted(offsets[:, 0], wanted[:, 1], side="left"),
        )

    def _encode(self, text: str) -> "Encoding":
        return self._tokenizer.encode(without_surrogates(text), add_special_tokens=False)

    def _id(self, name: str) -> int:
        return int(self._tokenizer.token_to_id(name) or 0)
