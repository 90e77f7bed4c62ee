"""SQLite on a simulated disk, as a driver of SQLAlchemy: its calls on files are seen and refused."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from unittest import mock

import apsw
import sqlalchemy as sa

from tests.simulation.disk import Disk, Failure, Killed

NAME = "simulated"


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk, self._path = disk, name if isinstance(name, str) else name.filename()
        self._memory = not self._path.startswith(str(disk.folder)) or self._path.endswith("-shm")
        super().__init__("", name, flags)
        if not self._memory:
            disk.file(self._path)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._call("write")
        super().xWrite(data, offset)
        if not self._memory:
            self._disk.wrote(self._path, offset, bytes(data))

    def xTruncate(self, size: int) -> None:
        self._call("truncate")
        super().xTruncate(size)
        if not self._memory:
            self._disk.cut(self._path, size)

    def xSync(self, flags: int) -> None:
        self._call("fsync")
        if not self._memory:
            self._disk.sync(self._path, with_name=True)

    def _call(self, name: str) -> None:
        if not self._memory:
            _refused(self._disk, name)


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        super().__init__(NAME, "")

    def xOpen(self, name: Any, flags: list[int]) -> _File:
        return _File(self.disk, name, flags)

    def xFullPathname(self, name: str) -> str:
        return os.path.realpath(name)

    def xDelete(self, name: str, sync: bool) -> None:
        _refused(self.disk, "unlink")
        super().xDelete(name, False)
        self.disk.removed(name)


def _refused(disk: Disk, name: str) -> None:
    try:
        disk.call(name)
    except Failure as error:
        kinds = {28: apsw.FullError, 30: apsw.ReadOnlyError}
        raise kinds.get(error.errno or 0, apsw.IOError)(str(error)) from error


_SAYS = (
    (apsw.BusyError, sqlite3.OperationalError, "database is locked"),
    (apsw.LockedError, sqlite3.OperationalError, "database table is locked"),
    (apsw.FullError, sqlite3.OperationalError, "database or disk is full"),
    (apsw.ReadOnlyError, sqlite3.OperationalError, "attempt to write a readonly database"),
    (apsw.IOError, sqlite3.OperationalError, "disk I/O error"),
    (apsw.CantOpenError, sqlite3.OperationalError, "unable to open database file"),
    (apsw.CorruptError, sqlite3.DatabaseError, "database disk image is malformed"),
    (apsw.NotADBError, sqlite3.DatabaseError, "file is not a database"),
    (apsw.ConstraintError, sqlite3.IntegrityError, "constraint failed"),
)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        for kind, driver, text in _SAYS:
            if isinstance(error, kind):
                raise driver(text) from error
        raise sqlite3.OperationalError(f"{type(error).__name__}: {error}") from error


class _Cursor:
    arraysize = 1

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount, self.lastrowid = -1, 0

    def execute(self, statement: str, given: Sequence[Any] | dict[str, Any] = ()) -> _Cursor:
        raw = self._connection.raw
        cursor = raw.cursor()
        self.description = None

        def seen(cursor: apsw.Cursor, statement: str, bindings: Any) -> bool:
            columns = cursor.get_description()
            self.description = tuple((name, *[None] * 6) for name, _ in columns) or None
            return True

        cursor.exec_trace = seen
        with _translated():
            self._rows = list(cursor.execute(statement, given if isinstance(given, dict) else tuple(given)))
        self.rowcount, self.lastrowid = raw.changes(), raw.last_insert_rowid()
        return self

    def executemany(self, statement: str, many: Sequence[Any]) -> _Cursor:
        count = 0
        for given in many:
            count += self.execute(statement, given).rowcount
        self.rowcount = count
        return self

    def fetchone(self) -> Any:
        return self._rows.pop(0) if self._rows else None

    def fetchmany(self, size: int = 1) -> list[Any]:
        rows, self._rows = self._rows[:size], self._rows[size:]
        return rows

    def fetchall(self) -> list[Any]:
        rows, self._rows = self._rows, []
        return rows

    def close(self) -> None:
        self._rows = []


class _Connection:
    isolation_level = None

    def __init__(self, database: str, **_: Any) -> None:
        with _translated():
            self.raw = apsw.Connection(database, vfs=NAME)
        self.raw.set_busy_timeout(0)
        self.name = database
        _OPEN.append(self)

    def cursor(self) -> _Cursor:
        return _Cursor(self)

    def execute(self, statement: str) -> _Cursor:
        return _Cursor(self).execute(statement)

    def create_function(self, *_: Any, **__: Any) -> None:
        """SQLAlchemy's regular expressions, which nothing here uses."""

    def commit(self) -> None:
        if self.raw.in_transaction:
            self.execute("COMMIT")

    def rollback(self) -> None:
        if self in _OPEN and self.raw.in_transaction:
            self.execute("ROLLBACK")

    def close(self) -> None:
        with suppress(apsw.Error, Killed):
            self.raw.close(True)
        if self in _OPEN:
            _OPEN.remove(self)


_OPEN: list[_Connection] = []


class _Driver:
    """What SQLAlchemy wants of a module: sqlite3, but for who connects."""

    connect = _Connection

    def __getattr__(self, name: str) -> Any:
        return getattr(sqlite3, name)


@contextmanager
def on(disk: Disk) -> Iterator[_Vfs]:
    """Databases that are opened inside lie on the disk."""
    vfs = _Vfs(disk)
    create = sa.create_engine
    # A pool says at length that it cannot roll back for a server that was killed.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL + 1)

    def engine(url: Any, **options: Any) -> sa.Engine:
        return create(url, module=_Driver(), **options)

    try:
        with mock.patch.object(sa, "create_engine", engine):
            yield vfs
    finally:
        abandon()
        vfs.unregister()


def abandon(url: str | None = None) -> None:
    """Closes the connections of one server, or all, as the end of its process does: nothing is written."""
    for connection in _OPEN[:]:
        if url is None or connection.name == sa.make_url(url).database:
            connection.close()
