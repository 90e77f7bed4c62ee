"""Appends entries to a database, and reads them."""

import json
import threading
import time
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy import exc

from core import limits
from core.errors import DataSourceError, InputError
from core.journal.database import (
    ENTRIES,
    LOSSES,
    READ,
    RECEIPTS,
    SAVE,
    Database,
    default_url,
    explained,
    is_cut_off,
    opened,
)
from core.journal.entries import LONGEST_NAME, Entry, NewEntry


def checked_name(name: str, what: str) -> str:
    """A stream, kind, person or id that every database can hold."""
    if len(name) > LONGEST_NAME:
        raise InputError(
            f"The {what} has {len(name):,} characters; at most {LONGEST_NAME} are stored.", hint="Shorten it."
        )
    if "\0" in name or name != name.encode("utf-8", errors="replace").decode("utf-8"):
        raise InputError(f"The {what} {name!r} holds characters that are no text.", hint="Type it again.")
    return name


_MOST_STREAMS: Final = 1_000

Entries = tuple[Entry, ...]


_KNOWN: Final[OrderedDict[object, tuple[int, Entries]]] = OrderedDict()
"""Entries by database and stream; those read longest ago are forgotten first. What was read stays true until
entries are removed: each removal leaves a receipt, and its number is compared at every look."""
_TURN: Final = threading.Lock()


_REMOVALS: Final = sa.text("SELECT max(number) FROM receipts")
_NEWER: Final = sa.text("SELECT * FROM entries WHERE stream = :stream AND sequence > :last ORDER BY sequence")
_ONCE: Final = sa.text(
    "INSERT INTO entries (stream, id, kind, who, time, body) VALUES "
    "(:stream, :id, :kind, :who, :time, :body) ON CONFLICT (stream, id) DO NOTHING RETURNING *"
)
"""As text, which needs no building: they run at each look and answer, of forty people in one moment."""


def _read(database: Database, stream: str) -> Entries:
    key = (database.place, database.identity, stream)
    with _TURN:
        before, known = _KNOWN.get(key, (0, ()))
    with database.reading() as connection:
        if connection is None:
            return ()
        removals = connection.execute(_REMOVALS).scalar() or 0
        known = known if removals == before else ()
        last = known[-1].sequence if known else 0
        rows = connection.execute(_NEWER, {"stream": stream, "last": last}).mappings().all()
    entries = (*known, *map(entry_of, rows)) if rows else known
    with _TURN:
        _KNOWN[key] = removals, entries
        _KNOWN.move_to_end(key)
        while len(_KNOWN) > _MOST_STREAMS:
            _KNOWN.popitem(last=False)
    return entries


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


