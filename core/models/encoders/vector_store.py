"""Vectors on disk, in a bounded table that may be lost at any time."""

import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np

from core import files, limits
from core.arrays import Float32Array

T = TypeVar("T")
_SCHEMA = 1
# SQLite's default limit of variables in a statement was 999 before 3.32.
_KEYS_AT_ONCE = 900
_KEEP = 0.9
_SUFFIXES = ("", "-wal", "-shm", "-journal")


class VectorStore:
    """A bounded table of key → float32 vector, for threads and forks; no failure gets out."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, keys: Sequence[bytes], dimensions: int) -> dict[bytes, Float32Array]:
        """The vectors, float32 [dimensions], of those keys that are there and undamaged."""

        def read(connection: sqlite3.Connection) -> dict[bytes, Float32Array]:
            stored: dict[bytes, Float32Array] = {}
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                some = keys[start : start + _KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608
                for key, blob in connection.execute(query, some):
                    vector = _unpack(blob, dimensions)
                    if vector is not None:
                        stored[key] = vector
            return stored

        if not keys or not self._path.exists():
            return {}
        return self._attempt(read, {})

    def put(self, vectors: Mapping[bytes, Float32Array]) -> None:
        """Stores the vectors, and drops the oldest past the `embedding_cache_megabytes` limit."""
        rows = [(key, _pack(vector)) for key, vector in vectors.items()]

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("REPLACE INTO vectors (key, vector) VALUES (?, ?)", rows)
            _shrink(connection)

        if rows:
            self._attempt(write, None)

    def _attempt(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        for attempt in (1, 2):
            try:
                with self._open() as connection:
                    return work(connection)
            except sqlite3.DatabaseError as error:
                if not _damaged(error) or attempt == 2 or not self._discard():
                    return otherwise
            except (OSError, OverflowError):
                return otherwise
        return otherwise

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        if not self._path.exists():
            files.begin_private(self._path)
        with closing(sqlite3.connect(self._path, timeout=5.0)) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, _SCHEMA):
                raise sqlite3.DatabaseError("written by another version")
            if version == 0:
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS vectors "
                    "(age INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL)"
                )
                connection.execute(f"PRAGMA user_version = {_SCHEMA}")
            # A power cut may lose the last vectors, never the file.
            connection.execute("PRAGMA synchronous = NORMAL")
            yield connection

    def _discard(self) -> bool:
        try:
            for suffix in _SUFFIXES:
                Path(f"{self._path}{suffix}").unlink(missing_ok=True)
        except OSError:
            return False
        return True


def _damaged(error: sqlite3.DatabaseError) -> bool:
    if not isinstance(error, sqlite3.OperationalError):
        return True
    return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_ERROR  # it has other tables than ours


def _shrink(connection: sqlite3.Connection) -> None:
    def pragma(name: str) -> int:
        return int(connection.execute(f"PRAGMA {name}").fetchone()[0])

    limit = limits.EMBEDDING_CACHE_MEGABYTES.value * 1_000_000
    used = (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
    if used <= limit:
        return
    with connection:
        rows = int(connection.execute("SELECT count(*) FROM vectors").fetchone()[0])
        drop = int(rows * (1 - _KEEP * limit / used)) + 1
        connection.execute(
            "DELETE FROM vectors WHERE age IN (SELECT age FROM vectors ORDER BY age LIMIT ?)", (drop,)
        )
    connection.execute("PRAGMA incremental_vacuum").fetchall()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _pack(vector: Float32Array) -> bytes:
    data = np.ascontiguousarray(vector, dtype="<f4").tobytes()
    return zlib.crc32(data).to_bytes(4, "little") + data


def _unpack(blob: object, dimensions: int) -> Float32Array | None:
    if not isinstance(blob, bytes) or len(blob) != 4 + 4 * dimensions:
        return None
    data = memoryview(blob)[4:]
    if zlib.crc32(data).to_bytes(4, "little") != blob[:4]:
        return None
    return np.frombuffer(data, dtype="<f4").astype(np.float32, copy=False)
