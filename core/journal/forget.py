"""The whole journal as one file, and a URL, a publisher or a person removed from both, with a receipt."""

from __future__ import annotations

import gzip
import hashlib
import json
import secrets
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from core import files
from core.errors import CoreError, DataSourceError, InputError
from core.journal import chain
from core.journal.chain import ENTRIES
from core.journal.database import READ, SAVE, Database, explained, open_database, structure_faults
from core.journal.journal import Journal, damaged
from core.journal.mentions import ErasureTarget, Mention, forms, plain
from core.runtime import user_folder

ENDING: Final = ".jsonl.gz"
_NAME: Final = "headline_lab_backup"
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


def backup_name(what: str = "backup") -> str:
    return f"{what}-{datetime.now(UTC):%Y%m%dT%H%M%S%f}Z{ENDING}"


def taken(journal: Journal) -> Backup:
    """All that is stored, as of one moment; others may go on writing."""
    database = open_database(journal.url)
    with explained(database.place, READ), database.reading() as connection:
        return Backup(entries=(), receipts=()) if connection is None else _backup(_whole(connection))


def _whole(connection: sa.Connection) -> chain.Contents:
    """All that is stored, each row compared with its digest."""
    stored = chain.contents(connection)
    for fault in stored.faults():
        raise damaged(fault)
    return stored


def _backup(stored: chain.Contents) -> Backup:
    return Backup(
        entries=tuple({name: row[name] for name in _COLUMNS} for row in stored.entries),
        receipts=tuple({name: row[name] for name in ("time", "body")} for row in stored.receipts),
        origin=stored.origin,
    )


def verify(journal: Journal) -> list[str]:
    """A sentence for each thing in the journal that is damaged or missing."""
    database = open_database(journal.url)
    try:
        with explained(database.place, READ), database.reading() as connection:
            if connection is None:
                return []
            structure = [f"SQLite says of its file: {fault}." for fault in structure_faults(connection)]
            return [*structure, *chain.contents(connection).faults()]
    except DataSourceError as error:
        found = [str(error)]
    with suppress(DataSourceError), explained(database.place, READ), database.engine.connect() as connection:
        found += chain.contents(connection).faults()
    return found


def damaged_backups() -> list[str]:
    """A sentence for each backup in the user's folder that cannot be brought back."""
    found = []
    for path in sorted(backup_folder().glob(f"*{ENDING}")):
        try:
            read_backup(path)
        except CoreError as error:
            found.append(f"{path}: {error}")
    return found


def packed(backup: Backup) -> bytes:
    head = {_NAME: _FORMAT, "entries": len(backup.entries), "receipts": len(backup.receipts)}
    rows = ({**head, "origin": backup.origin}, *backup.entries, *backup.receipts)
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
    if version != _FORMAT:
        raise InputError("A newer version of Headline Lab made this backup.", hint="Update Headline Lab.")
    entries, receipts = rows[: head["entries"]], rows[head["entries"] :]
    return Backup(entries=tuple(entries), receipts=tuple(receipts), origin=head.get("origin", ""))


def put_back(journal: Journal, backup: Backup, *, keep: Path | None = None) -> tuple[Backup, Backup]:
    """Makes the journal hold what a backup holds, whole or not at all; what was there, and what is there now.

    What was there is written into the file `keep`, if it was anything; writers wait meanwhile, so that no
    answer is in neither. What was removed on request stays removed.
    """
    database = open_database(journal.url)
    with explained(database.place, SAVE), database.replacing() as connection:
        before = _backup(_whole(connection))
        if keep is not None and before.entries:
            files.make_folder(keep.parent)
            files.write(keep, packed(before))
        remaining = without_forgotten(backup, before.receipts)
        seen = _seen(backup)
        chain.replace(connection, remaining.entries, max(seen.values(), default=0))
        here = {row["body"] for row in before.receipts}
        more = [row for row in backup.receipts if row["body"] not in here]
        # A receipt of its own tells running servers to read everything again.
        receipt = {"what": "restore", "entries": len(remaining.entries), "time": _now(), "seen": seen}
        chain.add_receipts(connection, [*more, {"time": receipt["time"], "body": json.dumps(receipt)}])
    return before, remaining


