"""The models the program knows by name: licence, source, size, speed, and what each is for."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from core import files
from core.errors import UnknownNameError

SHIPPED: Final = files.ROOT / "models"  # one folder a model; README.md in it is its card

_CARD = re.compile(
    r"(?:---\n.*?\n---\n)?\s*# [^\n]+\n+(?P<about>[^\n]+)\n.*^## Licence\n+(?P<licence>[^\n]+)",
    re.DOTALL | re.MULTILINE,
)
_SENTENCE = re.compile(r".+?\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class ShippedWeights:
    name: str
    about: str
    licence: str
    megabytes: float


def shipped_weights() -> tuple[ShippedWeights, ...]:
    """All that are there, by name; a folder without a card in the usual form is passed over."""
    return tuple(weights for folder in sorted(SHIPPED.glob("*/")) if (weights := _read(folder)) is not None)


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
    sentence = _SENTENCE.match(text)
    return (sentence[0] if sentence else text).rstrip(".").replace("`", "")


@dataclass(frozen=True, slots=True)
class Package:
    distribution: str
    module: str
    folder: str
    command: str = ""
    python: str = ""

    @property
    def installed_by(self) -> str:
        """The command that installs it, and with which Python where not every one will do."""
        command = f"`{self.command or f'pip install {self.distribution}'}`"
        older = f" with Python {self.python} or older: newer ones have no build"
        return f"{command}{older if self.python else ''}"


@dataclass(frozen=True, slots=True)
class KnownModel:
    name: str
    title: str
    licence: str
    source: Package | Path  # what carries it: an installed package, or a folder on this machine
    languages: tuple[str, ...]
    dimensions: int
    megabytes: int
    speed: str
    what_for: str


@cache
def cards() -> tuple[KnownModel, ...]:
    known = []
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    for card in tomllib.loads(text)["models"]:
        package, languages = card.pop("package", None), tuple(card.pop("languages").split())
        source = Package(**package) if package else SHIPPED / card["name"]
        known.append(KnownModel(**card, languages=languages, source=source))
    return tuple(known)


def card(name: str) -> KnownModel:
    for known in cards():
        if known.name == name:
            return known
    hint = f"Choose one of: {', '.join(c.name for c in cards())}; or give a folder or a hub id."
    raise UnknownNameError(f"There is no model called {name!r}.", hint=hint)
