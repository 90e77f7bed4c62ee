"""What the tokens of a vocabulary are: which end a line, begin a word, hold a letter, are never written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

_MARKS: Final = ("\u2581", "\u0120")
"""What pieces begin with that begin a word: SentencePiece's and byte-level BPE's sign for a space."""

# "Ċ" is how tokenizers of bytes write a line end, "<0x0A>" how those with a fallback to bytes do.
_LINE_END: Final = re.compile("[\nĊ]|<0x0A>")


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The tokens of a vocabulary of v.

    Attributes:
        ends: They hold a line end or end a text, bool [v].
        starts: They begin a word, bool [v].
        words: They hold a letter or a digit, or a part of one, bool [v].
        banned: They are never written: other special tokens, and numbers that are no token; bool [v].
        texts: What each reads as, with a space before it where it begins a word; "" for special tokens.
    """

    ends: npt.NDArray[np.bool_]
    starts: npt.NDArray[np.bool_]
    words: npt.NDArray[np.bool_]
    banned: npt.NDArray[np.bool_]
    texts: tuple[str, ...]


@lru_cache(maxsize=4)
def pieces_of(tokenizer: Any, size: int) -> Pieces:
    """The pieces of a tokenizer of transformers for a model that scores `size` tokens."""
    names = tokenizer.convert_ids_to_tokens(list(range(min(size, len(tokenizer)))))
    special = set(tokenizer.all_special_ids)
    ends, starts, words, banned = (np.zeros(size, dtype=np.bool_) for _ in range(4))
    banned[len(names) :] = True
    texts = [""] * size
    for number, name in enumerate(names):
        if name is None or number in special:
            banned[number] = True
            continue
        ends[number] = _LINE_END.search(name) is not None
        starts[number] = name.startswith(_MARKS)
        text = tokenizer.convert_tokens_to_string([name])
        # A part of a letter in bytes reads as U+FFFD.
        words[number] = any(sign.isalnum() or sign == "\ufffd" for sign in text)
        texts[number] = f" {text.lstrip()}" if starts[number] else text
    last = tokenizer.eos_token_id
    if last is not None and last < size:
        ends[last], banned[last] = True, False
    return Pieces(ends, starts, words, banned, tuple(texts))
