"""The database, SQLite in the user's folder or PostgreSQL by its address, with its tables up to date."""

import json
import os
import re
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import event, exc

from core import files, limits
from core.errors import DataSourceError, InputError
from core.journal import chain
from core.journal.chain import ENTRIES, HEADS
from core.runtime import tighten_folders, user_folder

REVISION: Final = "v0002"  # version of the tables that this program works with: the last of `migrations`

_FOLDER: Final = Path(__file__).with_name("migrations")


def revision_of(connection: sa.Connection) -> str | None:
    """The version of the tables; None where there are none."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return None if version is None else str(version)


def upgrade(connection: sa.Connection) -> None:
    """Runs the steps that are missing, all or none, inside the connection's transaction."""
    before = revision_of(connection)
    if before == REVISION:
        return
    # Loading Alembic takes a quarter of a second, which only a new or older database costs.
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    steps = ScriptDirectory(str(_FOLDER), version_locations=[str(_FOLDER)])
    if before is not None and before not in {revision.revision for revision in steps.walk_revisions()}:
        hint = "Update Headline Lab, or set HEADLINE_LAB_DATABASE_URL to another database."
        raise DataSourceError("A newer version of Headline Lab made this database.", hint=hint)
    options = {"fn": lambda now, _: steps._upgrade_revs(REVISION, now), "script": steps}
    context = MigrationContext.configure(connection, opts=options)
    with Operations.context(context):
        context.run_migrations()


VARIABLE: Final = "HEADLINE_LAB_DATABASE_URL"
_ORDER: Final = 0x48_4C_61_62  # key of the lock for which writers on PostgreSQL wait
_RESTORE: Final = _ORDER + 1  # key of the lock that says that a backup is being restored
_RESTORING: Final = sa.text(
    "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = :key"
    " AND classid = 0 AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"
)
_CONNECT_SECONDS: Final = 5
_CHECKED_BYTES: Final = 64_000_000
"""Files up to this size are checked when they are opened, in 0.06 s for each ten megabytes."""
_CONNECTIONS: Final = 50
"""Kept open once they were needed: fewer are opened and closed all the time where forty people save."""


def default_url() -> str:
    return os.environ.get(VARIABLE) or sqlite_url(user_folder())


def sqlite_url(folder: Path) -> str:
    return sa.URL.create("sqlite", database=str(folder / "journal.sqlite")).render_as_string()


