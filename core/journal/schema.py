"""The tables brought up to date by the steps in `migrations`."""

from pathlib import Path
from typing import Final

import sqlalchemy as sa

from core.errors import DataSourceError

REVISION: Final = "v0003"  # version of the tables that this program works with: the last of `migrations`

_FOLDER: Final = Path(__file__).with_name("migrations")


def revision_of(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return None if version is None else str(version)


def upgrade(connection: sa.Connection) -> None:
    """Runs the steps that are missing, all or none, inside the connection's transaction."""
    before = revision_of(connection)
    if before == REVISION:
        return
    # Loading Alembic takes a quarter of a second, which only a new or older database costs.
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    steps = ScriptDirectory(str(_FOLDER), version_locations=[str(_FOLDER)])
    if before is not None and before not in {revision.revision for revision in steps.walk_revisions()}:
        hint = "Update Headline Lab, or set HEADLINE_LAB_DATABASE_URL to another database."
        raise DataSourceError("A newer version of Headline Lab made this database.", hint=hint)
    options = {"fn": lambda now, _: steps._upgrade_revs(REVISION, now), "script": steps}
    context = MigrationContext.configure(connection, opts=options)
    with Operations.context(context):
        context.run_migrations()