def _seen(backup: Backup) -> dict[str, int]:
    """How far the numbers of each database go that this backup or one before it came from."""
    seen = [json.loads(row["body"]).get("seen", {}) for row in backup.receipts]
    own = {backup.origin: max((row.get("sequence", 0) for row in backup.entries), default=0)}
    numbers = [pair for some in (*seen, own) for pair in some.items() if pair[0]]
    return {origin: max(last for name, last in numbers if name == origin) for origin, _ in numbers}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def read_backup(path: Path) -> Backup:
    try:
        return unpacked(path.read_bytes())
    except OSError as error:
        message = f"{path} cannot be read ({error.strerror})."
        raise DataSourceError(message, hint="Check the name of the file.") from None


RETENTION: Final = "retention"  # what the receipts are called of what was deleted in time
FORGOTTEN: Final = "forgotten"  # name in the body of an entry of which a part was removed
OF_PEOPLE: Final = frozenset({"annotator", "judge", "name", "nickname", "participant", "person", "who"})
"""Names in a body under which people stand; a system or outlet may be called like a person."""
_ABOUT: Final = frozenset({"row", "with"})
"""Names in a body under which the headline stands that the whole entry is about."""
_TEXTS: Final = ("headline", "text", "title")
_PLACES: Final = {"url": (3, ("url", "address")), "publisher": (2, ("publisher", "outlet"))}
"""Where a value stands beside a headline: its cell in a list after the text, its names in an object."""
_GONE: Final = object()
_BUSY: Final = (
    "another program reads the database, whose log may still hold what was removed: end it and forget again"
)


@dataclass(frozen=True, slots=True)
class Secret:
    """One value to forget, as a hash that only the value itself leads to."""

    kind: ErasureTarget
    salt: str
    digest: str
    headlines: frozenset[str] = frozenset()

    def is_in(self, text: str) -> bool:
        """Whether a text is the value, however it is spelled."""
        return any(_digest(self.salt, form) == self.digest for form in forms(self.kind, text))

    def is_id(self, text: str) -> bool:
        return self.kind is ErasureTarget.ENTRY and self.is_in(text)

    def is_headline(self, text: str) -> bool:
        """Whether a text is a headline of this address or publisher."""
        return bool(self.headlines) and _digest(self.salt, plain(text)) in self.headlines

    def with_headlines(self, texts: Iterable[str]) -> Secret:
        """The same with more headlines that are known to be of it."""
        return replace(self, headlines=self.headlines | {_digest(self.salt, plain(text)) for text in texts})


def headlines_in(body: Any, secret: Secret) -> Iterator[str]:
    """The headlines that plain data says to be of an address or publisher."""
    place, names = _PLACES.get(secret.kind, (0, ()))

    def is_it(value: Any) -> bool:
        return isinstance(value, str) and secret.is_in(value)

    if isinstance(body, list):
        if 0 < place < len(body) and isinstance(body[0], str) and is_it(body[place]):
            yield body[0]
    elif isinstance(body, dict):
        if any(is_it(body.get(name)) for name in names):
            yield from (body[name] for name in _TEXTS if isinstance(body.get(name), str))
        sources, texts = body.get("sources"), body.get("texts")
        if names and isinstance(sources, list) and isinstance(texts, list):
            yield from (text for text, source in zip(texts, sources, strict=False) if is_it(source))
    for part in body.values() if isinstance(body, dict) else body:
        if isinstance(part, (dict, list)):
            yield from headlines_in(part, secret)


def secret_of(kind: ErasureTarget, value: str) -> Secret:
    form = next(forms(kind, value), "")
    if not form:
        raise InputError(f"No {kind.value} was given.", hint="Give it as it is written in the data.")
    salt = secrets.token_hex(16)
    return Secret(kind, salt, _digest(salt, form))


def with_entries(secret: Secret, rows: Iterable[Row]) -> Secret:
    return secret.with_headlines(
        text for row in rows for text in headlines_in(json.loads(row["body"]), secret)
    )


def headlines_in_backups(journal: Journal, paths: Iterable[Path], secret: Secret) -> Iterator[str]:
    """The headlines that the journal and backups say to be of an address or publisher."""
    for backup in (taken(journal), *map(_if_whole, paths)):
        for row in backup.entries:
            yield from headlines_in(json.loads(row["body"]), secret)


def _if_whole(path: Path) -> Backup:
    try:
        return read_backup(path)
    except CoreError:  # said where it is cleaned
        return Backup(entries=(), receipts=())


