"""`headline-lab backup`, `restore`, `verify`, `export-server` and `import-server`: what people did, kept."""

import sys
from pathlib import Path

import click

from cli.main import IN_PART
from cli.options import STDIN, command, given_for
from cli.progress import show
from core import files


@command()
def backup(file: Path | None, keep: int | None) -> None:
    """Write all answers, votes and corrections into FILE; without one, into the user's folder.

    The app may run meanwhile. The file fits both databases, SQLite and PostgreSQL.
    """
    from core.journal.backup import backup_folder, backup_name, packed, taken, unnamed_backups
    from core.journal.journal import the_journal

    if file is not None and keep is not None:
        raise click.UsageError("--keep is about backups in the user's folder; give no FILE.")
    stored = taken(the_journal())
    path = file or backup_folder() / backup_name()
    if file is None:
        files.make_folder(path.parent)
    files.write(path, packed(stored))
    told = {"file": str(given_for(STDIN, path)), "entries": len(stored.entries)}
    show(told, lambda: f"{told['entries']:,} entries in {told['file']}")
    if keep is not None:
        for old in unnamed_backups()[:-keep]:
            files.remove(old)


@command()
def restore(file: Path, *, dry_run: bool) -> None:
    """Bring back what a backup FILE holds, in place of what is stored now.

    What is stored now is written into a backup first. What was forgotten stays forgotten.
    """
    from core.journal.backup import backup_folder, backup_name, read_backup, taken
    from core.journal.first_layout import brought_up
    from core.journal.journal import the_journal
    from core.journal.restore import put_back, what_remains

    given = read_backup(file)
    if dry_run:
        stored = taken(the_journal())
        back = len(what_remains(given, stored.receipts).entries)
        said = f"{back:,} entries would come back in place of {len(stored.entries):,}; nothing was changed."
        show({"entries": back, "before": len(stored.entries), "changed": False}, lambda: said)
        return
    kept = backup_folder() / backup_name("before-restore")
    before, now = put_back(the_journal(), given, keep=kept)
    if before.entries:
        click.echo(f"What was stored until now is in {kept}", err=True)
    told = {"entries": len(now.entries), "before": len(before.entries), "changed": True}
    show(told, lambda: f"{len(now.entries):,} entries are back from {file}")
    back_here = {(row["stream"], row["id"]) for row in now.entries}
    # In today's layout, which has more or fewer entries than that of an older backup.
    if left_out := sum((row["stream"], row["id"]) not in back_here for row in brought_up(given.entries)[0]):
        click.echo(f"{left_out:,} stayed forgotten, as receipts ask.", err=True)


@command(name="export-server")
def export_server(file: Path, *, trainings: bool) -> None:
    """Write all that this server holds into one FILE, for a move: what people did and made, models and keys.

    Stop the app first: what is made meanwhile may be left out. Caches and variables are not in it.
    """
    from core.journal import server_file

    told = server_file.export_server(file, trainings=trainings) | {"file": str(given_for(STDIN, file))}
    show(told, lambda: f"{told['entries']:,} entries and {told['files']:,} files in {told['file']}")


@command(name="import-server")
def import_server(file: Path, *, dry_run: bool) -> None:
    """Put what `export-server` wrote into FILE where nothing is yet: another folder, either database.

    All is compared with its digests before anything is written. Plugins are code: take a file of your own.
    """
    from core.journal import server_file

    told = server_file.import_server(file, dry_run=dry_run)
    size = f"{told['bytes'] / 1e6:,.1f} MB unpacked"
    said = f"({size}) would be here; nothing was changed." if dry_run else f"are here from {file}"
    show(told, lambda: f"{told['entries']:,} entries and {told['files']:,} files {said}")


@command()
def verify() -> None:
    """Compare all that is stored with its digests: a sentence for each thing that is damaged or missing.

    Answers, votes and corrections, and the backups in the user's folder. Exit code 1: something is; 3: all is
    whole, and something is of a version that this one does not read.
    """
    from core.journal import verify as damages
    from core.journal.journal import the_journal

    faults = [*damages.verify(the_journal()), *damages.damaged_backups()]
    unread = damages.unread(the_journal())
    said = faults or ["All that is stored is whole."]
    show({"faults": faults, "unread": unread}, lambda: "\n".join([*said, *unread]))
    sys.exit(1 if faults else IN_PART if unread else 0)
