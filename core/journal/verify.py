"""What is damaged or missing in the journal and its backups."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress

import sqlalchemy as sa

from core.errors import CoreError, DataSourceError
from core.journal import contents, linked_rows, opening
from core.journal.backup import ENDING, Row, backup_folder, read_backup
from core.journal.database import Database, structure_faults
from core.journal.database_errors import READ, SAVE, explained
from core.journal.journal import Journal
from core.journal.losses import LOSSES, mark_of, of_another
from core.journal.tables import ENTRIES, RESTORE


def verify(journal: Journal) -> list[str]:
    """A sentence for each thing in the journal that is damaged or missing."""
    database = opening.open_database(journal.url)
    try:
        with explained(database.place, READ), database.reading() as connection:
            if connection is None:
                return list(_missing(database))
            structure = [f"SQLite says of its file: {fault}." for fault in structure_faults(connection)]
            stored = linked_rows.contents(connection)
            number = mark_of(connection)[0] if database.file else 0
            damaged = [*structure, *stored.faults()]
            return damaged or list(_missing(database, number, stored.entries, stored.receipts))
    except DataSourceError as error:
        found = [str(error)]
    with suppress(DataSourceError), explained(database.place, READ), database.engine.connect() as connection:
        found += linked_rows.contents(connection).faults()
    return found


def _missing(
    database: Database, number: int = 0, entries: Iterable[Row] = (), receipts: Iterable[Row] = ()
) -> Iterator[str]:
    """What the disk lost since a backup was last brought back, and a database that is there no more."""
    restores = (row["time"] for row in receipts if json.loads(row["body"]).get("what") == RESTORE)
    restored = max(restores, default="")
    for row in entries:
        if row["stream"] == LOSSES and row["time"] > restored:
            lost = json.loads(row["body"])
            counts = f"{lost['entries']:,} in number, and {lost['removals']:,} removals on request"
            yield f"The disk lost the newest entries, {counts}; this was noticed at {row['time']}."
    if database.file and not restored and (mark := of_another(database.head, number)):
        names = f"{database.head} names entries up to number {mark[1]:,} of a database that is not here"
        yield f"{names}: `headline-lab restore` brings back a backup."


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
