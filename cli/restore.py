"""`headline-lab restore`: brings a backup back."""

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def restore(file: Path) -> None:
    """Bring back what a backup FILE holds, in place of what is stored now.

    What is stored now is written into a backup first. What was forgotten stays forgotten.
    """
    from core import files
    from core.journal.forget import (
        backup_folder,
        backup_name,
        packed,
        put_back,
        read_backup,
        taken,
        without_forgotten,
    )
    from core.journal.journal import the_journal

    journal = the_journal()
    given, before = read_backup(file), taken(journal)
    if before.entries:
        path = backup_folder() / backup_name("before-restore")
        files.make_folder(path.parent)
        files.write(path, packed(before))
        click.echo(f"What was stored until now is in {path}", err=True)
    found = without_forgotten(given, before.receipts)
    put_back(journal, found)
    click.echo(f"{len(found.entries):,} entries are back from {file}")
    if left_out := len(given.entries) - len(found.entries):
        click.echo(f"{left_out:,} stayed forgotten, as receipts ask.", err=True)
