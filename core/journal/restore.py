"""A backup brought back, without what was removed after it was made."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from core import files
from core.journal import database_errors, erasure, first_layout, linked_rows, opening, retention, spellings
from core.journal.backup import Backup, Row, backup_of, last_numbers, packed, this_moment, whole_contents
from core.journal.journal import Journal
from core.journal.verify import RESTORE


def put_back(journal: Journal, backup: Backup, *, keep: Path | None = None) -> tuple[Backup, Backup]:
    """Makes the journal hold what a backup holds, whole or not at all; what was there, and what is there now.

    What was there is written into the file `keep`, if it was anything; writers wait meanwhile, so that no
    answer is in neither. What was removed on request stays removed.
    """
    database = opening.open_database(journal.url)
    with database_errors.explained(database.place, database_errors.SAVE), database.replacing() as connection:
        before = backup_of(whole_contents(connection))
        if keep is not None and before.entries:
            files.make_folder(keep.parent)
            files.write(keep, packed(before))
        remaining = what_remains(backup, before.receipts)
        seen = last_numbers(backup)
        linked_rows.replace(connection, remaining.entries, max(seen.values(), default=0))
        here = {row["body"] for row in before.receipts}
        more = [row for row in backup.receipts if row["body"] not in here]
        # A receipt of its own tells running servers to read everything again.
        receipt = {"what": RESTORE, "entries": len(remaining.entries), "time": this_moment(), "seen": seen}
        linked_rows.add_receipts(connection, [*more, {"time": receipt["time"], "body": json.dumps(receipt)}])
    return before, remaining


def what_remains(backup: Backup, receipts: Iterable[Row]) -> Backup:
    """What comes back of a backup: in today's layout, without what was forgotten."""
    entries, _ = first_layout.brought_up(backup.entries)
    return without_forgotten(replace(backup, entries=tuple(entries)), receipts)


def without_forgotten(backup: Backup, receipts: Iterable[Row]) -> Backup:
    """A backup without what was forgotten after it was entered; a name may be taken again later."""
    for receipt in (json.loads(row["body"]) for row in receipts):
        if receipt.get("what") in set(spellings.ErasureTarget):
            secret = erasure.with_entries(erasure.secret_in(receipt), backup.entries)
            asked = partial(_was_there, backup.origin, receipt)
            backup = replace(backup, entries=erasure.cleaned(backup.entries, secret, asked)[0])
        elif receipt.get("what") == retention.RETENTION:
            backup = retention.without_expired(backup, receipt)
    return backup


def _was_there(origin: str, receipt: Mapping[str, Any], row: Row) -> bool:
    """Whether an entry was there when a receipt was written: by number (clocks go wrong), else by time."""
    last = receipt.get("seen", {}).get(origin) if origin else None
    return bool(row["time"] <= receipt["time"] if last is None else row["sequence"] <= last)
