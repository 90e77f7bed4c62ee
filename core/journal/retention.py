"""Entries that are deleted when their time is over."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from core import files
from core.journal.backup import (
    ENDING,
    Backup,
    backup_folder,
    backup_or_nothing,
    packed,
    this_moment,
    whole_contents,
)
from core.journal.database_errors import SAVE, explained
from core.journal.forget import keep_only, sweep
from core.journal.journal import Journal
from core.journal.opening import open_database

RETENTION: Final = "retention"  # what the receipts are called of what was deleted in time


def without_expired(backup: Backup, receipt: Mapping[str, Any]) -> Backup:
    """A backup without what a receipt says to have been deleted in time."""
    gone, until = receipt["stream"], receipt["until"]
    stay = (row for row in backup.entries if not (row["stream"].startswith(gone) and row["time"] <= until))
    return replace(backup, entries=tuple(stay))


def expire(journal: Journal, stream: str, until: datetime, *, names: str = "judges") -> int:
    """Deletes entries of streams that begin so up to a time, in usual backups too; gives how many went."""
    database, before = open_database(journal.url), until.astimezone(UTC).isoformat(timespec="microseconds")
    with explained(database.place, SAVE):
        with database.writing() as connection:
            stored = whole_contents(connection)
            theirs = (row for row in stored.entries if row["stream"].startswith(stream))
            old = [row for row in theirs if row["time"] <= before]
            if not old:
                return 0
            gone = {row["sequence"] for row in old}
            named = [row for row in stored.entries if row["stream"] == names]
            others = (row for row in stored.entries if row["stream"] != names)
            left = {row["who"] for row in others if row["sequence"] not in gone}
            nameless = {row["who"] for row in old} - left
            gone |= {row["sequence"] for row in named if row["who"] in nameless}
            stay = [row for row in stored.entries if row["sequence"] not in gone]
            about = {"stream": stream, "until": before, "removed": len(old), "time": this_moment()}
            receipt = {"what": RETENTION, **about}
            keep_only(connection, stored.entries, stay, receipt)
        sweep(database)
    for path in backup_folder().glob(f"*{ENDING}"):
        backup = backup_or_nothing(path)
        fresh = without_expired(backup, receipt)
        if len(fresh.entries) < len(backup.entries):
            files.write(path, packed(fresh))
    return len(old)
