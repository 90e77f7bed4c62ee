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
    name: str
    title: str
    description: str
    source: str
    licence: str
    language: str
    file: str
    format: str = ""
    rows: int = 0

    @property
    def path(self) -> Path:
        return FOLDER / self.name / self.file


@lru_cache(maxsize=2)
def cards(file: str = "sample.json", default: str = DEFAULT) -> dict[str, Sample]:
    """The cards of all samples of one kind, the default one first."""
    found = {
        path.parent.name: Sample(path.parent.name, **json.loads(path.read_text(encoding="utf-8")))
        for path in FOLDER.glob(f"*/{file}")
    }
    if not found:
        raise DataSourceError(
            f"The folder {FOLDER} holds no samples.", hint="Restore it from the repository."
        )
    return dict(sorted(found.items(), key=lambda one: (one[0] != default, one[0])))


def named(name: str, known: dict[str, Sample]) -> Sample:
    if name not in known:
        raise UnknownNameError(
            f"There is no sample called {name[:40]!r}.", hint=f"Choose one of: {', '.join(known)}."
        )
    return known[name]


def names() -> list[str]:
    """Names of the timelines, the default one first."""
    return list(cards())


def info(name: str) -> Sample:
    return named(name, cards())


def load_sample(name: str = DEFAULT) -> Timeline:
    card = info(name)
    return load_path(card.path, format=card.format, name=card.title)