def cleaned(
    rows: Iterable[Row], secret: Secret, asked: Callable[[Row], bool] = lambda row: True
) -> tuple[tuple[Row, ...], int, int]:
    """Entries without what is to be forgotten of those `asked`; how many went, and how many lost a part.

    A person's entries go whole, with all that the same id did in a room. Of other entries the smallest list
    or object goes that names the value; an entry that names it itself goes whole.
    """
    rows = tuple(rows)
    bodies = [json.loads(row["body"]) if asked(row) else None for row in rows]
    people = {
        (row["stream"], row["who"])
        for row, body in zip(rows, bodies, strict=True)
        if secret.kind is ErasureTarget.PERSON and body is not None and row["who"]
        if secret.is_in(row["who"]) or secret.is_in(str(body.get("nickname", "")))
    }
    stay, changed = [], 0
    for row, body in zip(rows, bodies, strict=True):
        if body is not None and ((row["stream"], row["who"]) in people or secret.is_id(row["id"])):
            continue
        after = None if body is None else _pruned(body, secret)
        if after is _GONE:
            continue
        changed += after is not None
        text = row["body"] if after is None else json.dumps({**after, FORGOTTEN: True}, sort_keys=True)
        stay.append({**row, "body": text})
    return tuple(stay), len(rows) - len(stay), changed


def without_forgotten(backup: Backup, receipts: Iterable[Row]) -> Backup:
    """A backup without what was forgotten after it was entered; a name may be taken again later."""
    for receipt in (json.loads(row["body"]) for row in receipts):
        if receipt.get("what") in set(ErasureTarget):
            secret = with_entries(secret_in(receipt), backup.entries)
            asked = partial(_was_there, backup.origin, receipt)
            backup = replace(backup, entries=cleaned(backup.entries, secret, asked)[0])
        elif receipt.get("what") == RETENTION:
            backup = _fresh(backup, receipt)
    return backup


def _was_there(origin: str, receipt: Mapping[str, Any], row: Row) -> bool:
    """Whether an entry was there when a receipt was written: by number (clocks go wrong), else by time."""
    last = receipt.get("seen", {}).get(origin) if origin else None
    return bool(row["time"] <= receipt["time"] if last is None else row["sequence"] <= last)


def _fresh(backup: Backup, receipt: Mapping[str, Any]) -> Backup:
    """A backup without what a receipt says to have been deleted in time."""
    gone, until = receipt["stream"], receipt["until"]
    stay = (row for row in backup.entries if not (row["stream"].startswith(gone) and row["time"] <= until))
    return replace(backup, entries=tuple(stay))


def expire(journal: Journal, stream: str, until: datetime, *, names: str = "judges") -> int:
    """Deletes entries of streams that begin so up to a time, in usual backups too; gives how many went."""
    database, before = open_database(journal.url), until.astimezone(UTC).isoformat(timespec="microseconds")
    with explained(database.place, SAVE):
        with database.writing() as connection:
            stored = _whole(connection)
            old = [
                row for row in stored.entries if row["stream"].startswith(stream) and row["time"] <= before
            ]
            if not old:
                return 0
            gone = {row["sequence"] for row in old}
            named = [row for row in stored.entries if row["stream"] == names]
            others = (row for row in stored.entries if row["stream"] != names)
            left = {row["who"] for row in others if row["sequence"] not in gone}
            nameless = {row["who"] for row in old} - left
            gone |= {row["sequence"] for row in named if row["who"] in nameless}
            stay = [row for row in stored.entries if row["sequence"] not in gone]
            about = {"stream": stream, "until": before, "removed": len(old), "time": _now()}
            receipt = {"what": RETENTION, **about}
            _keep_only(connection, stored.entries, stay, receipt)
        _swept(database)
    for path in backup_folder().glob(f"*{ENDING}"):
        backup = _if_whole(path)
        fresh = _fresh(backup, receipt)
        if len(fresh.entries) < len(backup.entries):
            files.write(path, packed(fresh))
    return len(old)


