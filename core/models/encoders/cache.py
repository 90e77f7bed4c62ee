"""An encoder that never pays twice for a text, and loads its model only for a new one."""

from __future__ import annotations

import dataclasses
import hashlib
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from core import limits
from core.arrays import Float32Array
from core.files import ROOT
from core.models.encoders.encoder import STEP, Encoder, EncoderRecipe, encoders
from core.models.networks.batches import fold, numbers_told
from core.runtime import Runtime

T = TypeVar("T")
_SCHEMA = 1
# SQLite's default limit of variables in a statement was 999 before 3.32.
_KEYS_AT_ONCE = 900
_KEEP = 0.9
_SUFFIXES = ("", "-wal", "-shm", "-journal")


class VectorStore:
    """A bounded table of key → float32 vector.

    Nothing in it is precious, so no failure gets out: a damaged file is replaced by a new one,
    and a folder that cannot be written, a full disk or a lock that is never freed make it an
    empty store. Every call opens its own connection, so that threads and forks may share it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, keys: Sequence[bytes], dimensions: int) -> dict[bytes, Float32Array]:
        """The vectors, float32 [dimensions], of those keys that are there and undamaged."""

        def read(connection: sqlite3.Connection) -> dict[bytes, Float32Array]:
            found: dict[bytes, Float32Array] = {}
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                some = keys[start : start + _KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608
                for key, blob in connection.execute(query, some):
                    vector = _unpack(blob, dimensions)
                    if vector is not None:
                        found[key] = vector
            return found

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
        self._path.parent.mkdir(parents=True, exist_ok=True)
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


FILE = "embeddings.sqlite3"
SHIPPED: Final = ROOT / "samples" / "iss" / "vectors.npz"
"""Vectors of the sample that opens first, by their keys, so that its picture needs no model."""
# New vectors are kept after every so many, so that a step that is stopped loses little.
_CHECKPOINT = 4096


def encode_cached(texts: Sequence[str], recipe: EncoderRecipe, runtime: Runtime) -> Float32Array:
    """Unit vectors, float32 [n, d], through the cache on disk in `runtime.cache`.

    The key of a vector is the recipe's signature, the fingerprint of its weights, what it was computed
    in, and the text. The model is built at the first text that is new.
    """
    return CachedEncoder(recipe, runtime).encode(texts)


@cache
def shipped() -> Mapping[bytes, Float32Array]:
    """Vectors that ship, by their keys; none where the file is missing."""
    if not SHIPPED.is_file():
        return {}
    with np.load(SHIPPED, allow_pickle=False) as held:
        return dict(zip(map(bytes, held["keys"]), held["vectors"], strict=True))


def shipped_keys(texts: Sequence[str], recipe: EncoderRecipe) -> list[bytes]:
    """Keys that the vectors of some texts ship under, computed in float32, 16 bytes each."""
    space = _space(recipe, "shipped")
    return [_key(space, text) for text in texts]


def numbers_of_vectors(texts: Sequence[str], recipe: EncoderRecipe, runtime: Runtime) -> tuple[str, ...]:
    """The part of a signature for what the vectors of some texts are computed in; see `numbers_told`.

    Vectors that ship are the same on any machine, whatever it is quickest in.
    """
    if shipped().keys() >= set(shipped_keys(texts, recipe)):
        runtime = dataclasses.replace(runtime, half=False)
    return numbers_told(runtime, recipe)


class CachedEncoder:
    """An encoder behind the cache, to be kept by whoever encodes again and again: its model is built once."""

    def __init__(self, recipe: EncoderRecipe, runtime: Runtime) -> None:
        self._recipe = recipe
        self._runtime = runtime
        self._dimensions = recipe.dimensions
        self._store = VectorStore(runtime.cache / FILE)
        self._encoder: Encoder | None = None
        self._lock = threading.Lock()
        self._done = (0, 0, 0)

    def encode(self, texts: Sequence[str]) -> Float32Array:
        distinct, inverse = fold(texts)
        keys, known = shipped_keys(distinct, self._recipe), shipped()
        # All or none, so that the vectors of a timeline are computed in one kind of numbers.
        if not known.keys() >= set(keys):
            space = _space(self._recipe, *numbers_told(self._runtime, self._recipe))
            keys = [_key(space, text) for text in distinct]
            known = self._store.get(keys, self._dimensions)
        vectors = np.zeros((len(distinct), self._dimensions), dtype=np.float32)
        missing: list[int] = []
        for row, key in enumerate(keys):
            if key in known:
                vectors[row] = known[key]
            else:
                missing.append(row)
        if missing:
            self._fill(vectors, distinct, keys, missing)
        return vectors[inverse]

    def _fill(self, vectors: Float32Array, texts: list[str], keys: list[bytes], missing: list[int]) -> None:
        # By length, so that the parts hold batches with little padding.
        missing = sorted(missing, key=lambda row: -len(texts[row]))
        parts = [missing[i : i + _CHECKPOINT] for i in range(0, len(missing), _CHECKPOINT)]
        before = 0
        for rows in self._runtime.quietly().track(parts, STEP):
            with self._lock:
                self._done = (before, len(rows), len(missing))
                encoder = self._built()
            new = encoder.encode([texts[row] for row in rows])
            vectors[rows] = new
            self._store.put({keys[row]: vector for row, vector in zip(rows, new, strict=True)})
            before += len(rows)

    def _built(self) -> Encoder:
        if self._encoder is None:
            self._encoder = self._recipe.build(dataclasses.replace(self._runtime, report=self._report))
        return self._encoder

    def _report(self, step: str, done: int, total: int) -> None:
        before, part, everything = self._done
        self._runtime.report(step, before + part * done // max(total, 1), everything)


def _space(recipe: EncoderRecipe, *parts: str) -> bytes:
    named = (encoders.signature(recipe), recipe.fingerprint, *parts)
    return hashlib.blake2b("\0".join(named).encode(), digest_size=16).digest()


def _key(space: bytes, text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=space, digest_size=16).digest()
