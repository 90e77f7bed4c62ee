"""The entries of rooms: what was done, by whom and when, one after the other, and never changed."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomEntry:
    """One thing that was done in a room.

    Attributes:
        id: Chosen by who wrote it; an entry that comes twice is stored once.
        kind: What was done (`core.people.room.state.RoomStep`).
        who: Id of the participant, or `core.people.room.state.TEACHER`.
        when: In UTC.
        body: What belongs to it, as JSON.
        sequence: Its number in the room, from 1; 0 before it is stored.
    """

    id: str
    kind: str
    who: str
    when: datetime
    body: Mapping[str, Any]
    sequence: int = 0


class RoomLog(Protocol):
    """Where entries are stored, a stream a room."""

    def append(self, stream: str, entries: Sequence[RoomEntry]) -> None:
        """Stores entries, all or none; those that are there already are not stored again."""

    def read(self, stream: str, *, after: int = 0) -> Sequence[RoomEntry]:
        """Entries with a higher number than `after`, in their order."""

    def streams(self, prefix: str) -> Sequence[str]:
        """Names of the streams that begin so and have entries."""


class MemoryLog:
    """Entries that end with the server."""

    def __init__(self) -> None:
        self._streams: dict[str, list[RoomEntry]] = {}
        self._lock = threading.Lock()

    def append(self, stream: str, entries: Sequence[RoomEntry]) -> None:
        """See `RoomLog`."""
        with self._lock:
            stored = self._streams.setdefault(stream, [])
            known = {entry.id for entry in stored}
            for entry in entries:
                if entry.id not in known:
                    known.add(entry.id)
                    stored.append(replace(entry, sequence=len(stored) + 1))

    def read(self, stream: str, *, after: int = 0) -> Sequence[RoomEntry]:
        """See `RoomLog`."""
        with self._lock:
            return tuple(self._streams.get(stream, ())[after:])

    def streams(self, prefix: str) -> Sequence[str]:
        """See `RoomLog`."""
        with self._lock:
            return tuple(name for name, stored in self._streams.items() if name.startswith(prefix) and stored)
