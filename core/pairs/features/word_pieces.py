"""The pieces that a SentencePiece tokenizer finds in many texts; words that come again are looked at once.

The tokenizer puts "▁" in place of a space, so that no piece goes past a word's end.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from core.arrays import Int32Array, IntArray

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_SPACE: Final = "▁"
_WORDS_AT_ONCE: Final = 64  # words that the tokenizer is given as one text: one by one costs more


class FoundPieces(NamedTuple):
    """Numbers of word pieces, text after text."""

    ids: Int32Array
    ends: IntArray


class WordPieces:
    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        vocabulary = tokenizer.get_vocab(with_added_tokens=True)
        self._begins = np.zeros(max(vocabulary.values()) + 1, dtype=np.bool_)
        self._begins[[at for piece, at in vocabulary.items() if piece.startswith(_SPACE)]] = True
        added = tokenizer.get_added_tokens_decoder().values()  # they are found before anything is split
        self._whole = re.compile("|".join(map(re.escape, (_SPACE, *(token.content for token in added)))))

    def of(self, texts: Sequence[str]) -> FoundPieces:
        """The pieces of texts, as the tokenizer finds them in each by itself."""
        words: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        odd: dict[str, int] = {}
        parts: list[int] = []
        ends = [0]
        for text in texts:
            of_text = text.split(" ")
            if "" in of_text or self._whole.search(text):  # runs of spaces have pieces of their own
                parts.append(~odd.setdefault(text, len(odd)))
            else:
                parts += map(words.__getitem__, of_text)
            ends.append(len(parts))
        pieces = _joined(self._words(list(words)), self._texts(list(odd)))
        at = np.array(parts, dtype=np.int64)
        at[at < 0] = len(words) + ~at[at < 0]
        length = np.diff(pieces.ends)[at]
        until = np.concatenate(([0], np.cumsum(length)))
        inside = np.arange(until[-1]) + np.repeat(pieces.ends[at] - until[:-1], length)
        return FoundPieces(pieces.ids[inside], until[ends])

    def _words(self, words: Sequence[str]) -> FoundPieces:
        starts = range(0, len(words), _WORDS_AT_ONCE)
        pieces = self._texts([" ".join(words[start : start + _WORDS_AT_ONCE]) for start in starts])
        return FoundPieces(pieces.ids, np.append(np.flatnonzero(self._begins[pieces.ids]), len(pieces.ids)))

    def _texts(self, texts: list[str]) -> FoundPieces:
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch_fast(texts, add_special_tokens=False)]
        ends = np.cumsum([0, *map(len, ids)])
        return FoundPieces(np.fromiter(itertools.chain.from_iterable(ids), np.int32, ends[-1]), ends)


def _joined(left: FoundPieces, right: FoundPieces) -> FoundPieces:
    ends = np.concatenate((left.ends, left.ends[-1] + right.ends[1:]))
    return FoundPieces(np.concatenate((left.ids, right.ids)), ends)
