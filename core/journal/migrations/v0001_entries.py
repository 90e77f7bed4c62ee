"""Entries, and receipts of what was removed."""

import sqlalchemy as sa
from alembic import op

revision = "v0001"
down_revision = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_TEXTS = ("stream", "id", "kind", "who", "time", "body")


def upgrade() -> None:
    op.create_table(
        "entries",
        sa.Column("sequence", _NUMBER, primary_key=True, autoincrement=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in _TEXTS),
        sa.UniqueConstraint("stream", "id", name="entries_once"),
        sqlite_autoincrement=True,
    )
    op.create_index("entries_of_stream", "entries", ["stream", "sequence"])
    op.create_table(
        "receipts",
        sa.Column("number", _NUMBER, primary_key=True, autoincrement=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("time", "body")),
        sqlite_autoincrement=True,
    )