@dataclass(slots=True, eq=False)
class Database:
    engine: sa.Engine
    file: Path | None
    place: str
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _ready: object = None

    @property
    def identity(self) -> object:
        """What tells it from another file of the same name; None where there is no file yet."""
        return _identity(self.file)

    @property
    def name(self) -> str:
        return "the database" if self.file is None else self.file.name

    @contextmanager
    def reading(self) -> Iterator[sa.Connection | None]:
        """A connection that reads as of one moment; None where nothing was ever stored."""
        if self.file is not None and not self.file.exists():
            yield None
            return
        self._prepare()
        with self.engine.connect() as connection:
            if self.file is None:
                connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that no other writer disturbs; it is on the disk when this ends without an error."""
        if self.file is not None and (self._ready is None or self._ready != self.identity):
            files.make_folder(self.file.parent)
            files.begin_private(self.file)  # its log gets the same rights
        self._prepare()
        with self._alone() as connection:
            yield connection

    @contextmanager
    def replacing(self) -> Iterator[sa.Connection]:
        """The same, while `restoring` says to others that a backup is being restored."""
        with ExitStack() as held:
            if self.file is not None:
                files.make_folder(self.file.parent)
                held.enter_context(files.locked(self._restore))
                held.callback(files.remove, self._restore)
            connection = held.enter_context(self.writing())
            if self.file is None:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_RESTORE)))
            yield connection

    @property
    def restoring(self) -> bool:
        """Whether a backup is being restored at this moment."""
        if self.file is None:
            with self.engine.connect() as connection:
                return bool(connection.execute(_RESTORING, {"key": _RESTORE}).scalar())
        if not self._restore.exists():
            return False
        with files.only_one(self._restore) as left:
            if left:  # by a program that was killed
                files.remove(self._restore)
        return not left

    @contextmanager
    def _alone(self) -> Iterator[sa.Connection]:
        mark = None
        with ExitStack() as held:
            try:
                connection = self._begun(held)
            except exc.SQLAlchemyError as error:
                if is_locked(error) and self.restoring:
                    message = f"A backup is being restored, so this cannot be saved now ({self.place})."
                    raise DataSourceError(message, hint="Wait a minute, then try again.") from error
                raise
            yield connection
            if self.file is not None:
                mark = connection.info.pop(chain.ADDED, None) or _mark(connection)
        if mark is not None:
            with suppress(OSError):
                files.jot(self._head, _MARK % mark)

    def _begun(self, held: ExitStack) -> sa.Connection:
        if self.file is None:
            connection = held.enter_context(self.engine.begin())
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ORDER)))
            return connection
        if not self._turn.acquire(timeout=limits.DATABASE_SECONDS.value):
            raise exc.TimeoutError
        held.callback(self._turn.release)
        connection = held.enter_context(self.engine.execution_options(immediate=True).begin())
        connection.info.pop(chain.ADDED, None)  # of a transaction that was undone
        return connection

    def _prepare(self) -> None:
        if self._ready is not None and self._ready == self.identity:
            return
        tighten_folders()
        if self.file is not None:
            for path in self.file.parent.glob(f"{self.file.name}*"):
                files.make_private(path)
            if self.file.exists() and self.file.stat().st_size <= _CHECKED_BYTES:
                self._check()
        with self._alone() as connection:
            upgrade(connection)
            new = self.file is not None and _numbered(connection, self._head)
        if new:
            # What tells this database from another must not lie in the log, which may be damaged.
            with self.engine.connect() as connection:
                connection.exec_driver_sql("COMMIT")
                connection.exec_driver_sql("PRAGMA wal_checkpoint")
        self._ready = self.identity

    def _check(self) -> None:
        """Refuses a damaged file; an index that leads past entries is made again where they are whole."""
        with self.engine.connect() as connection:
            if not structure_faults(connection):
                return
        with self._alone() as connection:
            found = structure_faults(connection)
            of_indexes = all(" index " in fault for fault in found) and revision_of(connection) == REVISION
            if of_indexes and not any(chain.contents(connection).faults()):
                connection.exec_driver_sql("REINDEX")
                found = structure_faults(connection)
            if found:
                raise DataSourceError(f"The file is damaged ({self.place}: {found[0]}).", hint=_DAMAGED)

    @property
    def _head(self) -> Path:
        """Beside the file, how far it had come: not synced, so that it costs no time."""
        return Path(f"{self.file}-head")

    @property
    def _restore(self) -> Path:
        """Beside the file while a backup is being restored, and locked."""
        return Path(f"{self.file}-restore")


def structure_faults(connection: sa.Connection) -> list[str]:
    """What SQLite itself says of the structure of its file, indexes too."""
    if connection.dialect.name != "sqlite":
        return []
    said = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars()
    return [line for line in said if line != "ok"]


LOSSES: Final = "losses"
"""The stream with an entry for each time that the newest entries were gone at a start."""

_MARKED: Final = """SELECT user_version,
coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'entries'), 0),
coalesce((SELECT max(number) FROM receipts), 0),
coalesce((SELECT max(sequence) FROM entries), 0) FROM pragma_user_version"""
"""One question: it is asked with each answer, while others wait for their turn."""
_MARK: Final = b"\n%d %d %d %d\n"  # after a line that was cut off a new one begins
_MARKS: Final = re.compile(rb"^(\d+) (\d+) (\d+) (\d+)\n", re.MULTILINE)  # a cut leaves lines of nothing


def _mark(connection: sa.Connection) -> tuple[int, int, int, int]:
    """The database's own number, the last that an entry was given, those of last receipt and entry."""
    number, given, receipts, last = connection.exec_driver_sql(_MARKED).one()
    return number, given, receipts, last


