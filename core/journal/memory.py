"""What this process has read of each stream, so that only new entries are read again."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from core.errors import DataSourceError
from core.journal.database import Database
from core.journal.entry import Entry
from core.journal.tables import ENTRIES, RECEIPTS

_MOST_STREAMS: Final = 1_000

Entries = tuple[Entry, ...]


@dataclass(slots=True)
class StreamMemory:
    """Entries by database and stream; those read longest ago are forgotten first.

    Entries never change, so what was read stays true until entries are removed; each removal leaves a
    receipt, and its number is compared at every look.
    """

    _known: OrderedDict[object, tuple[int, Entries]] = field(default_factory=OrderedDict)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def read(self, database: Database, stream: str) -> Entries:
        """All entries of a stream, in their order."""
        key = (database.place, database.identity, stream)
        with self._turn:
            before, known = self._known.get(key, (0, ()))
        with database.reading() as connection:
            if connection is None:
                return ()
            removals = connection.execute(sa.select(sa.func.max(RECEIPTS.c.number))).scalar() or 0
            known = known if removals == before else ()
            last = known[-1].sequence if known else 0
            asked = sa.select(ENTRIES).where(ENTRIES.c.stream == stream, ENTRIES.c.sequence > last)
            rows = connection.execute(asked.order_by(ENTRIES.c.sequence)).mappings().all()
        found = (*known, *map(entry_of, rows)) if rows else known
        with self._turn:
            self._known[key] = removals, found
            self._known.move_to_end(key)
            while len(self._known) > _MOST_STREAMS:
                self._known.popitem(last=False)
        return found


def entry_of(row: Any) -> Entry:
    """The entry in a row of the table."""
    try:
        body, when = json.loads(row["body"]), datetime.fromisoformat(row["time"])
        if not isinstance(body, dict):
            raise ValueError
    except (ValueError, RecursionError):
        raise DataSourceError(
            f"Entry {row['sequence']} of the database is damaged.",
            hint="Bring back a backup with `headline-lab restore`.",
        ) from None
    names = ("sequence", "stream", "id", "kind", "who")
    return Entry(**{name: row[name] for name in names}, when=when, body=body)
