"""How a database holds entries; `migrations` makes the same tables step by step."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

REVISION: Final = "v0001"
"""Version of the tables that this program works with: the last of `migrations`."""

_NUMBER: Final = sa.BigInteger().with_variant(sa.Integer, "sqlite")

METADATA: Final = sa.MetaData()

ENTRIES: Final = sa.Table(
    "entries",
    METADATA,
    sa.Column("sequence", _NUMBER, primary_key=True, autoincrement=True),
    sa.Column("stream", sa.Text, nullable=False),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    # ISO 8601 in UTC: SQLite has no type for a time with its zone.
    sa.Column("time", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.UniqueConstraint("stream", "id", name="entries_once"),
    sa.Index("entries_of_stream", "stream", "sequence"),
    sqlite_autoincrement=True,
)
"""One row an entry. A number is never given twice, also when entries were removed."""

RECEIPTS: Final = sa.Table(
    "receipts",
    METADATA,
    sa.Column("number", _NUMBER, primary_key=True, autoincrement=True),
    sa.Column("time", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)
"""One row each time that entries were removed or replaced: what was read before is to be read again."""
