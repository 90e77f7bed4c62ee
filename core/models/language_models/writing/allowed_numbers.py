"""What the tokens of a vocabulary are, and which numbers in digits a text may hold.

No number is begun that cannot be completed to an allowed one.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from core.arrays import IntArray

_MARKS: Final = ("\u2581", "\u0120")
"""What pieces begin with that begin a word: SentencePiece's and byte-level BPE's sign for a space."""

_PART: Final = "\ufffd"
"""What a token reads as that is a part of a letter in bytes."""

# "Ċ" is how tokenizers of bytes write a line end, "<0x0A>" how those with a fallback to bytes do.
_LINE_END: Final = re.compile("[\nĊ]|<0x0A>")


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The tokens of a vocabulary of v."""

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
        words[number] = any(sign.isalnum() or sign == _PART for sign in text)
        texts[number] = f" {text.lstrip()}" if starts[number] else text
    last = tokenizer.eos_token_id
    if last is not None and last < size:
        ends[last], banned[last] = True, False
    return Pieces(ends, starts, words, banned, tuple(texts))


NUMBER: Final = re.compile(r"\d+(?:[.,/]\d+)*", re.ASCII)
"""A number in the digits 0 to 9: "7", "1,300", "3.5", "9/11"."""

_OPEN: Final = re.compile(r"(?<![\d.,/])[.,/]*(\d[\d.,/]*)\Z", re.ASCII)
# Headlines are cleaned: digits on both sides of a hidden sign, or of parts that made no letter or a hidden
# one, would become one number.
_PARTED: Final = re.compile(rf"\d[.,/]*{_PART}[.,/{_PART}]*\Z", re.ASCII)
_SIGNS: Final = (".", ",", "/")


class AllowedNumbers:
    """The rule for several prefixes; a number that was begun is completed whatever else is forbidden."""

    def __init__(self, pieces: Pieces, end: int, allowed: Sequence[Collection[str]]) -> None:
        self._pieces = pieces
        self._allowed = [frozenset(numbers) for numbers in allowed]
        self._beginnings = [
            frozenset(number[:length] for number in numbers for length in range(1, len(number) + 1))
            for numbers in self._allowed
        ]
        self._ids = np.array(
            [
                number
                for number, text in enumerate(pieces.texts)
                if number != end
                and not (pieces.banned[number] or pieces.ends[number])
                and (text in ("", *_SIGNS) or any(map(str.isdecimal, text)))
            ],
            dtype=np.int64,
        )
        hidden = [any(not (sign.isprintable() or sign.isspace()) for sign in text) for text in pieces.texts]
        self._hidden = torch.from_numpy(np.flatnonzero(hidden))
        digits = [any(map(str.isdecimal, pieces.texts[number])) for number in self._ids]
        self._without_digits = ~np.array(digits, dtype=np.bool_)
        self._known: dict[tuple[int, str], tuple[bool, npt.NDArray[np.bool_]]] = {}

    def before(self, scores: Tensor) -> Tensor:
        """Scores of the tokens that numbers are made of, to be kept from other rules, float32 [n, k]."""
        return scores[:, torch.from_numpy(self._ids).to(scores.device)]

    def forbid(self, scores: Tensor, before: Tensor, tokens: IntArray, prefixes: IntArray) -> None:
        ids = torch.from_numpy(self._ids).to(scores.device)
        for row, (text, prefix) in enumerate(zip(tokens.tolist(), prefixes.tolist(), strict=True)):
            complete, going_on = self._next(prefix, "".join(self._pieces.texts[token] for token in text))
            own = scores[row, ids] if complete else before[row]
            if not complete:
                scores[row] = -torch.inf
            scores[row, ids] = own.masked_fill(~torch.from_numpy(going_on).to(scores.device), -torch.inf)
        scores[:, self._hidden.to(scores.device)] = -torch.inf

    def _next(self, prefix: int, text: str) -> tuple[bool, npt.NDArray[np.bool_]]:
        if _PARTED.search(text):
            return True, self._without_digits
        found = _OPEN.search(text)
        begun = found[1] if found else ""
        key = prefix, begun
        if key not in self._known:
            allowed, beginnings = self._allowed[prefix], self._beginnings[prefix]
            going_on = [_stands(begun + self._pieces.texts[k], allowed, beginnings) for k in self._ids]
            complete = all(number in allowed for number in NUMBER.findall(begun))
            self._known[key] = complete, np.array(going_on, dtype=np.bool_)
        return self._known[key]


def without_open_number(text: str, allowed: Collection[str]) -> str:
    """A text that was cut, without a number at its end that it did not complete."""
    found = _OPEN.search(text)
    if found is None or all(number in allowed for number in NUMBER.findall(found[1])):
        return text
    return text[: found.start(1)]


def _stands(text: str, allowed: Collection[str], beginnings: Collection[str]) -> bool:
    if _PART in text:
        return False
    for number in NUMBER.finditer(text):
        rest = text[number.end() :]
        stands = number.group() in allowed
        if not rest or rest in _SIGNS:
            stands = stands or number.group() + rest in beginnings
        if not stands:
            return False
    return True