def _numbered(connection: sa.Connection, head: Path) -> bool:
    """Gives a new database a number; stores in an older one what it lacks, of which SQLite is silent."""
    number, given, removals, last = _mark(connection)
    if not number:
        connection.exec_driver_sql(f"PRAGMA user_version = {secrets.randbelow(2**31 - 1) + 1}")
        return True
    try:
        marks = _MARKS.findall(head.read_bytes())
    except OSError:
        marks = []
    own = [mark for mark in (tuple(map(int, mark)) for mark in marks) if mark[0] == number]
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
        chain.add(connection, [{**lost, "body": body}], past=before)
    with suppress(DataSourceError):
        files.write(head, _MARK % _mark(connection))
    return False


def _end_at_what_is_there(connection: sa.Connection, last: int) -> None:
    """Where the newest entries are said to be lost, streams end before them."""
    past = list(connection.execute(sa.select(HEADS.c.stream).where(HEADS.c.last > last)).scalars())
    newest = sa.select(sa.func.max(ENTRIES.c.sequence)).where(ENTRIES.c.stream.in_(past))
    left = sa.select(ENTRIES).where(ENTRIES.c.sequence.in_(newest.group_by(ENTRIES.c.stream)))
    chain.set_heads(connection, connection.execute(left).mappings().all(), past)


_OPEN: Final[dict[str, Database]] = {}
_OPENING: Final = threading.Lock()


def open_database(url: str) -> Database:
    """The database at an address, opened once in a process."""
    with _OPENING:
        if url not in _OPEN:
            _OPEN[url] = _database(url)
        return _OPEN[url]


def close(url: str) -> None:
    with _OPENING:
        database = _OPEN.pop(url, None)
    if database is not None:
        database.engine.dispose()


def _database(url: str) -> Database:
    try:
        parsed = sa.make_url(url)
    except exc.ArgumentError:
        raise _unknown() from None
    if parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return _sqlite(parsed, Path(parsed.database))
    if parsed.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return _postgresql(parsed.set(drivername="postgresql+psycopg"))
    raise _unknown()


def _unknown() -> InputError:
    message = f"{VARIABLE} is no address of a SQLite or PostgreSQL database."
    hint = "Write it as postgresql://user:password@host/database, or unset it to use a file."
    return InputError(message, hint=hint)


def _engine(url: sa.URL, **options: Any) -> sa.Engine:
    pool = {"pool_size": _CONNECTIONS, "max_overflow": 0, "pool_timeout": limits.DATABASE_SECONDS.value}
    return sa.create_engine(url, **pool, **options)


def _sqlite(url: sa.URL, file: Path) -> Database:
    wait = limits.DATABASE_SECONDS.value
    # Without an isolation level `_begin` begins, and not the driver.
    options = {"timeout": wait, "isolation_level": None, "check_same_thread": False}
    engine = _engine(url, connect_args=options)

    def connected(connection: Any, record: Any) -> None:
        _set_up(connection, wait)
        record.info["file"] = _identity(file)

    def checked_out(_: Any, record: Any, __: Any) -> None:
        # A file that was moved away or deleted would take entries that nobody finds again.
        if record.info["file"] != _identity(file):
            raise exc.DisconnectionError

    event.listen(engine, "connect", connected)
    event.listen(engine, "checkout", checked_out)
    event.listen(engine, "begin", _begin)
    return Database(engine, file, str(file))


def _set_up(connection: Any, wait: float) -> None:
    until = time.monotonic() + wait
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
        while True:
            try:
                connection.execute(f"PRAGMA {pragma}").close()
                break
            except sqlite3.OperationalError as error:
                # Of several processes that open a new file one sets the mode, and the others do not wait.
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(0.01)


