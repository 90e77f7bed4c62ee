"""Which tokens may follow where a text may hold certain numbers in digits alone."""

import re
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
import torch
from torch import Tensor

from core.arrays import BoolArray, IntArray
from core.models.language_models.pieces import PART_OF_LETTER, Pieces

NUMBER: Final = re.compile(r"\d+(?:[.,/]\d+)*", re.ASCII)  # "7", "1,300", "9/11"
_OPEN: Final = re.compile(r"(?<![\d.,/])[.,/]*(\d[\d.,/]*)\Z", re.ASCII)
# Headlines are cleaned: digits on both sides of a hidden sign, or of parts that made no letter or a hidden
# one, would become one number.
_PARTED: Final = re.compile(rf"\d[.,/]*{PART_OF_LETTER}[.,/{PART_OF_LETTER}]*\Z", re.ASCII)
_SIGNS: Final = (".", ",", "/")


class AllowedNumbers:
    """The numbers in digits that texts after prefixes may hold; what is begun is completed to one of them."""

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
        self._known: dict[tuple[int, str], tuple[bool, BoolArray]] = {}

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

    def _next(self, prefix: int, text: str) -> tuple[bool, BoolArray]:
        if _PARTED.search(text):
            return True, self._without_digits
        open_number = _OPEN.search(text)
        begun = open_number[1] if open_number else ""
        key = prefix, begun
        if key not in self._known:
            allowed, beginnings = self._allowed[prefix], self._beginnings[prefix]
            going_on = [_stands(begun + self._pieces.texts[k], allowed, beginnings) for k in self._ids]
            complete = all(number in allowed for number in NUMBER.findall(begun))
            self._known[key] = complete, np.array(going_on, dtype=np.bool_)
        return self._known[key]


def _stands(text: str, allowed: Collection[str], beginnings: Collection[str]) -> bool:
    if PART_OF_LETTER in text:
        return False
    for number in NUMBER.finditer(text):
        rest = text[number.end() :]
        stands = number.group() in allowed
        if not rest or rest in _SIGNS:
            stands = stands or number.group() + rest in beginnings
        if not stands:
            return False
    return True


def without_open_number(text: str, allowed: Collection[str]) -> str:
    """A text that was cut, without a number at its end that it did not complete."""
    open_number = _OPEN.search(text)
    if open_number is None or all(number in allowed for number in NUMBER.findall(open_number[1])):
        return text
    return text[: open_number.start(1)]
