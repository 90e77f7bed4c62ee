"""What is damaged or missing in the journal and its backups."""

from contextlib import suppress
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from core.errors import CoreError, DataSourceError
from core.journal import contents, linked_rows, opening
from core.journal.backup import ENDING, backup_folder, read_backup
from core.journal.database import Database, structure_faults
from core.journal.database_errors import READ, SAVE, explained
from core.journal.journal import Journal
from core.journal.losses import mark_of, of_another
from core.journal.tables import ENTRIES

RESTORE: Final = "restore"  # what the receipts are called of backups that were brought back
_EVER: Final = "1970-01-01T00:00+00:00"


def verify(journal: Journal) -> list[str]:
    """A sentence for each thing in the journal that is damaged or missing."""
    database = opening.open_database(journal.url)
    try:
        with explained(database.place, READ), database.reading() as connection:
            if connection is None:
                return _missing(journal, database)
            structure = [f"SQLite says of its file: {fault}." for fault in structure_faults(connection)]
            damaged = [*structure, *linked_rows.contents(connection).faults()]
            return damaged or _missing(journal, database, mark_of(connection)[0] if database.file else 0)
    except DataSourceError as error:
        found = [str(error)]
    with suppress(DataSourceError), explained(database.place, READ), database.engine.connect() as connection:
        found += linked_rows.contents(connection).faults()
    return found


def _missing(journal: Journal, database: Database, number: int = 0) -> list[str]:
    """What the disk lost since a backup was last brought back, and a database that is there no more."""
    receipts = journal.receipts().values()
    restores = [body.get("time", _EVER) for body in receipts if body.get("what") == RESTORE]
    lost = journal.lost(datetime.fromisoformat(max(restores, default=_EVER)))
    if database.file and not restores and (mark := of_another(database.head, number)):
        names = f"{database.head} names entries up to number {mark[1]:,} of a database that is not here"
        return [*filter(None, [lost]), f"{names}: `headline-lab restore` brings back a backup."]
    return [lost] if lost else []


def damaged_backups() -> list[str]:
    """A sentence for each backup in the user's folder that cannot be brought back."""
    found = []
    for path in sorted(backup_folder().glob(f"*{ENDING}")):
        try:
            read_backup(path)
        except CoreError as error:
            found.append(f"{path}: {error}")
    return found


def unread(journal: Journal) -> list[str]:
    """A sentence for each stream with entries that nothing reads, and for answers in files."""
    database, kinds = opening.open_database(journal.url), (ENTRIES.c.stream, ENTRIES.c.kind)
    with explained(database.place, READ), database.reading() as connection:
        asked = sa.select(*kinds, sa.func.count()).group_by(*kinds)
        counts = [] if connection is None else [tuple(row) for row in connection.execute(asked)]
    return contents.unread(counts)


def not_writable(journal: Journal) -> str:
    """Why nothing can be stored now, with what to do; "" where it can."""
    try:
        database = opening.open_database(journal.url)
        with explained(database.place, SAVE), database.writing():
            return ""
    except CoreError as error:
        return str(error)