def _identity(file: Path | None) -> object:
    if file is None:
        return "PostgreSQL"
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _begin(connection: sa.Connection) -> None:
    immediate = connection.get_execution_options().get("immediate")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def _postgresql(url: sa.URL) -> Database:
    try:
        engine = _engine(url, pool_pre_ping=True, connect_args={"connect_timeout": _CONNECT_SECONDS})
    except ModuleNotFoundError:
        message = f"The library for {url.get_backend_name()} is not installed."
        raise DataSourceError(message, hint="Install it with `pip install 'psycopg[binary]'`.") from None

    def connected(connection: Any, _: Any) -> None:
        connection.execute(f"SET lock_timeout = '{limits.DATABASE_SECONDS.value}s'")
        connection.commit()

    event.listen(engine, "connect", connected)
    return Database(engine, None, url.render_as_string(hide_password=True))


SAVE: Final = "saved"
READ: Final = "read"
_SAYS: Final = (
    ("disk is full", "the disk is full", "Make space on the disk, then try again."),
    ("no space left", "the disk is full", "Make space on the disk, then try again."),
    ("could not extend file", "the disk is full", "Make space on the disk, then try again."),
    ("not a database", "the file is damaged", ""),
    ("malformed", "the file is damaged", ""),
    ("readonly database", "the folder or file is read-only", "Allow writing there, then try again."),
    ("read-only", "the database is read-only", "Allow writing there, then try again."),
    ("unable to open", "the file cannot be opened", "Check that the folder may be written, then try again."),
    ("disk i/o error", "the disk failed", "Check the disk and its space, then try again."),
    ("could not decode", "the file is damaged", ""),
    ("database is locked", "another program has locked it", "Close the other program, then try again."),
    ("lock timeout", "another program has locked it", "Close the other program, then try again."),
)
_DAMAGED: Final = (
    "Move the file away and bring back a backup with `headline-lab restore`; nothing was written to it."
)
_AWAY: Final = "Check that the database runs and that the network works, then try again."


@contextmanager
def explained(place: str, doing: str) -> Iterator[None]:
    """Turns an error of a database into one for people."""
    try:
        yield
    except exc.SQLAlchemyError as error:
        raise _in_words(error, place, doing) from error
    except UnicodeDecodeError as error:  # a name in the file
        broken = exc.DatabaseError("", {}, sqlite3.DatabaseError("malformed"))
        raise _in_words(broken, place, doing) from error


def is_cut_off(error: exc.SQLAlchemyError) -> bool:
    """Whether the connection is gone, so that a new one may work."""
    if not isinstance(error, exc.DBAPIError) or is_locked(error):
        return False
    elsewhere = isinstance(error, exc.OperationalError) and "sqlite" not in type(error.orig).__module__
    return error.connection_invalidated or elsewhere


def is_locked(error: exc.SQLAlchemyError) -> bool:
    """Whether it was not this writer's turn for too long."""
    said = str(error.orig if isinstance(error, exc.DBAPIError) else error).lower()
    return isinstance(error, exc.TimeoutError) or "database is locked" in said or "lock timeout" in said


def _in_words(error: exc.SQLAlchemyError, place: str, doing: str) -> DataSourceError:
    said = str(error.orig if isinstance(error, exc.DBAPIError) else error).lower()
    what = f"This cannot be {doing}" if doing == SAVE else f"What was stored cannot be {doing}"
    for sign, reason, hint in _SAYS:
        if sign in said:
            return DataSourceError(f"{what}: {reason} ({place}).", hint=hint or _DAMAGED)
    if isinstance(error, exc.TimeoutError) or is_cut_off(error):
        return DataSourceError(f"{what}: the database does not answer ({place}).", hint=_AWAY)
    first = said.partition("\n")[0]
    return DataSourceError(f"{what}: the database refuses ({place}: {first}).", hint=_AWAY)
