"""One vector a headline that holds its meaning and its words, so that a product of two is their blend.

The first part is the mean static embedding (`core.pairs.scorers.cosine.StaticEmbeddings`), the second the
weighted words, hashed and projected at random: products of projections estimate those of the words
(Johnson and Lindenstrauss 1984, with the signs of Achlioptas 2003). Parts are weighed as the scorer
`event_similarity` weighs meaning and words.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from core.archive.cluster import ArchivePart, Backend
from core.archive.reading import ArchiveFolder, Array
from core.arrays import Float16Array, Float32Array, IntArray
from core.pairs.features.word_vectors import word_counts
from core.pairs.scorers.cosine import embed
from core.pairs.scorers.event_similarity import EventSimilarity
from core.runtime import Runtime

STEP: Final = "Encoding headlines"
PART: Final = 65_536  # headlines whose vectors are one file: what a stop loses at most
WORDS: Final = 128
"""Length of the projected words; with 256 the groups of UCI and AllSides were the same within .004 AMI."""
_BUCKETS: Final = 1 << 16


def encode(texts: Sequence[str], folder: ArchiveFolder, runtime: Runtime, backend: Backend) -> None:
    """Makes the vectors of an archive that are missing, part by part: `vectors/0`, `vectors/1`, …"""
    runs = [texts[start : start + PART] for start in range(0, len(texts), PART)]
    if all(folder.holds(f"vectors/{number}") for number in range(len(runs))):
        return
    holding = np.zeros(_BUCKETS, dtype=np.int64)
    told = [ArchivePart(name=f"words/{number}", given=run) for number, run in enumerate(runs)]
    for words in backend.make(_words, told, folder, runtime, "Reading words"):
        holding += np.bincount(words[1], minlength=_BUCKETS)
    rarity = np.log(np.float32(len(texts) + 1) / (holding.astype(np.float32) + 1)) + 1
    wanted = [
        ArchivePart(name=f"vectors/{number}", given=(run, rarity), reads=(f"words/{number}",))
        for number, run in enumerate(runs)
    ]
    for _ in backend.make(_encoded, wanted, folder, runtime, STEP):
        pass


def vectors(folder: ArchiveFolder, start: int, stop: int) -> Float32Array:
    """Vectors of a run of headlines, float32 [stop - start, d]."""
    names, skipped = covering("vectors", start, stop)
    rows = joined([folder.array(name) for name in names], slice(skipped, skipped + stop - start))
    return rows.astype(np.float32)


def vectors_of(folder: ArchiveFolder, rows: IntArray) -> Float32Array:
    """Vectors of some headlines, float32 [k, d]."""
    part_of = rows // PART
    return np.concatenate(
        [
            folder.array(f"vectors/{number}")[rows[part_of == number] - number * PART].astype(np.float32)
            for number in np.unique(part_of).tolist()
        ]
    )


def covering(step: str, start: int, stop: int) -> tuple[tuple[str, ...], int]:
    """Arrays of a step that hold a run of headlines, and the rows before it in the first of them."""
    first, last = start // PART, max(-(-stop // PART), start // PART + 1)
    return tuple(f"{step}/{number}" for number in range(first, last)), start - first * PART


def joined(parts: Sequence[Array], rows: slice) -> Array:
    """Some rows of arrays that follow one another."""
    found, before = [], 0
    for part in parts:
        found.append(part[max(rows.start - before, 0) : max(rows.stop - before, 0)])
        before += len(part)
    return np.concatenate(found)


def unit(rows: Float32Array) -> Float32Array:
    """Rows of length 1; rows of zeros stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Float32Array = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled


def _words(texts: Sequence[str], _: Sequence[Array], __: Runtime) -> npt.NDArray[np.uint16]:
    """Words of headlines, uint16 [3, m]: the row, the bucket that a word is hashed into, how often it stands
    there."""
    found = word_counts(texts)
    buckets = np.fromiter(
        (zlib.crc32(word.encode("utf-8", "replace")) % _BUCKETS for word in found.words),
        np.int64,
        len(found.words),
    )
    return np.array([found.row, buckets[found.word], found.times], dtype=np.uint16)


def _encoded(given: tuple[Sequence[str], Float32Array], parts: Sequence[Array], _: Runtime) -> Float16Array:
    from scipy import sparse

    texts, rarity = given
    lexical = np.float32(EventSimilarity().lexical)
    row, hashed, times = parts[0].astype(np.int32)
    buckets, bucket = np.unique(hashed, return_inverse=True)  # the only ones whose signs are needed
    # Damped counts times rarity, as `core.pairs.features.word_vectors` weighs words.
    weights = (np.log(times.astype(np.float32)) + 1) * rarity[hashed]
    held = sparse.csr_matrix(
        (weights, bucket, np.searchsorted(row, np.arange(len(texts) + 1))),
        shape=(len(texts), len(buckets)),
    )
    words = unit(np.asarray(held @ _signs(buckets)))
    meaning = embed(texts)
    made = np.empty((len(texts), meaning.shape[1] + WORDS), dtype=np.float16)
    made[:, : meaning.shape[1]] = np.multiply(meaning, np.sqrt(1 - lexical), out=meaning)
    made[:, meaning.shape[1] :] = np.multiply(words, np.sqrt(lexical), out=words)
    return made


def _signs(buckets: IntArray) -> Float32Array:
    drawn = np.random.default_rng(0).bit_generator.random_raw(_BUCKETS * WORDS // 8)
    bytes_of = drawn.astype("<u8", copy=False).view(np.uint8).reshape(_BUCKETS, WORDS)
    return (bytes_of[buckets] >> 7).astype(np.float32) * np.float32(2) - np.float32(1)
