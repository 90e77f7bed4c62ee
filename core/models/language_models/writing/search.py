"""Which texts are followed: what greedy decoding, drawing and beam search have in common.

Imports torch; it is imported inside functions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from torch import Tensor

from core.similarities import IntArray


@dataclass(frozen=True, slots=True)
class Found:
    """A text of one prefix.

    Attributes:
        tokens: Without the end.
        score: See `Decoding.length_penalty`.
        ended: The model ended it.
    """

    tokens: tuple[int, ...]
    score: float
    ended: bool


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """The tokens that the model reads next.

    Attributes:
        keep: Prefixes that go on, as places among those of the last move, ascending, int64 [a].
        parents: The text that each token goes on, as its place among those of the last move, int64 [a, k].
        tokens: int64 [a, k].
    """

    keep: IntArray
    parents: IntArray
    tokens: IntArray


class Search(Protocol):
    """A search over the texts of several prefixes."""

    def advance(self, logits: Tensor) -> Move:
        """Chooses the next tokens.

        Args:
            logits: Of the tokens of the last move, [a, k, v]; [prefixes, 1, v] in the beginning.

        Returns:
            Without a prefix when all texts are written.
        """
        ...

    def found(self) -> list[list[Found]]:
        """The texts of each prefix, best first, of different tokens."""
        ...


def score(total: float, length: int, penalty: float) -> float:
    """Log-likelihood of `length` tokens over their number to the power of the penalty."""
    return min(0.0, total / math.pow(max(1, length), penalty))


def distinct(found: list[Found], most: int) -> list[Found]:
    """The best texts, each once."""
    best: dict[tuple[int, ...], Found] = {}
    for one in sorted(found, key=lambda one: -one.score):
        best.setdefault(one.tokens, one)
    return list(best.values())[:most]


def all_of(count: int) -> IntArray:
    """0, 1, …, count - 1."""
    return np.arange(count, dtype=np.int64)


def nothing() -> Move:
    """The move after which all texts are written."""
    empty = np.empty((0, 0), dtype=np.int64)
    return Move(all_of(0), empty, empty)
