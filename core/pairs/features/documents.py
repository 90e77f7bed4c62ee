"""What a document is to scorers that may read articles: the headline, then the beginning of its article."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from core.pairs.scorer import Need, PairContext

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
