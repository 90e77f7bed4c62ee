"""Every pair set that has a place of its own: is it here, how big is it, what is missing?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.errors import CoreError, DataSourceError
from core.pair_sets.files import SAMPLES
from core.pair_sets.given_pairs import GivenPairs
from core.pair_sets.pair_set import pair_sources
from core.pair_sets.timeline import TimelineFiles


@dataclass(frozen=True, slots=True)
class Entry:
    """A pair set on the shelf.

    Attributes:
        name: Registered name with its version.
        summary: One line.
        licence: As its source states it.
        path: Where it is, None where it is missing.
        ships: It is part of the project.
        pairs, headlines: Its size, 0 where it cannot be read.
        missing: Why it cannot be read and what to do, "" where it can.
    """

    name: str
    summary: str
    licence: str
    path: Path | None
    ships: bool
    pairs: int
    headlines: int
    missing: str


def shelf() -> list[Entry]:
    """The pair sets that are found without a path, those that ship first, then by name."""
    entries = []
    for name in pair_sources.names():
        source = pair_sources.parse(name)
        if isinstance(source, (TimelineFiles, GivenPairs)):
            continue  # they need a path
        path, missing, pairs, headlines = source.find(), "", 0, 0
        try:
            found = source.load()
            pairs, headlines = len(found), len(found.texts)
        except DataSourceError as error:
            path, missing = None, str(error)
        except CoreError as error:
            missing = str(error)
        ships = path is not None and path.is_relative_to(SAMPLES)
        entries.append(Entry(name, source.summary, source.licence, path, ships, pairs, headlines, missing))
    return sorted(entries, key=lambda entry: (not entry.ships, bool(entry.missing), entry.name))
