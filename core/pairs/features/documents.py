"""What a document is to scorers that may read articles: the headline, then the beginning of its article."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from core.pairs.scorer import Need, PairContext
from core.similarities import Float32Array

CHARACTERS: Final[Mapping[str, Any]] = MappingProxyType(
    {"help": "characters of each article that are read after its headline", "low": 0, "high": 20_000}
)
"""What a scorer says of its field `characters`; with 0 the headline is read alone."""


def documents(context: PairContext, characters: int) -> list[str]:
    """Each headline, followed by the first characters of its article."""
    if characters == 0:
        return list(context.texts)
    return [
        f"{text}. {body[:characters]}" if body else text
        for text, body in zip(context.texts, context.bodies or [""] * len(context), strict=True)
    ]


def reads(characters: int) -> frozenset[Need]:
    """Articles, if any of their characters are read."""
    return frozenset({Need.BODIES}) if characters else frozenset()


def unit_rows(rows: Float32Array) -> Float32Array:
    """Rows of length 1, float32; a row of zeros stays as it is."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    divided: Float32Array = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return divided
