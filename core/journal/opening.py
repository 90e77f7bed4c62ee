"""Opens the database of an address, SQLite in the user's folder or PostgreSQL."""

import os
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import event, exc

from core import limits
from core.errors import DataSourceError, InputError
from core.journal.database import Database, file_identity
from core.runtime import user_folder

VARIABLE: Final = "HEADLINE_LAB_DATABASE_URL"
_CONNECT_SECONDS: Final = 5
_CONNECTIONS: Final = 50
"""Kept open once they were needed: fewer are opened and closed all the time where forty people save."""
_OPEN: Final[dict[str, Database]] = {}
_OPENING: Final = threading.Lock()


def default_url() -> str:
    return os.environ.get(VARIABLE) or sqlite_url(user_folder())


def sqlite_url(folder: Path) -> str:
    return sa.URL.create("sqlite", database=str(folder / "journal.sqlite")).render_as_string()


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
    hint = "Write it as postgresql://user:password@host/database, or unset it to use a file."
    return InputError(f"{VARIABLE} is no address of a SQLite or PostgreSQL database.", hint=hint)


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
        record.info["file"] = file_identity(file)

    def checked_out(_: Any, record: Any, __: Any) -> None:
        # A file that was moved away or deleted would take entries that nobody finds again.
        if record.info["file"] != file_identity(file):
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
