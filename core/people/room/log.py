"""Where the entries of rooms are stored, as `core.journal.journal.Journal` stores them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from core.journal.entry import Entry, NewEntry


class RoomLog(Protocol):
    """What rooms need of a journal."""

    def append(self, stream: str, entries: Iterable[NewEntry]) -> tuple[Entry, ...]:
        """Stores entries, all or none; one whose id is there is not stored again."""

    def read(self, stream: str) -> tuple[Entry, ...]:
        """The entries of a stream, in their order; the same objects as before as long as none is removed."""

    def streams(self, prefix: str) -> Mapping[str, int]:
        """The streams whose names begin so, the one that was appended to last first."""
