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
from core.journal import chain, linked_rows
from core.journal.database import Database
from core.journal.database_errors import READ, SAVE, explained, is_cut_off
from core.journal.entries import LONGEST_NAME, Entry, NewEntry
from core.journal.losses import LOSSES
from core.journal.opening import default_url, open_database
from core.journal.tables import ENTRIES, HEADS, ORIGIN, RECEIPTS

_MOST_STREAMS: Final = 1_000
Entries = tuple[Entry, ...]
_KNOWN: Final[OrderedDict[object, tuple[int, chain.End, Entries]]] = OrderedDict()
"""Entries by database and stream, with how it ends; those read longest ago are forgotten first. What was
read stays true until entries are removed: each removal leaves a receipt, and its number is compared at every
look."""
_TURN: Final = threading.Lock()
_STATE: Final = sa.text(
    "SELECT (SELECT max(number) FROM receipts), heads.last, heads.digest"
    " FROM (SELECT 1) AS one LEFT JOIN heads ON heads.stream = :stream"
)
_NEWER: Final = sa.text("SELECT * FROM entries WHERE stream = :stream AND sequence > :last ORDER BY sequence")
"""As text, which needs no building: they run at each look, of forty people in one moment."""
_AT_ONCE: Final = 500  # ids that one query asks for
_PAUSES: Final = (0.1, 0.5, 2.0)  # seconds before each further try where a connection was cut off
T = TypeVar("T")


def checked_name(name: str, what: str) -> str:
    """A stream, kind, person or id that every database can hold."""
    if len(name) > LONGEST_NAME:
        message = f"The {what} has {len(name):,} characters; at most {LONGEST_NAME} are stored."
        raise InputError(message, hint="Shorten it.")
    if "\0" in name or name != name.encode("utf-8", errors="replace").decode("utf-8"):
        raise InputError(f"The {what} {name!r} holds characters that are no text.", hint="Type it again.")
    return name


def _read(database: Database, stream: str) -> Entries:
    with database.reading() as connection:
        return () if connection is None else _checked(connection, database, stream)


def _checked(connection: sa.Connection, database: Database, stream: str) -> Entries:
    key = (database.place, database.identity, stream)
    with _TURN:
        before, end, known = _KNOWN.get(key, (0, chain.NOTHING, ()))
    removals, last, digest = connection.execute(_STATE, {"stream": stream}).one()
    if (removals or 0) != before:
        end, known = chain.NOTHING, ()
    if not known or end != (last, digest):
        rows = connection.execute(_NEWER, {"stream": stream, "last": end[0]}).mappings().all()
        end, fault = chain.followed(rows, stream, end, (last or 0, digest or ""))
        if fault:
            raise damaged(fault)
        known = (*known, *map(entry_of, rows))
    with _TURN:
        _KNOWN[key] = removals or 0, end, known
        _KNOWN.move_to_end(key)
        while len(_KNOWN) > _MOST_STREAMS:
            _KNOWN.popitem(last=False)
    return known


def damaged(fault: str) -> DataSourceError:
    return DataSourceError(
        f"{fault.removesuffix('.')}.",
        hint="`headline-lab verify` lists all that is damaged. Move the database away and bring back a"
        " backup with `headline-lab restore`.",
    )


