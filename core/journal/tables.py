"""The tables of the database."""

from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa

_NUMBER: Final = sa.BigInteger().with_variant(sa.Integer, "sqlite")
METADATA: Final = sa.MetaData()
ORIGIN: Final = sa.Table("origin", METADATA, sa.Column("id", sa.Text, primary_key=True))
"""One row: whose numbers those of the entries are, in backups that go to another database."""
Row = Mapping[Any, Any]  # as the library gives them, by names of columns


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
