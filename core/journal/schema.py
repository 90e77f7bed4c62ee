"""Makes the tables of a new database, and brings those of an older version up to this one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import sqlalchemy as sa

from core.errors import DataSourceError

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


_FOLDER: Final = Path(__file__).with_name("migrations")


def revision_of(connection: sa.Connection) -> str | None:
    """The version of the tables; None where there are none."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def upgrade(connection: sa.Connection) -> None:
    """Runs the steps that are missing, all or none, inside the connection's transaction."""
    before = revision_of(connection)
    if before == REVISION:
        return
    # Loading Alembic takes a quarter of a second, which only a new or older database costs.
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    steps = ScriptDirectory(str(_FOLDER), version_locations=[str(_FOLDER / "versions")])
    if before is not None and before not in {one.revision for one in steps.walk_revisions()}:
        raise DataSourceError(
            "A newer version of Headline Lab made this database.",
            hint="Update Headline Lab, or set HEADLINE_LAB_DATABASE_URL to another database.",
        )
    options = {"fn": lambda now, _: steps._upgrade_revs(REVISION, now), "script": steps}
    context = MigrationContext.configure(connection, opts=options)
    with Operations.context(context):
        context.run_migrations()
