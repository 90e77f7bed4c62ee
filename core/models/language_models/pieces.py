"""The tokens of a vocabulary: which begin a word, end a text, or stand for nothing."""

import re
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.arrays import BoolArray
from core.models.loaded import loaded

PART_OF_LETTER: Final = "\ufffd"  # what a token reads as that is a part of a letter in bytes
_MARKS: Final = ("\u2581", "\u0120")  # a space, by SentencePiece and byte-level BPE
# "Ċ" is how tokenizers of bytes write a line end, "<0x0A>" how those with a fallback to bytes do.
_LINE_END: Final = re.compile("[\nĊ]|<0x0A>")


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    ends: BoolArray
    starts: BoolArray
    words: BoolArray
    banned: BoolArray
    texts: tuple[str, ...]


@loaded(4)
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
        words[number] = any(sign.isalnum() or sign == PART_OF_LETTER for sign in text)
        texts[number] = f" {text.lstrip()}" if starts[number] else text
    last = tokenizer.eos_token_id
    if last is not None and last < size:
        ends[last], banned[last] = True, False
    return Pieces(ends, starts, words, banned, tuple(texts))
