"""The tables, and the digests that chain the entries of a stream: what does not fit is noticed."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Final

import sqlalchemy as sa

_NUMBER: Final = sa.BigInteger().with_variant(sa.Integer, "sqlite")

METADATA: Final = sa.MetaData()


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


ENTRIES: Final = sa.Table(
    "entries",
    METADATA,
    sa.Column("sequence", _NUMBER, primary_key=True, autoincrement=True),
    # The time is ISO 8601 in UTC: SQLite has no type for a time with its zone.
    *_texts("stream", "id", "kind", "who", "time", "body", "digest"),
    sa.UniqueConstraint("stream", "id", name="entries_once"),
    sa.Index("entries_of_stream", "stream", "sequence"),
    sqlite_autoincrement=True,
)
"""One row an entry. A number is never given twice, also when entries were removed."""

HEADS: Final = sa.Table(
    "heads",
    METADATA,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("last", _NUMBER, nullable=False),
    *_texts("digest"),
    sqlite_with_rowid=False,
)
"""The last entry of each stream: a chain does not say by itself that its end is missing."""

RECEIPTS: Final = sa.Table(
    "receipts",
    METADATA,
    sa.Column("number", _NUMBER, primary_key=True, autoincrement=True),
    *_texts("time", "body", "digest"),
    sqlite_autoincrement=True,
)
"""One row each time that entries were removed or replaced: what was read before is to be read again."""

ORIGIN: Final = sa.Table("origin", METADATA, sa.Column("id", sa.Text, primary_key=True))
"""One row: whose numbers those of the entries are, in backups that go to another database."""

Row = Mapping[Any, Any]  # as the library gives them, by names of columns
End = tuple[int, str]  # number and digest of the last entry of a stream
NOTHING: Final[End] = (0, "")  # how an empty stream ends

ADDED: Final = "added"  # in a connection's notes: how far the database has come with what was just added
_DIGITS: Final = 32
_AT_ONCE: Final = 1_000
_CELLS: Final = ("sequence", "stream", "id", "kind", "who", "time", "body")


def linked(rows: Iterable[Row], heads: Mapping[str, str] = {}) -> Iterator[dict[str, Any]]:
    """Entries in their order, each with a digest of itself and of the one before it in its stream."""
    before = {**heads}
    for row in rows:
        digest = before[row["stream"]] = digest_of(before.get(row["stream"], ""), row)
        yield {**row, "digest": digest}


def digest_of(before: str, row: Row, cells: Sequence[str] = _CELLS) -> str:
    # No cell holds the sign between them: names are checked, and JSON escapes it.
    said = "\0".join([before, *[str(row[name]) for name in cells]])
    return sha256(said.encode("utf-8", errors="surrogatepass")).hexdigest()[:_DIGITS]


def receipt_digest(before: str, row: Row) -> str:
    return digest_of(before, row, ("number", "time", "body"))


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
    """Runs a statement, once or for each of several; how many rows it stored."""
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
    """The last number that was given."""
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


def entry_fault(row: Row) -> str:
    return f"Entry {row['sequence']} of the database is damaged, or one before it in its stream is missing"


def receipt_fault(row: Row) -> str:
    return f"Receipt {row['number']} of the database is damaged, or one before it is missing"


def end_fault(stream: str) -> str:
    return f"The newest entries of {stream!r} are missing or damaged"


def followed(rows: Iterable[Row], stream: str, end: End, head: End) -> tuple[End, str]:
    """The end of a stream after further rows, and the first thing that does not fit; "" for nothing."""
    for row in rows:
        end = row["sequence"], digest_of(end[1], row)
        if (row["digest"], row["stream"]) != (end[1], stream):
            return end, entry_fault(row)
    return end, "" if end == head else end_fault(stream)


@dataclass(frozen=True, slots=True)
class Contents:
    """All rows, in the order of their numbers."""

    entries: Sequence[Row]
    receipts: Sequence[Row]
    heads: Mapping[str, End]
    origin: str

    def faults(self) -> Iterator[str]:
        """A sentence for each row that does not fit."""
        ends: dict[str, End] = {}
        for row in self.entries:
            stream = row["stream"]
            if row["digest"] != digest_of(ends.get(stream, NOTHING)[1], row):
                yield f"{entry_fault(row)}."
            ends[stream] = row["sequence"], row["digest"]
        # What follows a row that does not fit hangs on it as it stands: one turned bit is one finding.
        differ = [name for name in {**ends, **self.heads} if ends.get(name) != self.heads.get(name)]
        yield from (f"{end_fault(name)}." for name in differ)
        before = self.origin
        for row in self.receipts:
            if row["digest"] != receipt_digest(before, row):
                yield f"{receipt_fault(row)}."
            before = row["digest"]


def contents(connection: sa.Connection) -> Contents:
    every = sa.select(ENTRIES).order_by(ENTRIES.c.sequence), sa.select(RECEIPTS).order_by(RECEIPTS.c.number)
    entries, receipts = ([dict(row) for row in connection.execute(asked).mappings()] for asked in every)
    heads = {stream: (last, digest) for stream, last, digest in connection.execute(sa.select(HEADS))}
    return Contents(entries, receipts, heads, origin(connection))
