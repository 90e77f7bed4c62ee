"""`headline-lab backup`: everything that people did, in one file."""

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
def backup(file: Path | None) -> None:
    """Write all answers, votes and corrections into FILE; without one, into the user's folder.

    The app may run meanwhile. The file fits both databases, SQLite and PostgreSQL.
    """
    from core import files
    from core.journal.forget import backup_folder, backup_name, packed, taken
    from core.journal.journal import the_journal

    found = taken(the_journal())
    path = file or backup_folder() / backup_name()
    if file is None:
        files.make_folder(path.parent)
    files.write(path, packed(found))
    click.echo(f"{len(found.entries):,} entries in {path}")