_AT_ONCE: Final = 500  # ids that one query asks for
_PAUSES: Final = (0.1, 0.5, 2.0)  # seconds before each further try where a connection was cut off

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Journal:
    """All entries of a database. It holds no connection, and may be made anew at each use."""

    url: str

    def append(self, stream: str, entries: Iterable[NewEntry]) -> tuple[Entry, ...]:
        """Stores entries, all or none, on the disk when this returns; for an id that is stored, that entry.

        A stream is what they are about: a subject, a stroke and an id, as in "corrections/5f0e".
        """
        new = [_row(checked_name(stream, "stream"), entry) for entry in entries]
        if not new:
            return ()
        database = opened(self.url)
        with explained(database.place, SAVE):
            stored = _patiently(lambda: _stored(database, stream, new))
        return tuple(map(entry_of, stored))

    def read(self, stream: str, *, after: int = 0) -> tuple[Entry, ...]:
        """The entries of a stream past a sequence, in order. Only what is new is read from the database."""
        database = opened(self.url)
        with explained(database.place, READ):
            entries = _patiently(lambda: _read(database, stream))
        return entries[bisect_right(entries, after, key=lambda entry: entry.sequence) :] if after else entries

    def streams(self, prefix: str = "") -> dict[str, int]:
        """The streams whose names begin so, with the sequence of their last entry; the latest first."""
        last = sa.func.max(ENTRIES.c.sequence)
        asked = sa.select(ENTRIES.c.stream, last).where(begins(prefix)).group_by(ENTRIES.c.stream)
        return {str(stream): int(sequence) for stream, sequence in self._ask(asked.order_by(last.desc()))}

    def losses(self) -> dict[datetime, tuple[int, int]]:
        """When it was noticed that the disk had lost the newest entries and removals, and how many."""
        return {entry.when: (entry.body["entries"], entry.body["removals"]) for entry in self.read(LOSSES)}

    def lost(self, since: datetime) -> str:
        """For people, what the disk has lost since a moment; "" where nothing."""
        new = [counts for when, counts in self.losses().items() if when >= since]
        entries, removals = (sum(counts[at] for counts in new) for at in (0, 1))
        said = f"The disk lost the newest answers, {entries:,} in number: give them again."
        again = "A removal on request was lost: repeat it with `headline-lab forget`."
        return " ".join([said] * bool(entries) + [again] * bool(removals))

    def people(self, prefix: str = "") -> tuple[str, ...]:
        """Everybody who appended to streams whose names begin so, in the order of the alphabet."""
        asked = sa.select(ENTRIES.c.who).where(begins(prefix), ENTRIES.c.who != "").distinct()
        return tuple(sorted(str(who) for (who,) in self._ask(asked)))

    def receipts(self, *, after: int = 0) -> dict[int, dict[str, Any]]:
        """What removals and restorations say of themselves, by their numbers, oldest first."""
        asked = sa.select(RECEIPTS.c.number, RECEIPTS.c.body).where(RECEIPTS.c.number > after)
        return {
            int(number): json.loads(body) for number, body in self._ask(asked.order_by(RECEIPTS.c.number))
        }

    def _ask(self, asked: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        database = opened(self.url)

        def rows() -> Sequence[sa.Row[Any]]:
            with database.reading() as connection:
                return () if connection is None else connection.execute(asked).all()

        with explained(database.place, READ):
            return _patiently(rows)


def begins(prefix: str) -> sa.ColumnElement[bool]:
    return sa.func.substr(ENTRIES.c.stream, 1, len(prefix)) == prefix


def the_journal() -> Journal:
    return Journal(default_url())


def _row(stream: str, entry: NewEntry) -> dict[str, str]:
    # A body as it is stored: JSON in ASCII, in one line.
    text = json.dumps(entry.body, allow_nan=False, sort_keys=True, separators=(",", ":"))
    most = limits.ENTRY_CHARACTERS.value
    if len(text) > most:
        raise InputError(
            f"An entry of {len(text):,} characters cannot be stored; at most {most:,} are.",
            hint=f"Answer in fewer words, or raise {limits.ENTRY_CHARACTERS.variable}.",
        )
    return {
        "stream": stream,
        "id": checked_name(entry.id, "id"),
        "kind": checked_name(entry.kind, "kind"),
        "who": checked_name(entry.who, "name"),
        "time": entry.when.astimezone(UTC).isoformat(timespec="microseconds"),
        "body": text,
    }


def _stored(database: Database, stream: str, new: Sequence[dict[str, str]]) -> list[Mapping[str, Any]]:
    with database.writing() as connection:
        if len(new) == 1:
            # One statement for what people do by far the most: others wait for their turn meanwhile.
            added = connection.execute(_ONCE, new[0]).mappings().first()
            if added is not None:
                return [{**added}]
        known = _known(connection, stream, [row["id"] for row in new])
        missing = {row["id"]: row for row in reversed(new) if row["id"] not in known}
        if missing:
            connection.execute(sa.insert(ENTRIES), list(reversed(missing.values())))
            known |= _known(connection, stream, list(missing))
        stored = [known[row["id"]] for row in new]
        for row, record in zip(new, stored, strict=True):
            if any(record[name] != row[name] for name in ("kind", "who", "body")):
                raise InputError(
                    "Something else was stored under this id before.", hint="Reload the page, then try again."
                )
    return stored


def _known(connection: sa.Connection, stream: str, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    rows: dict[str, Mapping[str, Any]] = {}
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        asked = sa.select(ENTRIES).where(ENTRIES.c.stream == stream, ENTRIES.c.id.in_(some))
        rows |= {row["id"]: row for row in connection.execute(asked).mappings()}
    return rows


def _patiently(work: Callable[[], T]) -> T:
    for pause in _PAUSES:
        try:
            return work()
        except exc.SQLAlchemyError as error:
            if not is_cut_off(error):
                raise
        time.sleep(pause)
    return work()
