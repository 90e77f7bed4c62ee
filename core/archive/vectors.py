"""One vector a headline that holds its meaning and its words."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core.archive.cluster import ArchivePart, Backend
from core.archive.folder import ArchiveFolder, Array
from core.arrays import Float16Array, Float32Array, IntArray
from core.maps.direct_layout import unit_rows
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import AUTOMATIC, default_encoder, encoders
from core.pairs.given_vectors import encoder_of_file
from core.pairs.scorers.event_similarity import EventSimilarity
from core.pairs.scorers.static_embeddings import embed
from core.runtime import Runtime
from core.text.language import MIXED
from core.text.word_vectors import word_counts

if TYPE_CHECKING:
    import pyarrow as pa

ENCODING_STEP: Final = "Encoding headlines"
PART: Final = 65_536  # headlines whose vectors are one file: what a stop loses at most
WORDS: Final = 128  # with 256 the groups of UCI and AllSides were the same within .004 AMI
_BUCKETS: Final = 1 << 16


def encode(
    texts: pa.ChunkedArray, language: str, folder: ArchiveFolder, runtime: Runtime, backend: Backend, *,
    own: str | None = None,
) -> None:  # fmt: skip
    """Makes the vectors of an archive that are missing, from those in a file `own` where it is given.

    In several languages only meaning is compared.
    """
    runs = [texts[start : start + PART] for start in range(0, len(texts), PART)]
    if all(folder.holds(f"vectors/{number}") for number in range(len(runs))):
        return
    encoder = "" if language == "en" else default_encoder(language)
    if own is not None:
        encoder, _ = encoder_of_file(own, AUTOMATIC, texts.to_pylist())
    rarity = None
    if language != MIXED:
        holding = np.zeros(_BUCKETS, dtype=np.int64)
        parts = [ArchivePart(name=f"words/{number}", given=run) for number, run in enumerate(runs)]
        for words in backend(_words, parts, folder, runtime, "Reading words"):
            holding += np.bincount(words[1], minlength=_BUCKETS)
        rarity = np.log(np.float32(len(texts) + 1) / (holding.astype(np.float32) + 1)) + 1
    wanted = [
        ArchivePart(
            name=f"vectors/{number}",
            given=(run, encoder, rarity),
            reads=() if rarity is None else (f"words/{number}",),
        )
        for number, run in enumerate(runs)
    ]
    for _ in backend(_encoded, wanted, folder, runtime, ENCODING_STEP):
        pass


def vectors(folder: ArchiveFolder, start: int, stop: int) -> Float32Array:
    names, skipped = covering("vectors", start, stop)
    rows = joined([folder.array(name) for name in names], slice(skipped, skipped + stop - start))
    return rows.astype(np.float32)


def vectors_of(folder: ArchiveFolder, rows: IntArray) -> Float32Array:
    part_of = rows // PART
    taken = [
        folder.array(f"vectors/{number}")[rows[part_of == number] - number * PART]
        for number in np.unique(part_of).tolist()
    ]
    return np.concatenate(taken).astype(np.float32)


def covering(step: str, start: int, stop: int) -> tuple[tuple[str, ...], int]:
    """Arrays of a step that hold a run of headlines, and the rows before it in the first of them."""
    first, last = start // PART, max(-(-stop // PART), start // PART + 1)
    return tuple(f"{step}/{number}" for number in range(first, last)), start - first * PART


def joined(parts: Sequence[Array], rows: slice) -> Array:
    pieces, before = [], 0
    for part in parts:
        pieces.append(part[max(rows.start - before, 0) : max(rows.stop - before, 0)])
        before += len(part)
    return np.concatenate(pieces)


def _words(texts: pa.ChunkedArray, _: Sequence[Array], __: Runtime) -> npt.NDArray[np.uint16]:
    counts = word_counts(texts.to_pylist())
    hashes = [zlib.crc32(word.encode("utf-8", "replace")) for word in counts.words]
    buckets = np.array(hashes, dtype=np.int64) % _BUCKETS
    return np.array([counts.row, buckets[counts.word], counts.times], dtype=np.uint16)


def _encoded(
    given: tuple[pa.ChunkedArray, str, Float32Array | None], parts: Sequence[Array], runtime: Runtime
) -> Float16Array:
    from scipy import sparse

    run, encoder, rarity = given
    texts = run.to_pylist()
    meaning = encode_cached(texts, encoders.parse(encoder), runtime) if encoder else embed(texts)
    if rarity is None:
        return meaning.astype(np.float16)
    lexical = np.float32(EventSimilarity().lexical)
    row, hashed, times = parts[0].astype(np.int32)
    buckets, bucket = np.unique(hashed, return_inverse=True)  # the only ones whose signs are needed
    # Damped counts times rarity, as `core.text.word_vectors` weighs words.
    weights = (np.log(times.astype(np.float32)) + 1) * rarity[hashed]
    ends = np.searchsorted(row, np.arange(len(texts) + 1))
    held = sparse.csr_matrix((weights, bucket, ends), shape=(len(texts), len(buckets)))
    words = unit_rows(np.asarray(held @ _signs(buckets)))
    made = np.empty((len(texts), meaning.shape[1] + WORDS), dtype=np.float16)
    made[:, : meaning.shape[1]] = np.multiply(meaning, np.sqrt(1 - lexical), out=meaning)
    made[:, meaning.shape[1] :] = np.multiply(words, np.sqrt(lexical), out=words)
    return made


def _signs(buckets: IntArray) -> Float32Array:
    """Projections that keep products (Johnson and Lindenstrauss 1984; signs of Achlioptas 2003)."""
    drawn = np.random.default_rng(0).bit_generator.random_raw(_BUCKETS * WORDS // 8)
    bytes_of = drawn.astype("<u8", copy=False).view(np.uint8).reshape(_BUCKETS, WORDS)
    return (bytes_of[buckets] >> 7).astype(np.float32) * np.float32(2) - np.float32(1)
