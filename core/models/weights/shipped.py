"""The weights that were trained with this program and come with it, each with its card beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core import files

SHIPPED: Final = files.ROOT / "models"
"""One folder a model; README.md in it is its card."""

_CARD = re.compile(
    r"(?:---\n.*?\n---\n)?\s*# [^\n]+\n+(?P<about>[^\n]+)\n.*^## Licence\n+(?P<licence>[^\n]+)",
    re.DOTALL | re.MULTILINE,
)
_SENTENCE = re.compile(r".+?\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class ShippedWeights:
    """What the card of a model says.

    Attributes:
        name: Of its folder.
        about: What it does, a sentence.
        licence: Of the weights.
        megabytes: Of the whole folder.
    """

    name: str
    about: str
    licence: str
    megabytes: float


def shipped_weights() -> tuple[ShippedWeights, ...]:
    """All that are there, by name; a folder without a card in the usual form is passed over."""
    return tuple(found for folder in sorted(SHIPPED.glob("*/")) if (found := _read(folder)) is not None)


def _read(folder: Path) -> ShippedWeights | None:
    try:
        card = _CARD.match((folder / "README.md").read_text(encoding="utf-8"))
        size = sum(file.stat().st_size for file in folder.iterdir())
    except OSError:
        return None
    if card is None:
        return None
    return ShippedWeights(folder.name, _first(card["about"]), _first(card["licence"]), size / 1e6)


def _first(text: str) -> str:
    """The first sentence, without its stop and signs of markdown."""
    found = _SENTENCE.match(text)
    return (found[0] if found else text).rstrip(".").replace("`", "")
