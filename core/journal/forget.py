"""An address, a publisher, a person or an entry removed from the journal and its backups, with a receipt."""

import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from core import files
from core.errors import CoreError
from core.journal import chain, database_errors, linked_rows, mentions, opening, tables
from core.journal.backup import (
    Row,
    backup_of,
    backup_or_nothing,
    last_numbers,
    packed,
    read_backup,
    taken,
    this_moment,
    whole_contents,
)
from core.journal.database import Database
from core.journal.erasure import Secret, cleaned, headlines_in, with_entries
from core.journal.journal import Journal

_BUSY: Final = (
    "another program reads the database, whose log may still hold what was removed: end it and forget again"
)


def headlines_in_backups(journal: Journal, paths: Iterable[Path], secret: Secret) -> Iterator[str]:
    """The headlines that the journal and backups say to be of an address or publisher."""
    for backup in (taken(journal), *map(backup_or_nothing, paths)):
        for row in backup.entries:
            yield from headlines_in(json.loads(row["body"]), secret)


def forget(
    journal: Journal, secret: Secret, about: Mapping[str, Any], mention: mentions.Mention | None = None
) -> dict[str, Any]:
    """Removes a value from the journal for good; the receipt names entries that still mention it."""
    database = opening.open_database(journal.url)
    with database_errors.explained(database.place, database_errors.SAVE):
        with database.writing() as connection:
            stored = whole_contents(connection)
            secret = with_entries(secret, stored.entries)
            stay, removed, changed = cleaned(stored.entries, secret)
            held = [row["id"] for row in stay if mention is not None and mention.is_in(_text_of(row))]
            by_hand = [*about.get("by_hand", ()), *([database.name] if held else [])]
            receipt = {
                "what": secret.kind.value,
                "id": secrets.token_hex(8),
                "time": this_moment(),
                "seen": last_numbers(backup_of(stored))
                | {stored.origin: linked_rows.last_number(connection)},
                "salt": secret.salt,
                "sha256": secret.digest,
                "headlines": sorted(secret.headlines),
                "removed": removed,
                "changed": changed,
                **about,
                **({"by_hand": by_hand} if mention is not None else {}),
                **({"mentioned": held} if held else {}),
            }
            keep_only(connection, stored.entries, stay, receipt)
        problem = sweep(database)
    return {**receipt, "database": {"problem": problem}} if problem else receipt


def _text_of(row: Row) -> str:
    return "\n".join((row["stream"], row["kind"], row["who"], row["body"]))


def keep_only(
    connection: sa.Connection, rows: Sequence[Row], stay: Iterable[Row], receipt: Mapping[str, Any]
) -> None:
    """Removes and changes entries, which a receipt says; the chains of their streams are made anew."""
    before, after = ({row["sequence"]: row for row in some} for some in (rows, stay))
    stands = {n: row["body"] for n, row in after.items()}
    touched = {row["stream"] for n, row in before.items() if stands.get(n) != row["body"]}
    new = list(chain.linked(row for row in after.values() if row["stream"] in touched))
    condition = tables.ENTRIES.c.sequence == sa.bindparam("number")
    if gone := [{"number": number} for number in before if number not in after]:
        connection.execute(sa.delete(tables.ENTRIES).where(condition), gone)
    changed = (row for row in new if row["digest"] != before[row["sequence"]]["digest"])
    if more := [{"number": row["sequence"], "text": row["body"], "link": row["digest"]} for row in changed]:
        cells: dict[str, Any] = {"body": sa.bindparam("text"), "digest": sa.bindparam("link")}
        connection.execute(sa.update(tables.ENTRIES).where(condition).values(cells), more)
    linked_rows.set_heads(connection, new, list(touched))
    linked_rows.add_receipts(connection, [{"time": receipt["time"], "body": json.dumps(receipt)}])


def clean_backups(paths: Iterable[Path], secret: Secret) -> list[dict[str, Any]]:
    """Removes a value from backups; each file is rewritten whole or stays as it was."""
    outcomes = []
    for path in paths:
        try:
            backup = read_backup(path)
            stay, removed, changed = cleaned(backup.entries, with_entries(secret, backup.entries))
            if removed or changed:
                files.write(path, packed(replace(backup, entries=stay)))
            outcomes.append({"file": path.name, "removed": removed, "changed": changed})
        except CoreError as error:
            outcomes.append({"file": path.name, "problem": str(error)})
    return outcomes


def sweep(database: Database) -> str:
    if database.file is None:
        try:
            with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("VACUUM FULL entries")
        except sa.exc.OperationalError:
            return _BUSY
        return ""
    raw = database.engine.raw_connection()
    try:
        # Outside of a transaction, which the engine would begin.
        raw.driver_connection.execute("VACUUM")  # type: ignore[union-attr]
        (busy, _, _) = raw.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()  # type: ignore[union-attr]
    except sqlite3.OperationalError:
        busy = True
    finally:
        raw.close()
    return _BUSY if busy else ""
