"""The whole journal as one file, for either database: gzip, a JSON object a line, and a digest at the end."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from core.errors import DataSourceError, InputError
from core.journal.database import ENTRIES, READ, RECEIPTS, SAVE, explained, opened
from core.journal.journal import Journal
from core.runtime import user_folder

ENDING: Final = ".jsonl.gz"
_NAME: Final = "headline_lab_backup"
_FORMAT: Final = 1
_COLUMNS: Final = tuple(column.name for column in ENTRIES.columns if column.name != "sequence")
_AT_ONCE: Final = 1_000

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    entries: tuple[Row, ...]
    receipts: tuple[Row, ...]


def backup_folder() -> Path:
    """Where backups lie that were given no other place: `backups` in the user's folder."""
    return user_folder() / "backups"


def backup_name(what: str = "backup") -> str:
    """A name for a backup that is made now."""
    return f"{what}-{datetime.now(UTC):%Y%m%dT%H%M%S%f}Z{ENDING}"


def taken(journal: Journal) -> Backup:
    """All that is stored, as of one moment; others may go on writing."""
    database = opened(journal.url)
    with explained(database.place, READ), database.reading() as connection:
        if connection is None:
            return Backup(entries=(), receipts=())
        if database.file is None:
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        entries = connection.execute(sa.select(ENTRIES).order_by(ENTRIES.c.sequence)).mappings().all()
        receipts = connection.execute(sa.select(RECEIPTS).order_by(RECEIPTS.c.number)).mappings().all()
    return Backup(
        entries=tuple({name: row[name] for name in _COLUMNS} for row in entries),
        receipts=tuple({name: row[name] for name in ("time", "body")} for row in receipts),
    )


def packed(backup: Backup) -> bytes:
    head = {_NAME: _FORMAT, "entries": len(backup.entries), "receipts": len(backup.receipts)}
    lines = "".join(f"{json.dumps(one)}\n" for one in (head, *backup.entries, *backup.receipts)).encode(
        "ascii"
    )
    return gzip.compress(lines + f"{sha256(lines).hexdigest()}\n".encode("ascii"), mtime=0)


def unpacked(content: bytes) -> Backup:
    try:
        lines, _, digest = gzip.decompress(content).removesuffix(b"\n").rpartition(b"\n")
        if sha256(lines + b"\n").hexdigest().encode() != digest:
            raise ValueError
        head, *rows = map(json.loads, lines.split(b"\n"))
        version = head[_NAME]
        if version == _FORMAT and len(rows) != head["entries"] + head["receipts"]:
            raise ValueError
    except (OSError, EOFError, ValueError, KeyError, TypeError, RecursionError, zlib.error):
        raise InputError(
            "This file is no backup of Headline Lab, or it is damaged.",
            hint="Give a file that `headline-lab backup` wrote.",
        ) from None
    if version != _FORMAT:
        raise InputError("A newer version of Headline Lab made this backup.", hint="Update Headline Lab.")
    return Backup(entries=tuple(rows[: head["entries"]]), receipts=tuple(rows[head["entries"] :]))


def put_back(journal: Journal, backup: Backup) -> None:
    """Makes the journal hold exactly what a backup holds; done whole or not at all.

    What was removed on request stays removed: its receipts stay, and an older backup brings nothing back
    (`core.journal.forget.without_forgotten` before this).
    """
    database = opened(journal.url)
    with explained(database.place, SAVE), database.writing() as connection:
        here = {row["body"] for row in connection.execute(sa.select(RECEIPTS)).mappings()}
        connection.execute(sa.delete(ENTRIES))
        for rows in _parts(backup.entries):
            connection.execute(sa.insert(ENTRIES), rows)
        more = [dict(row) for row in backup.receipts if row["body"] not in here]
        # A receipt of its own tells running servers to read everything again.
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        body = json.dumps({"what": "restore", "entries": len(backup.entries), "time": now})
        connection.execute(sa.insert(RECEIPTS), [*more, {"time": now, "body": body}])


def read_backup(path: Path) -> Backup:
    try:
        return unpacked(path.read_bytes())
    except OSError as error:
        if isinstance(error, DataSourceError):
            raise
        raise DataSourceError(
            f"{path} cannot be read ({error.strerror}).", hint="Check the name of the file."
        ) from None


def _parts(rows: Sequence[Row]) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(rows), _AT_ONCE):
        yield [{name: row[name] for name in _COLUMNS} for row in rows[start : start + _AT_ONCE]]


def receipts_in(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """What receipts say, oldest first."""
    return [json.loads(row["body"]) for row in rows]
