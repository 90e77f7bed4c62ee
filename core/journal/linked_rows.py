"""Rows stored in the tables, each linked to the one before it."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final

import sqlalchemy as sa

from core.journal.chain import Contents, linked, receipt_digest
from core.journal.tables import ENTRIES, HEADS, ORIGIN, RECEIPTS, Row

ADDED: Final = "added"  # in a connection's notes: how far the database has come with what was just added
_AT_ONCE: Final = 1_000

_STATE: Final = {
    "sqlite": "SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'entries'), 0), :past),"
    " (SELECT digest FROM heads WHERE stream = :stream), user_version,"
    " coalesce((SELECT max(number) FROM receipts), 0) FROM pragma_user_version",
    "postgresql": "SELECT given, (SELECT digest FROM heads WHERE stream = %(stream)s),"
    " setval(name, greatest(given + %(count)s, 1), given + %(count)s > 0)"
    " FROM (SELECT name, greatest(nextval(name) - 1, %(past)s) AS given"
    " FROM pg_get_serial_sequence('entries', 'sequence') AS name) AS numbers",
}
_HEAD: Final = (
    "INSERT INTO heads (stream, last, digest) VALUES (:stream, :sequence, :digest)"
    " ON CONFLICT (stream) DO UPDATE SET last = excluded.last, digest = excluded.digest"
)
_ENTRY: Final = (
    "INSERT INTO entries (sequence, stream, id, kind, who, time, body, digest) VALUES"
    " (:sequence, :stream, :id, :kind, :who, :time, :body, :digest) ON CONFLICT (stream, id) DO NOTHING"
)
"""As the driver takes them: they run with each answer, of forty people in one moment."""


@cache
def _statement(dialect: str, text: str) -> str:
    return text if dialect == "sqlite" else re.sub(r":(\w+)", r"%(\1)s", text)


def _run(connection: sa.Connection, text: str, given: Any) -> int:
    return connection.exec_driver_sql(_statement(connection.dialect.name, text), given).rowcount


def add(connection: sa.Connection, rows: Sequence[Row], past: int = 0) -> list[dict[str, Any]]:
    """Stores entries of one stream, with numbers past one; none where the only one is there already."""
    stream = rows[0]["stream"]
    given, before, *marks = _state(connection, stream, len(rows), past)
    numbered = ({**row, "sequence": number} for number, row in enumerate(rows, given + 1))
    new = list(linked(numbered, {stream: before or ""}))
    if not _run(connection, _ENTRY, new if len(new) > 1 else new[0]):
        return []
    _run(connection, _HEAD, new[-1])
    connection.info[ADDED] = (*marks[:1], new[-1]["sequence"], *marks[1:], new[-1]["sequence"])
    return new


def _state(connection: sa.Connection, stream: str, count: int, past: int) -> Sequence[Any]:
    """The last number given before so many are taken, how a stream ends; on SQLite its marks too."""
    dialect = connection.dialect.name
    asked = {"stream": stream, "past": past, "count": count}
    return connection.exec_driver_sql(_STATE[dialect], asked).one()


def last_number(connection: sa.Connection) -> int:
    return int(_state(connection, "", 0, 0)[0])


def replace(connection: sa.Connection, rows: Iterable[Row], past: int) -> None:
    """Puts entries, in their order, in the place of all that are there, with numbers past one."""
    rows = list(rows)
    given, *_ = _state(connection, "", len(rows), past)
    new = list(linked({**row, "sequence": number} for number, row in enumerate(rows, given + 1)))
    connection.execute(sa.delete(ENTRIES))
    for start in range(0, len(new), _AT_ONCE):
        connection.execute(sa.insert(ENTRIES), new[start : start + _AT_ONCE])
    set_heads(connection, new)


def set_heads(connection: sa.Connection, rows: Iterable[Row], streams: Sequence[str] | None = None) -> None:
    """Makes the last of the rows the heads of their streams; of all streams, or of some."""
    ends = {row["stream"]: dict(row) for row in rows}
    gone = sa.delete(HEADS)
    if streams is None:
        connection.execute(gone)
    elif streams:
        some = gone.where(HEADS.c.stream == sa.bindparam("gone"))
        connection.execute(some, [{"gone": name} for name in streams])
    if ends:
        _run(connection, _HEAD, list(ends.values()))


def add_receipts(connection: sa.Connection, rows: Iterable[Row]) -> None:
    newest = sa.select(RECEIPTS).order_by(RECEIPTS.c.number.desc()).limit(1)
    last = connection.execute(newest).mappings().first()
    number, before = (last["number"], last["digest"]) if last else (0, origin(connection))
    for row in rows:
        number += 1
        new = {"number": number, "time": row["time"], "body": row["body"]}
        before = receipt_digest(before, new)
        connection.execute(sa.insert(RECEIPTS).values(**new, digest=before))


def origin(connection: sa.Connection) -> str:
    return str(connection.execute(sa.select(ORIGIN.c.id)).scalar() or "")


def contents(connection: sa.Connection) -> Contents:
    every = sa.select(ENTRIES).order_by(ENTRIES.c.sequence), sa.select(RECEIPTS).order_by(RECEIPTS.c.number)
    entries, receipts = ([dict(row) for row in connection.execute(asked).mappings()] for asked in every)
    heads = {stream: (last, digest) for stream, last, digest in connection.execute(sa.select(HEADS))}
    return Contents(entries, receipts, heads, origin(connection))
