"""A database: who may read and write it, and when."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy import exc

from core import files, limits
from core.errors import DataSourceError
from core.journal import linked_rows
from core.journal.database_errors import DAMAGED, is_locked
from core.journal.losses import MARK_LINE, mark_of, noted_losses
from core.journal.schema import REVISION, revision_of, upgrade
from core.runtime import tighten_folders

_ORDER: Final = 0x48_4C_61_62  # key of the lock for which writers on PostgreSQL wait
_RESTORE: Final = _ORDER + 1  # key of the lock that says that a backup is being restored
_RESTORING: Final = sa.text(
    "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = :key"
    " AND classid = 0 AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"
)
_CHECKED_BYTES: Final = 64_000_000
"""Files up to this size are checked when they are opened, in 0.06 s for each ten megabytes."""


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
        return file_identity(self.file)

    @property
    def name(self) -> str:
        return "the database" if self.file is None else self.file.name

    @contextmanager
    def reading(self) -> Iterator[sa.Connection | None]:
        """A connection that reads as of one moment; None where nothing was ever stored."""
        if self.file is not None and not (self.file.exists() and self.file.stat().st_size):
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
                mark = connection.info.pop(linked_rows.ADDED, None) or mark_of(connection)
        if mark is not None:
            with suppress(OSError):
                files.jot(self.head, MARK_LINE % mark)

    def _begun(self, held: ExitStack) -> sa.Connection:
        if self.file is None:
            connection = held.enter_context(self.engine.begin())
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ORDER)))
            return connection
        if not self._turn.acquire(timeout=limits.DATABASE_SECONDS.value):
            raise exc.TimeoutError
        held.callback(self._turn.release)
        connection = held.enter_context(self.engine.execution_options(immediate=True).begin())
        connection.info.pop(linked_rows.ADDED, None)  # of a transaction that was undone
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
            new = self.file is not None and noted_losses(connection, self.head)
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
            if of_indexes and not any(linked_rows.contents(connection).faults()):
                connection.exec_driver_sql("REINDEX")
                found = structure_faults(connection)
            if found:
                raise DataSourceError(f"The file is damaged ({self.place}: {found[0]}).", hint=DAMAGED)

    @property
    def head(self) -> Path:
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


def file_identity(file: Path | None) -> object:
    if file is None:
        return "PostgreSQL"
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
