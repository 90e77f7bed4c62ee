"""The whole journal as one file."""

import gzip
import json
import re
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from core.errors import CoreError, DataSourceError, InputError
from core.journal import chain, database_errors, linked_rows, opening
from core.journal.journal import Journal, damaged
from core.journal.schema import REVISION
from core.runtime import user_folder

ENDING: Final = ".jsonl.gz"
BACKUP: Final = "backup"
_NAME: Final = "headline_lab_backup"
_UNNAMED: Final = re.compile(rf"{BACKUP}-[0-9]{{8}}T[0-9]{{12}}Z{re.escape(ENDING)}")
_FORMAT: Final = 1
_COLUMNS: Final = ("stream", "id", "kind", "who", "time", "body", "sequence")

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    entries: tuple[Row, ...]
    receipts: tuple[Row, ...]
    origin: str = ""  # of the database that gave the entries their numbers


def backup_folder() -> Path:
    """Where backups lie that were given no other place: `backups` in the user's folder."""
    return user_folder() / "backups"


def backup_name(what: str = BACKUP) -> str:
    return f"{what}-{datetime.now(UTC):%Y%m%dT%H%M%S%f}Z{ENDING}"


def unnamed_backups() -> list[Path]:
    """The backups that `backup_name` named, oldest first: no file that a person named, and no link."""
    found = list[Path]()
    for path in sorted(backup_folder().glob(f"{BACKUP}-*")):
        with suppress(OSError, EOFError, zlib.error), gzip.open(path) as file:
            if _UNNAMED.fullmatch(path.name) and not path.is_symlink() and _NAME in str(file.readline(1_000)):
                found.append(path)
    return found


def taken(journal: Journal) -> Backup:
    """All that is stored, as of one moment; others may go on writing."""
    database = opening.open_database(journal.url)
    with database_errors.explained(database.place, database_errors.READ), database.reading() as connection:
        nothing = Backup(entries=(), receipts=())
        return nothing if connection is None else backup_of(whole_contents(connection))


def whole_contents(connection: sa.Connection) -> chain.Contents:
    """All that is stored, each row compared with its digest."""
    stored = linked_rows.contents(connection)
    for fault in stored.faults():
        raise damaged(fault)
    return stored


def backup_of(stored: chain.Contents) -> Backup:
    return Backup(
        entries=tuple({name: row[name] for name in _COLUMNS} for row in stored.entries),
        receipts=tuple({name: row[name] for name in ("time", "body")} for row in stored.receipts),
        origin=stored.origin,
    )


def packed(backup: Backup) -> bytes:
    head = {_NAME: _FORMAT, "entries": len(backup.entries), "receipts": len(backup.receipts)}
    rows = ({**head, "origin": backup.origin, "layout": REVISION}, *backup.entries, *backup.receipts)
    lines = "".join(f"{json.dumps(row)}\n" for row in rows).encode("ascii")
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
        message = "This file is no backup of Headline Lab, or it is damaged."
        raise InputError(message, hint="Give a file that `headline-lab backup` wrote.") from None
    if version != _FORMAT or head.get("layout", "") > REVISION:
        raise InputError("A newer version of Headline Lab made this backup.", hint="Update Headline Lab.")
    entries, receipts = rows[: head["entries"]], rows[head["entries"] :]
    return Backup(entries=tuple(entries), receipts=tuple(receipts), origin=head.get("origin", ""))


def last_numbers(backup: Backup) -> dict[str, int]:
    """How far the numbers of each database go that this backup or one before it came from."""
    seen = [json.loads(row["body"]).get("seen", {}) for row in backup.receipts]
    own = {backup.origin: max((row.get("sequence", 0) for row in backup.entries), default=0)}
    numbers = [pair for some in (*seen, own) for pair in some.items() if pair[0]]
    return {origin: max(last for name, last in numbers if name == origin) for origin, _ in numbers}


def this_moment() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def read_backup(path: Path) -> Backup:
    try:
        return unpacked(path.read_bytes())
    except OSError as error:
        message = f"{path} cannot be read ({error.strerror})."
        raise DataSourceError(message, hint="Check the name of the file.") from None


def backup_or_nothing(path: Path) -> Backup:
    try:
        return read_backup(path)
    except CoreError:  # said where it is cleaned
        return Backup(entries=(), receipts=())
