"""Numbers in digits that a text may hold: none is begun that cannot be completed to an allowed one.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from core.models.language_models.writing.pieces import Pieces
from core.similarities import IntArray

NUMBER: Final = re.compile(r"\d+(?:[.,/]\d+)*")
"""A number in digits: "7", "1,300", "3.5", "9/11"."""

_OPEN: Final = re.compile(r"(?<![\d.,/])[.,/]*(\d[\d.,/]*)\Z")
_SIGNS: Final = (".", ",", "/")


class AllowedNumbers:
    """The rule for several prefixes; a number that was begun is completed whatever else is forbidden.

    Args:
        pieces: Of the tokenizer.
        end: The token that stands for all ends.
        allowed: For each prefix the numbers that its texts may hold, as they are written.
    """

    def __init__(self, pieces: Pieces, end: int, allowed: Sequence[Collection[str]]) -> None:
        self._pieces = pieces
        self._allowed = [frozenset(one) for one in allowed]
        self._beginnings = [
            frozenset(number[:length] for number in one for length in range(1, len(number) + 1))
            for one in self._allowed
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
        self._known: dict[tuple[int, str], tuple[bool, npt.NDArray[np.bool_]]] = {}

    def before(self, scores: Tensor) -> Tensor:
        """Scores of the tokens that numbers are made of, to be kept from other rules, float32 [n, k]."""
        return scores[:, torch.from_numpy(self._ids).to(scores.device)]

    def forbid(self, scores: Tensor, before: Tensor, tokens: IntArray, prefixes: IntArray) -> None:
        """Sets scores to minus infinity where a number would come about that is not allowed.

        Args:
            scores: Log-probabilities after all other rules, float32 [n, v].
            before: See `before`.
            tokens: Texts so far, int64 [n, t].
            prefixes: Row of the prefix that each text stands after, int64 [n].
        """
        ids = torch.from_numpy(self._ids).to(scores.device)
        for row, (text, prefix) in enumerate(zip(tokens.tolist(), prefixes.tolist(), strict=True)):
            complete, going_on = self._next(prefix, "".join(self._pieces.texts[token] for token in text))
            own = scores[row, ids] if complete else before[row]
            if not complete:
                scores[row] = -torch.inf
            scores[row, ids] = own.masked_fill(~torch.from_numpy(going_on).to(scores.device), -torch.inf)

    def _next(self, prefix: int, text: str) -> tuple[bool, npt.NDArray[np.bool_]]:
        """Whether a text may end or go on with a word, and which of `_ids` may follow, bool [k]."""
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
    """Whether all numbers of a text are allowed, and the one at its end is or can become so."""
    for number in NUMBER.finditer(text):
        rest = text[number.end() :]
        stands = number.group() in allowed
        if not rest or rest in _SIGNS:
            stands = stands or number.group() + rest in beginnings
        if not stands:
            return False
    return True
