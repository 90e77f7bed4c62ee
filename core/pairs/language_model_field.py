"""What scorers that ask a language model have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from core.models.language_models.language_model import language_models
from core.pairs.scorer import PreparedScorer
from core.similarities import Float32Array, IntArray

LANGUAGE_MODEL: Final[Mapping[str, Any]] = MappingProxyType(
    {"help": "name or signature of a language model", "label": "Language model"}
)
"""What a recipe says of its field `language_model`."""

_ROWS = 64


def completed(language_model: str) -> str:
    """The full signature of a language model.

    Raises:
        UnknownNameError: No language model has that name.
        InputError: An unknown parameter, or a value out of range.
    """
    return language_models.signature(language_models.parse(language_model))


def once_each(
    ask: Callable[[IntArray, IntArray], Float32Array], left: IntArray, right: IntArray
) -> Float32Array:
    """Scores of pairs by a symmetric function that is asked once for each pair, whatever its order.

    Rounding depends on what is computed side by side, so this is also what makes both orders of a
    pair exactly equal.

    Args:
        ask: (left, right), both int64 [k], to float32 [k].
        left: Rows of headlines, int64 [m].
        right: Rows of headlines, int64 [m].

    Returns:
        float32 [m].
    """
    if not len(left):
        return np.empty(0, dtype=np.float32)
    ends = np.stack([np.minimum(left, right), np.maximum(left, right)])
    asked, place = np.unique(ends, axis=1, return_inverse=True)
    return ask(asked[0], asked[1])[place.ravel()]


def every_pair(scorer: PreparedScorer, size: int, rows: slice, columns: slice) -> Float32Array:
    """Scores of two ranges of n headlines through a scorer's `pairs`, float32 [rows, columns].

    Args:
        scorer: Any.
        size: n.
        rows: Range of headlines.
        columns: Range of headlines.
    """
    across = np.arange(size, dtype=np.int64)[columns]
    down = np.arange(size, dtype=np.int64)[rows]
    result = np.empty((len(down), len(across)), dtype=np.float32)
    for start in range(0, len(down), _ROWS):
        some = down[start : start + _ROWS]
        scores = scorer.pairs(np.repeat(some, len(across)), np.tile(across, len(some)))
        result[start : start + _ROWS] = scores.reshape(len(some), len(across))
    return result
