"""Appends entries and reads them; all that others need of this package."""

from __future__ import annotations

import json
import threading
import time
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.dialects import postgresql, sqlite

from core.errors import DataSourceError, InputError
from core.journal.database import (
    ENTRIES,
    READ,
    RECEIPTS,
    SAVE,
    Database,
    default_url,
    explained,
    is_cut_off,
    opened,
)
from core.journal.entry import Entry, NewEntry, body_text, checked_name

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


_AT_ONCE: Final = 500
"""Ids that one query asks for."""
_PAUSES: Final = (0.1, 0.5, 2.0)
"""Seconds before each further try where a connection was cut off."""
_MEMORY: Final = StreamMemory()

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Journal:
    """All entries of a database. It holds no connection, and may be made anew at each use."""

    url: str

    def append(self, stream: str, entries: Iterable[NewEntry]) -> tuple[Entry, ...]:
        """Stores entries, all or none; they are on the disk when this returns.

        Args:
            stream: What they are about: a subject, a stroke and an id, as in "corrections/5f0e".
            entries: In their order.

        Returns:
            The stored entries in the same order; for an id that the stream has already, that entry.

        Raises:
            InputError: A text or body is too long, or an id stands for another entry already.
            DataSourceError: They cannot be stored; the journal is as it was.
        """
        new = [_row(checked_name(stream, "stream"), entry) for entry in entries]
        if not new:
            return ()
        database = opened(self.url)
        with explained(database.place, SAVE):
            stored = _patiently(lambda: _stored(database, stream, new))
        return tuple(map(entry_of, stored))

    def read(self, stream: str, *, after: int = 0) -> tuple[Entry, ...]:
        """The entries of a stream, in their order. Only what is new is read from the database.

        Args:
            stream: As it was appended to.
            after: Only entries with a higher sequence.

        Raises:
            DataSourceError: The database cannot be read.
        """
        database = opened(self.url)
        with explained(database.place, READ):
            found = _patiently(lambda: _MEMORY.read(database, stream))
        return found[bisect_right(found, after, key=lambda entry: entry.sequence) :] if after else found

    def streams(self, prefix: str = "") -> dict[str, int]:
        """The streams whose names begin with some text, the one that was appended to last first.

        Returns:
            The sequence of the last entry of each.

        Raises:
            DataSourceError: The database cannot be read.
        """
        last = sa.func.max(ENTRIES.c.sequence)
        asked = sa.select(ENTRIES.c.stream, last).where(_begins(prefix)).group_by(ENTRIES.c.stream)
        return {str(stream): int(sequence) for stream, sequence in self._ask(asked.order_by(last.desc()))}

    def people(self, prefix: str = "") -> tuple[str, ...]:
        """Everybody who appended to streams whose names begin with some text, in the order of the alphabet.

        Raises:
            DataSourceError: The database cannot be read.
        """
        asked = sa.select(ENTRIES.c.who).where(_begins(prefix), ENTRIES.c.who != "").distinct()
        return tuple(sorted(str(who) for (who,) in self._ask(asked)))

    def receipts(self, *, after: int = 0) -> dict[int, dict[str, Any]]:
        """What removals and restorations say of themselves, by their numbers, oldest first."""
        asked = sa.select(RECEIPTS.c.number, RECEIPTS.c.body).where(RECEIPTS.c.number > after)
        return {
            int(number): json.loads(body) for number, body in self._ask(asked.order_by(RECEIPTS.c.number))
        }

    def _ask(self, asked: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        database = opened(self.url)

        def found() -> Sequence[sa.Row[Any]]:
            with database.reading() as connection:
                return () if connection is None else connection.execute(asked).all()

        with explained(database.place, READ):
            return _patiently(found)


def _begins(prefix: str) -> sa.ColumnElement[bool]:
    return sa.func.substr(ENTRIES.c.stream, 1, len(prefix)) == prefix


def the_journal() -> Journal:
    return Journal(default_url())


def _row(stream: str, entry: NewEntry) -> dict[str, str]:
    return {
        "stream": stream,
        "id": checked_name(entry.id, "id"),
        "kind": checked_name(entry.kind, "kind"),
        "who": checked_name(entry.who, "name"),
        "time": entry.when.astimezone(UTC).isoformat(timespec="microseconds"),
        "body": body_text(entry.body),
    }


def _stored(database: Database, stream: str, new: Sequence[dict[str, str]]) -> list[Mapping[str, Any]]:
    with database.writing() as connection:
        if len(new) == 1:
            # One statement for what people do by far the most: others wait for their turn meanwhile.
            insert = postgresql.insert if database.file is None else sqlite.insert
            once = insert(ENTRIES).values(new[0]).on_conflict_do_nothing(index_elements=["stream", "id"])
            added = connection.execute(once.returning(ENTRIES)).mappings().first()
            if added is not None:
                return [{**added}]
        known = _known(connection, stream, [row["id"] for row in new])
        missing = {row["id"]: row for row in reversed(new) if row["id"] not in known}
        if missing:
            connection.execute(sa.insert(ENTRIES), list(reversed(missing.values())))
            known |= _known(connection, stream, list(missing))
        stored = [known[row["id"]] for row in new]
        for row, found in zip(new, stored, strict=True):
            if any(found[name] != row[name] for name in ("kind", "who", "body")):
                raise InputError(
                    "Something else was stored under this id before.", hint="Reload the page, then try again."
                )
    return stored


def _known(connection: sa.Connection, stream: str, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        asked = sa.select(ENTRIES).where(ENTRIES.c.stream == stream, ENTRIES.c.id.in_(some))
        found |= {row["id"]: row for row in connection.execute(asked).mappings()}
    return found


def _patiently(work: Callable[[], T]) -> T:
    for pause in _PAUSES:
        try:
            return work()
        except exc.SQLAlchemyError as error:
            if not is_cut_off(error):
                raise
        time.sleep(pause)
    return work()
