"""One vector a headline that holds its meaning and its words, so that a product of two is their blend.

The first part is the mean static embedding (`core.pairs.scorers.cosine.StaticEmbeddings`), the second the
weighted words, hashed and projected at random: products of projections estimate those of the words
(Johnson and Lindenstrauss 1984, with the signs of Achlioptas 2003). Parts are weighed as the scorer
`event_similarity` weighs meaning and words.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from core.archive.folder import ArchiveFolder
from core.pairs.features.word_vectors import FUNCTION_WORDS, WORD
from core.pairs.scorers.cosine import embed
from core.pairs.scorers.event_similarity import EventSimilarity
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

STEP: Final = "Encoding headlines"
PART: Final = 65_536
"""Headlines whose vectors are one file: what a stop loses at most."""
WORDS: Final = 128
"""Length of the projected words; with 256 the groups of UCI and AllSides were the same within .004 AMI."""
_BUCKETS: Final = 1 << 16
_WORD = re.compile(WORD)

Float16Array = npt.NDArray[np.float16]


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """Hashed words of every headline: those of row i are `ends[i]` to `ends[i + 1]`."""

    ends: IntArray
    buckets: npt.NDArray[np.uint16]
    weights: Float32Array

    def rows(self, start: int, stop: int) -> Float32Array:
        """Projected words of unit length, float32 [stop - start, WORDS]; 0 for a headline without."""
        from scipy import sparse

        part = slice(self.ends[start], self.ends[stop])
        held = sparse.csr_matrix(
            (
                self.weights[part],
                self.buckets[part].astype(np.int32),
                self.ends[start : stop + 1] - self.ends[start],
            ),
            shape=(stop - start, _BUCKETS),
        )
        signs = np.random.default_rng(0).integers(0, 2, (_BUCKETS, WORDS), dtype=np.int8)
        return unit(np.asarray(held @ (2 * signs - 1).astype(np.float32)))


def encode(texts: Sequence[str], folder: ArchiveFolder, runtime: Runtime) -> None:
    """Makes the vectors of an archive that are missing, part by part: `vectors/0`, `vectors/1`, …

    Args:
        texts: All headlines, in the order of the archive.
        folder: Where float16 [part, 256 + WORDS] is kept; what rounds away changes a product by less
            than .001.
        runtime: Progress and stop.
    """
    lexical = np.float32(EventSimilarity().lexical)
    words: list[_Words] = []  # read once, and only where a part is missing

    def make(start: int) -> Float16Array:
        if not words:
            words.append(_words(texts, runtime))
        stop = min(start + PART, len(texts))
        meaning = embed(texts[start:stop]) * np.sqrt(1 - lexical)
        return np.hstack([meaning, words[0].rows(start, stop) * np.sqrt(lexical)]).astype(np.float16)

    for start in runtime.track(range(0, len(texts), PART), STEP):
        folder.made(f"vectors/{start // PART}", partial(make, start))


def vectors(folder: ArchiveFolder, start: int, stop: int) -> Float32Array:
    """Vectors of a run of headlines, float32 [stop - start, d]."""
    found = [
        folder.array(f"vectors/{part}")[max(start - part * PART, 0) : stop - part * PART]
        for part in range(start // PART, max(-(-stop // PART), start // PART + 1))
    ]
    return np.concatenate(found).astype(np.float32)


def unit(rows: Float32Array) -> Float32Array:
    """Rows of length 1; rows of zeros stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Float32Array = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled


def _words(texts: Sequence[str], runtime: Runtime) -> _Words:
    """Hashed words with damped counts times rarity, as `core.pairs.features.word_vectors` weighs words."""
    counts: list[int] = [0]
    buckets: list[npt.NDArray[np.uint16]] = []
    times: list[Float32Array] = []
    for start in runtime.track(range(0, len(texts), PART), "Reading words"):
        found: list[int] = []
        numbers: list[int] = []
        for text in texts[start : start + PART]:
            words = Counter(word for word in _WORD.findall(text.lower()) if word not in FUNCTION_WORDS)
            found += [zlib.crc32(word.encode("utf-8", "replace")) % _BUCKETS for word in words]
            numbers += words.values()
            counts.append(len(words))
        buckets.append(np.array(found, dtype=np.uint16))
        times.append(np.array(numbers, dtype=np.float32))
    every = np.concatenate(buckets)
    holding = np.bincount(every, minlength=_BUCKETS).astype(np.float32)
    rarity = np.log(np.float32(len(texts) + 1) / (holding + 1)) + 1
    return _Words(np.cumsum(counts), every, (np.log(np.concatenate(times)) + 1) * rarity[every])
