"""The newest entries that a disk lost, known by a file beside the database."""

import json
import re
import secrets
from contextlib import suppress
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from core import files
from core.errors import DataSourceError
from core.journal import linked_rows
from core.journal.tables import ENTRIES, HEADS

LOSSES: Final = "losses"
"""The stream with an entry for each time that the newest entries were gone at a start."""

_MARKED: Final = """SELECT user_version,
coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'entries'), 0),
coalesce((SELECT max(number) FROM receipts), 0),
coalesce((SELECT max(sequence) FROM entries), 0) FROM pragma_user_version"""
"""One question: it is asked with each answer, while others wait for their turn."""
MARK_LINE: Final = b"\n%d %d %d %d\n"  # after a line that was cut off a new one begins
_MARKS: Final = re.compile(rb"^(\d+) (\d+) (\d+) (\d+)\n", re.MULTILINE)  # a cut leaves lines of nothing


def mark_of(connection: sa.Connection) -> tuple[int, int, int, int]:
    """The database's own number, the last that an entry was given, those of last receipt and entry."""
    number, given, receipts, last = connection.exec_driver_sql(_MARKED).one()
    return number, given, receipts, last


def of_another(head: Path, number: int) -> tuple[int, ...]:
    """The furthest mark of databases with entries that had this place before; () where there was none."""
    others = (mark for mark in _marks_in(head) if mark[0] != number and mark[1])
    return max(others, key=itemgetter(1), default=())


def _marks_in(head: Path) -> list[tuple[int, ...]]:
    try:
        return [tuple(map(int, mark)) for mark in _MARKS.findall(head.read_bytes())]
    except OSError:
        return []


def noted_losses(connection: sa.Connection, head: Path) -> bool:
    """Gives a new database a number; stores in an older one what it lacks, of which SQLite is silent."""
    number, given, removals, last = mark_of(connection)
    if not number:
        connection.exec_driver_sql(f"PRAGMA user_version = {secrets.randbelow(2**31 - 1) + 1}")
        return True
    own = [mark for mark in _marks_in(head) if mark[0] == number]
    before, removed = (max((mark[at] for mark in own), default=0) for at in (1, 2))
    # Entries go only with a receipt: without a new one the last of them is still there.
    stood = max((mark[3] for mark in own if mark[2] == removals), default=0)
    gone = max(before - given, stood - last, 0)
    if gone or removed > removals:
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        _end_at_what_is_there(connection, last)
        body = json.dumps({"entries": gone, "removals": max(0, removed - removals)})
        lost = {"stream": LOSSES, "id": secrets.token_hex(16), "kind": "lost", "who": "", "time": now}
        # Lost numbers are not given again either.
        linked_rows.add(connection, [{**lost, "body": body}], past=before)
    lines = (MARK_LINE % mark for mark in (of_another(head, number), mark_of(connection)) if mark)
    with suppress(DataSourceError):
        files.write(head, b"".join(lines))
    return False


def _end_at_what_is_there(connection: sa.Connection, last: int) -> None:
    """Where the newest entries are said to be lost, streams end before them."""
    past = list(connection.execute(sa.select(HEADS.c.stream).where(HEADS.c.last > last)).scalars())
    newest = sa.select(sa.func.max(ENTRIES.c.sequence)).where(ENTRIES.c.stream.in_(past))
    left = sa.select(ENTRIES).where(ENTRIES.c.sequence.in_(newest.group_by(ENTRIES.c.stream)))
    linked_rows.set_heads(connection, connection.execute(left).mappings().all(), past)
