"""Headlines with the beginnings of their articles."""

from typing import Final

from core.pairs.context import PairContext
from core.pairs.scorer import Need

_READ: Final = "characters of each article that are read after its headline"
CHARACTERS: Final = {"help": _READ, "low": 0, "high": 20_000}


def documents(context: PairContext, characters: int) -> list[str]:
    """Each headline, followed by the first characters of its article."""
    if characters == 0:
        return list(context.texts)
    both = zip(context.texts, context.bodies or [""] * len(context), strict=True)
    return [f"{text}. {body[:characters]}" if body else text for text, body in both]


def reads(characters: int) -> frozenset[Need]:
    return frozenset({Need.BODIES}) if characters else frozenset()
