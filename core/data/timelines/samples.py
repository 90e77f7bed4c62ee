"""The samples that ship."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core import files
from core.data.timelines import load, timeline
from core.errors import DataSourceError, UnknownNameError

FOLDER = files.ROOT / "samples"
DEFAULT = "iss"
PREFIX = "sample:"  # what stands before a sample's name where a file could stand


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
    days: Sequence[str] = ()  # the first and the last

    @property
    def path(self) -> Path:
        return FOLDER / self.name / self.file


@lru_cache(maxsize=2)
def cards(file: str = "sample.json", default: str = DEFAULT) -> dict[str, Sample]:
    """The cards of all samples of one kind, the default one first."""
    samples = {
        path.parent.name: Sample(path.parent.name, **json.loads(path.read_text(encoding="utf-8")))
        for path in FOLDER.glob(f"*/{file}")
    }
    if not samples:
        message = f"The folder {FOLDER} holds no samples."
        raise DataSourceError(message, hint="Restore it from the repository.")
    return dict(sorted(samples.items(), key=lambda card: (card[0] != default, card[0])))


def named(name: str, known: dict[str, Sample]) -> Sample:
    if name not in known:
        message = f"There is no sample called {name[:40]!r}."
        raise UnknownNameError(message, hint=f"Choose one of: {', '.join(known)}.")
    return known[name]


def names() -> list[str]:
    return list(cards())


def info(name: str) -> Sample:
    return named(name, cards())


def load_sample(name: str = DEFAULT) -> timeline.Timeline:
    card = info(name)
    return load.load_path(card.path, format=card.format, name=card.title)


def load_named(name: str) -> timeline.Timeline:
    """The sample of a name `sample:NAME`, or the file at a path."""
    return load_sample(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else load.load_path(name)
