"""The samples that ship with the project, each in its folder with its card."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core import files
from core.data.timelines.load import load_path
from core.data.timelines.timeline import Timeline
from core.errors import DataSourceError, UnknownNameError

FOLDER = files.ROOT / "samples"
DEFAULT = "iss"
PREFIX = "sample:"
"""What stands before a sample's name where a file could stand."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The card of a sample.

    Attributes:
        name: Short name.
        title: Name for people.
        description: What it is and what it is good for, in a sentence or two.
        source: Where it comes from.
        licence: As the source states it.
        rows: How many headlines.
        language: ISO 639-1 code.
        file: Name of the data file.
        format: Name of its format.
    """

    name: str
    title: str
    description: str
    source: str
    licence: str
    rows: int
    language: str
    file: str
    format: str

    @property
    def path(self) -> Path:
        """The data file."""
        return FOLDER / self.name / self.file


@lru_cache(maxsize=1)
def _cards() -> dict[str, Sample]:
    cards: dict[str, Sample] = {}
    for path in sorted(FOLDER.glob("*/sample.json")):
        cards[path.parent.name] = Sample(
            name=path.parent.name, **json.loads(path.read_text(encoding="utf-8"))
        )
    if not cards:
        raise DataSourceError(
            f"The folder {FOLDER} holds no samples.", hint="Restore it from the repository."
        )
    return cards


def names() -> list[str]:
    """Names of the samples, the default one first."""
    return sorted(_cards(), key=lambda name: (name != DEFAULT, name))


def info(name: str) -> Sample:
    """The card of a sample.

    Raises:
        UnknownNameError: There is no such sample.
    """
    if name not in _cards():
        raise UnknownNameError(
            f"There is no sample called {name[:40]!r}.", hint=f"Choose one of: {', '.join(names())}."
        )
    return _cards()[name]


def load_sample(name: str = DEFAULT) -> Timeline:
    """Loads a sample.

    Raises:
        UnknownNameError: There is no such sample.
        DataSourceError: Its file is gone.
    """
    card = info(name)
    return load_path(card.path, format=card.format, name=card.title)