def forget(
    journal: Journal, secret: Secret, about: Mapping[str, Any], mention: Mention | None = None
) -> dict[str, Any]:
    """Removes a value from the journal for good, file and free pages included.

    The receipt names the entries that still mention it (`mentioned`), and with them the journal (`by_hand`).
    """
    database = open_database(journal.url)
    with explained(database.place, SAVE):
        with database.writing() as connection:
            stored = _whole(connection)
            secret = with_entries(secret, stored.entries)
            stay, removed, changed = cleaned(stored.entries, secret)
            held = [row["id"] for row in stay if mention is not None and mention.is_in(_text_of(row))]
            by_hand = [*about.get("by_hand", ()), *([database.name] if held else [])]
            receipt = {
                "what": secret.kind.value,
                "id": secrets.token_hex(8),
                "time": _now(),
                "seen": _seen(_backup(stored)) | {stored.origin: chain.last_number(connection)},
                "salt": secret.salt,
                "sha256": secret.digest,
                "headlines": sorted(secret.headlines),
                "removed": removed,
                "changed": changed,
                **about,
                **({"by_hand": by_hand} if mention is not None else {}),
                **({"mentioned": held} if held else {}),
            }
            _keep_only(connection, stored.entries, stay, receipt)
        problem = _swept(database)
    return {**receipt, "database": {"problem": problem}} if problem else receipt


def _text_of(row: Row) -> str:
    return "\n".join((row["stream"], row["kind"], row["who"], row["body"]))


def _keep_only(
    connection: sa.Connection, rows: Sequence[Row], stay: Iterable[Row], receipt: Mapping[str, Any]
) -> None:
    """Removes and changes entries, which a receipt says; the chains of their streams are made anew."""
    before, after = ({row["sequence"]: row for row in some} for some in (rows, stay))
    touched = {
        row["stream"] for n, row in before.items() if n not in after or after[n]["body"] != row["body"]
    }
    new = list(chain.linked(row for row in after.values() if row["stream"] in touched))
    condition = ENTRIES.c.sequence == sa.bindparam("number")
    if gone := [{"number": number} for number in before if number not in after]:
        connection.execute(sa.delete(ENTRIES).where(condition), gone)
    if more := [
        {"number": row["sequence"], "text": row["body"], "link": row["digest"]}
        for row in new
        if row["digest"] != before[row["sequence"]]["digest"]
    ]:
        cells: dict[str, Any] = {"body": sa.bindparam("text"), "digest": sa.bindparam("link")}
        connection.execute(sa.update(ENTRIES).where(condition).values(cells), more)
    chain.set_heads(connection, new, list(touched))
    chain.add_receipts(connection, [{"time": receipt["time"], "body": json.dumps(receipt)}])


def secret_in(receipt: Mapping[str, Any]) -> Secret:
    known = frozenset(receipt["headlines"])
    return Secret(ErasureTarget(receipt["what"]), receipt["salt"], receipt["sha256"], known)


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


def _swept(database: Database) -> str:
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


def own_names(body: Any, secret: Secret) -> bool:
    """Whether plain data names the value itself, and not in a part of it."""
    cells = body.items() if isinstance(body, dict) else (("", value) for value in body)
    return any(isinstance(value, str) and _names(secret, body, name, value) for name, value in cells)


def _pruned(body: Any, secret: Secret) -> Any:
    if own_names(body, secret):
        return _GONE
    parts: list[tuple[Any, Any]] = list(body.items() if isinstance(body, dict) else enumerate(body))
    after = {name: _pruned(value, secret) for name, value in parts if isinstance(value, (dict, list))}
    if any(value is _GONE and _is_about(body, name) for name, value in after.items()):
        return _GONE
    if all(value is None for value in after.values()):
        return None
    stay = [(name, value if after.get(name) is None else after[name]) for name, value in parts]
    stay = [(name, value) for name, value in stay if value is not _GONE]
    return dict(stay) if isinstance(body, dict) else [value for _, value in stay]


def _is_about(body: Any, name: Any) -> bool:
    # A vote on a pair shows both of its headlines and nothing else.
    return isinstance(body, dict) and (name in _ABOUT or (name == "shown" and isinstance(body[name], list)))


def _names(secret: Secret, body: Any, name: str, value: str) -> bool:
    if secret.kind is ErasureTarget.ENTRY or (secret.kind is ErasureTarget.PERSON and name not in OF_PEOPLE):
        return False
    return secret.is_in(value) or (secret.is_headline(value) and not _is_of_another(secret, body))


def _is_of_another(secret: Secret, body: Any) -> bool:
    place, names = _PLACES.get(secret.kind, (0, ()))
    if isinstance(body, dict):
        return any(body.get(name) for name in names)
    return len(body) > place and bool(body[place]) and len(body) > 2


def _digest(salt: str, form: str) -> str:
    return hashlib.sha256(f"{salt}{form}".encode("utf-8", errors="surrogatepass")).hexdigest()
