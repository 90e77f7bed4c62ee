"""Every pair set that has a place of its own: is it here, how big is it, what is missing?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.data.pair_sets.files import SAMPLES
from core.data.pair_sets.given_pairs import GivenPairs
from core.data.pair_sets.load import sets_by_name
from core.errors import CoreError, DataSourceError


@dataclass(frozen=True, slots=True)
class Entry:
    """A pair set on the shelf.

    Attributes:
        name: Registered name with its version, or that of a kept file.
        summary: One line.
        licence: As its source states it.
        path: Where it is, None where it is missing.
        ships: It is part of the project.
        own: It is a file that was added.
        pairs, headlines: Its size, 0 where it cannot be read.
        missing: Why it cannot be read and what to do, "" where it can.
    """

    name: str
    summary: str
    licence: str
    path: Path | None
    ships: bool
    own: bool
    pairs: int
    headlines: int
    missing: str


def shelf() -> list[Entry]:
    """The pair sets that are found without a path, one's own first, then those that ship."""
    entries = []
    for name, source in sets_by_name().items():
        path, missing, pairs, headlines = source.find(), "", 0, 0
        try:
            found = source.load()
            pairs, headlines = len(found), len(found.texts)
        except DataSourceError as error:
            path, missing = None, str(error)
        except CoreError as error:
            missing = str(error)
        ships = path is not None and path.is_relative_to(SAMPLES)
        own = isinstance(source, GivenPairs)
        entries.append(
            Entry(name, source.summary, source.licence, path, ships, own, pairs, headlines, missing)
        )
    return sorted(entries, key=lambda one: (not one.own, not one.ships, bool(one.missing), one.name))
