"""Vectors of texts through the cache on disk, by which no text is paid for twice."""

import dataclasses
import hashlib
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

import numpy as np

from core.arrays import Float32Array
from core.files import ROOT
from core.models.encoders import network_encoder, vector_store
from core.models.encoders.encoder import Encoder, EncoderRecipe, encoders
from core.models.networks import batches, precision
from core.runtime import Runtime

FILE = "embeddings.sqlite3"
SHIPPED: Final = ROOT / "samples" / "iss" / "vectors.npz"  # of the first sample, by their keys
# New vectors are kept after every so many, so that a step that is stopped loses little.
_CHECKPOINT = 4096


def encode_cached(texts: Sequence[str], recipe: EncoderRecipe, runtime: Runtime) -> Float32Array:
    """Unit vectors, float32 [n, d], through the cache on disk; the model is built for new texts alone."""
    encoder = CachedEncoder(recipe, runtime)
    try:
        return encoder.encode(texts)
    finally:
        encoder.close()


class CachedEncoder:
    """An encoder behind the cache, to be kept by whoever encodes again and again: its model is built once."""

    def __init__(self, recipe: EncoderRecipe, runtime: Runtime) -> None:
        self._recipe = recipe
        self._runtime = runtime
        self._dimensions = recipe.dimensions
        self._store = vector_store.VectorStore(runtime.cache / FILE)
        self._encoder: Encoder | None = None
        self._lock = threading.Lock()
        self._done = (0, 0, 0)

    def encode(self, texts: Sequence[str]) -> Float32Array:
        distinct, inverse = batches.fold(texts)
        keys, known = shipped_keys(distinct, self._recipe), shipped()
        # All or none, so that the vectors of a timeline are computed in one kind of numbers.
        if self._runtime.forced or not known.keys() >= set(keys):
            space = _space(self._recipe, *precision.numbers_signature(self._runtime, self._recipe))
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
        for rows in self._runtime.quietly().track(parts, network_encoder.STEP):
            with self._lock:
                self._done = (before, len(rows), len(missing))
                encoder = self._built()
            new = encoder.encode([texts[row] for row in rows])
            vectors[rows] = new
            self._store.put({keys[row]: vector for row, vector in zip(rows, new, strict=True)})
            before += len(rows)

    def close(self) -> None:
        """Lets the model go, whose reports lead back here: else it stays until the garbage is collected."""
        self._encoder = None

    def _built(self) -> Encoder:
        if self._encoder is None:
            self._encoder = self._recipe.build(dataclasses.replace(self._runtime, report=self._report))
        return self._encoder

    def _report(self, step: str, done: int, total: int) -> None:
        before, part, everything = self._done
        self._runtime.report(step, before + part * done // max(total, 1), everything)


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
    return precision.numbers_signature(runtime, recipe)


def _space(recipe: EncoderRecipe, *parts: str) -> bytes:
    named = (encoders.signature(recipe), recipe.fingerprint, *parts)
    return hashlib.blake2b("\0".join(named).encode(), digest_size=16).digest()


def _key(space: bytes, text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=space, digest_size=16).digest()