def entry_of(row: Any) -> Entry:
    try:
        body, when = json.loads(row["body"]), datetime.fromisoformat(row["time"])
        if not isinstance(body, dict):
            raise ValueError
    except (ValueError, RecursionError):
        raise damaged(chain.entry_fault(row)) from None
    names = ("sequence", "stream", "id", "kind", "who")
    return Entry(**{name: row[name] for name in names}, when=when, body=body)


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
        database = open_database(self.url)
        with explained(database.place, SAVE):
            return tuple(_patiently(lambda: _stored(database, stream, new)))

    def read(self, stream: str, *, after: int = 0) -> tuple[Entry, ...]:
        """The entries of a stream past a sequence, in order. Only what is new is read from the database."""
        database = open_database(self.url)
        with explained(database.place, READ):
            entries = _patiently(lambda: _read(database, stream))
        return entries[bisect_right(entries, after, key=lambda entry: entry.sequence) :] if after else entries

    def streams(self, prefix: str = "") -> dict[str, int]:
        """The streams whose names begin so, with the sequence of their last entry; the latest first."""
        fits = (ENTRIES.c.sequence == HEADS.c.last) & (ENTRIES.c.stream == HEADS.c.stream)
        asked = sa.select(HEADS.c.stream, HEADS.c.last, ENTRIES.c.digest == HEADS.c.digest)
        asked = asked.join(ENTRIES, fits, isouter=True).where(begins(prefix, HEADS))
        rows = self._ask(asked.order_by(HEADS.c.last.desc()))
        for stream, _, whole in rows:
            if not whole:
                raise damaged(chain.end_fault(stream))
        return {str(stream): int(last) for stream, last, _ in rows}

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
        entries = (entry for stream in self.streams(prefix) for entry in self.read(stream))
        return tuple(sorted({entry.who for entry in entries} - {""}))

    def restoring(self) -> bool:
        database = open_database(self.url)
        with explained(database.place, READ):
            return database.restoring

    def receipts(self, *, after: int = 0) -> dict[int, dict[str, Any]]:
        """What removals and restorations say of themselves, by their numbers, oldest first."""
        anchor = sa.select(ORIGIN.c.id).scalar_subquery().label("origin")
        asked = sa.select(RECEIPTS, anchor).where(RECEIPTS.c.number >= after).order_by(RECEIPTS.c.number)
        before, bodies = None, {}
        for row in (found._mapping for found in self._ask(asked)):
            if row["number"] > after:
                if row["digest"] != chain.receipt_digest(before or row["origin"], row):
                    raise damaged(chain.receipt_fault(row))
                bodies[int(row["number"])] = json.loads(row["body"])
            before = row["digest"]
        return bodies

    def _ask(self, asked: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        database = open_database(self.url)

        def rows() -> Sequence[sa.Row[Any]]:
            with database.reading() as connection:
                return () if connection is None else connection.execute(asked).all()

        with explained(database.place, READ):
            return _patiently(rows)


def begins(prefix: str, table: sa.Table = ENTRIES) -> sa.ColumnElement[bool]:
    return sa.func.substr(table.c.stream, 1, len(prefix)) == prefix


def the_journal() -> Journal:
    return Journal(default_url())


def _text(body: Mapping[str, Any]) -> str:
    return json.dumps(body, allow_nan=False, sort_keys=True, separators=(",", ":"))


def _row(stream: str, entry: NewEntry) -> dict[str, str]:
    text = _text(entry.body)
    most = limits.ENTRY_CHARACTERS.value
    if len(text) > most:
        message = f"An entry of {len(text):,} characters cannot be stored; at most {most:,} are."
        raise InputError(message, hint=f"Answer in fewer words, or raise {limits.ENTRY_CHARACTERS.variable}.")
    return {
        "stream": stream,
        "id": checked_name(entry.id, "id"),
        "kind": checked_name(entry.kind, "kind"),
        "who": checked_name(entry.who, "name"),
        "time": entry.when.astimezone(UTC).isoformat(timespec="microseconds"),
        "body": text,
    }


def _stored(database: Database, stream: str, new: Sequence[dict[str, str]]) -> list[Entry]:
    with database.writing() as connection:
        # One statement less for what people do by far the most: others wait for their turn meanwhile.
        if len(new) == 1 and (added := linked_rows.add(connection, new)):
            return [entry_of(added[0])]
        ids = _known(connection, stream, [row["id"] for row in new])
        known = {entry.id: entry for entry in _checked(connection, database, stream)} if ids else {}
        if ids - known.keys():
            raise damaged(chain.end_fault(stream))
        missing = {row["id"]: row for row in reversed(new) if row["id"] not in known}
        if missing:
            added = linked_rows.add(connection, list(reversed(missing.values())))
            known |= {row["id"]: entry_of(row) for row in added}
        stored = [known[row["id"]] for row in new]
        for row, entry in zip(new, stored, strict=True):
            if (entry.kind, entry.who, _text(entry.body)) != (row["kind"], row["who"], row["body"]):
                message = "Something else was stored under this id before."
                raise InputError(message, hint="Reload the page, then try again.")
    return stored


def _known(connection: sa.Connection, stream: str, ids: Sequence[str]) -> set[str]:
    known = set[str]()
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        asked = sa.select(ENTRIES.c.id).where(ENTRIES.c.stream == stream, ENTRIES.c.id.in_(some))
        known.update(connection.execute(asked).scalars())
    return known


def _patiently(work: Callable[[], T]) -> T:
    for pause in _PAUSES:
        try:
            return work()
        except exc.SQLAlchemyError as error:
            if not is_cut_off(error):
                raise
        time.sleep(pause)
    return work()
