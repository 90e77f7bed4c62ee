"""Removes a URL, a publisher or a participant from the journal and from backups, with a receipt.

A receipt holds no name: it has a hash, by which an older backup that comes to light later is cleaned too.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import sqlalchemy as sa

from core import files
from core.errors import CoreError, InputError
from core.journal.backup import Backup, Row, packed, read_backup, receipts_in, taken
from core.journal.database import Database, opened
from core.journal.failures import SAVE, explained
from core.journal.journal import Journal
from core.journal.tables import ENTRIES, RECEIPTS

FORGOTTEN: Final = "forgotten"
"""Name in the body of an entry of which a part was removed."""
OF_PEOPLE: Final = frozenset({"annotator", "judge", "name", "nickname", "participant", "person", "who"})
"""Names in a body under which people stand; a system or outlet may be called like a person."""
_GONE: Final = object()


class Opting(StrEnum):
    """What may be forgotten."""

    URL = "url"
    PUBLISHER = "publisher"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Secret:
    """One value to forget, as a hash that only the value itself leads to.

    Attributes:
        kind: What it is.
        salt: Hex digits, drawn at random.
        digest: SHA-256 of the salt and the value in its plain form.
    """

    kind: Opting
    salt: str
    digest: str

    def is_in(self, text: str) -> bool:
        """Whether a text is the value, however it is spelled."""
        return any(_digest(self.salt, form) == self.digest for form in _forms(self.kind, text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """Entries after something was forgotten.

    Attributes:
        rows: Those that stay.
        removed: How many went.
        changed: How many lost a part, as a headline in a correction of several.
    """

    rows: tuple[Row, ...]
    removed: int
    changed: int


def secret_of(kind: Opting, value: str) -> Secret:
    """A value to forget.

    Raises:
        InputError: It is empty.
    """
    form = next(_forms(kind, value), "")
    if not form:
        raise InputError(f"No {kind.value} was given.", hint="Give it as it is written in the data.")
    salt = secrets.token_hex(16)
    return Secret(kind, salt, _digest(salt, form))


def cleaned(rows: Iterable[Row], secret: Secret, *, until: str = "") -> Cleaned:
    """Entries without what is to be forgotten.

    A person's entries go whole, with all that the same id did in a room. Of other entries the smallest list
    or object goes that names the value; an entry that names it itself goes whole.

    Args:
        rows: Entries, in their order.
        secret: What is to be forgotten.
        until: Later entries stay as they are, in ISO 8601; "" for none.
    """
    rows = tuple(rows)
    bodies = [None if until and row["time"] > until else json.loads(row["body"]) for row in rows]
    people = {
        (row["stream"], row["who"])
        for row, body in zip(rows, bodies, strict=True)
        if secret.kind is Opting.PERSON and body is not None and row["who"]
        if secret.is_in(row["who"]) or secret.is_in(str(body.get("nickname", "")))
    }
    stay, changed = [], 0
    for row, body in zip(rows, bodies, strict=True):
        after = None if body is None else _pruned(body, secret)
        if after is _GONE or (body is not None and (row["stream"], row["who"]) in people):
            continue
        changed += after is not None
        text = row["body"] if after is None else json.dumps({**after, FORGOTTEN: True}, sort_keys=True)
        stay.append({**row, "body": text})
    return Cleaned(rows=tuple(stay), removed=len(rows) - len(stay), changed=changed)


def without_forgotten(backup: Backup, receipts: Iterable[Row]) -> Backup:
    """A backup without what was forgotten after it was entered; a name may be taken again later."""
    for told in receipts_in(receipts):
        if told.get("what") in set(Opting):
            secret = Secret(Opting(told["what"]), told["salt"], told["sha256"])
            backup = replace(backup, entries=cleaned(backup.entries, secret, until=told["time"]).rows)
    return backup


def forget(journal: Journal, secret: Secret, about: Mapping[str, Any]) -> dict[str, Any]:
    """Removes a value from the journal for good, file and free pages included.

    Args:
        journal: Where.
        secret: What.
        about: More for the receipt, such as the backups that were cleaned before.

    Returns:
        The receipt, which is stored as well.

    Raises:
        DataSourceError: The database cannot be written; it is as it was.
    """
    database = opened(journal.url)
    with explained(database.place, SAVE):
        with database.writing() as connection:
            rows = connection.execute(sa.select(ENTRIES).order_by(ENTRIES.c.sequence)).mappings().all()
            found = cleaned([dict(row) for row in rows], secret)
            _apply(connection, {row["sequence"]: row["body"] for row in rows}, found)
            receipt = {
                "what": secret.kind.value,
                "id": secrets.token_hex(8),
                "time": datetime.now(UTC).isoformat(timespec="microseconds"),
                "salt": secret.salt,
                "sha256": secret.digest,
                "removed": found.removed,
                "changed": found.changed,
                **about,
            }
            kept = {"time": receipt["time"], "body": json.dumps(receipt)}
            connection.execute(sa.insert(RECEIPTS), [kept])
        _swept(database)
    return receipt


def stored_receipts(journal: Journal) -> list[dict[str, Any]]:
    """All receipts of a journal, oldest first.

    Raises:
        DataSourceError: The database cannot be read.
    """
    return receipts_in(taken(journal).receipts)


def clean_backups(paths: Iterable[Path], secret: Secret) -> list[dict[str, Any]]:
    """Removes a value from backups; each file is rewritten whole or stays as it was.

    Returns:
        What was done to each, for the receipt; `problem` where a file could not be cleaned.
    """
    told = []
    for path in paths:
        try:
            backup = read_backup(path)
            found = cleaned(backup.entries, secret)
            if found.removed or found.changed:
                files.write(path, packed(replace(backup, entries=found.rows)))
            told.append({"file": path.name, "removed": found.removed, "changed": found.changed})
        except CoreError as error:
            told.append({"file": path.name, "problem": str(error)})
    return told


def _apply(connection: sa.Connection, before: Mapping[int, str], found: Cleaned) -> None:
    after = {row["sequence"]: row["body"] for row in found.rows}
    gone = [{"number": number} for number in before if number not in after]
    new = [{"number": n, "text": body} for n, body in after.items() if before[n] != body]
    one = ENTRIES.c.sequence == sa.bindparam("number")
    if gone:
        connection.execute(sa.delete(ENTRIES).where(one), gone)
    if new:
        connection.execute(sa.update(ENTRIES).where(one).values(body=sa.bindparam("text")), new)


def _swept(database: Database) -> None:
    """Gives back the space of what was removed, so that no file of the database holds it any more."""
    if database.file is None:
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM FULL entries")
        return
    raw = database.engine.raw_connection()
    try:
        # Outside of a transaction, which the engine would begin.
        raw.driver_connection.execute("VACUUM")  # type: ignore[union-attr]
        raw.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
    finally:
        raw.close()


def _pruned(body: Any, secret: Secret) -> Any:
    """A body without the value: `_GONE` where it goes whole, None where nothing changes."""
    if isinstance(body, dict):
        own = [name for name, value in body.items() if isinstance(value, str) and _names(secret, name, value)]
        parts: list[tuple[Any, Any]] = list(body.items())
    else:
        own = [value for value in body if isinstance(value, str) and _names(secret, "", value)]
        parts = list(enumerate(body))
    if own:
        return _GONE
    after = {name: _pruned(value, secret) for name, value in parts if isinstance(value, (dict, list))}
    if all(value is None for value in after.values()):
        return None
    stay = [(name, value if after.get(name) is None else after[name]) for name, value in parts]
    stay = [(name, value) for name, value in stay if value is not _GONE]
    return dict(stay) if isinstance(body, dict) else [value for _, value in stay]


def _names(secret: Secret, name: str, value: str) -> bool:
    return (secret.kind is not Opting.PERSON or name in OF_PEOPLE) and secret.is_in(value)


def _forms(kind: Opting, text: str) -> Iterator[str]:
    """The plain forms of a value: letter case, spaces, scheme and `www.` make no difference."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    bare = folded.partition("://")[2] if folded.startswith(("http://", "https://")) else folded
    bare = bare.removeprefix("www.").partition("#")[0].rstrip("/")
    yield bare if kind is not Opting.PERSON else folded
    if kind is Opting.PUBLISHER and "://" in folded:
        try:
            yield (urlsplit(folded).hostname or "").removeprefix("www.")
        except ValueError:
            return


def _digest(salt: str, form: str) -> str:
    return hashlib.sha256(f"{salt}{form}".encode("utf-8", errors="surrogatepass")).hexdigest()
