"""One vector a headline that holds its meaning and its words, and the map of an archive."""

from __future__ import annotations

import gzip
import itertools
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core.archive.cluster import ArchivePart, Backend
from core.archive.reading import ArchiveFolder, Array, damaged
from core.arrays import Float16Array, Float32Array, IntArray
from core.maps.direct_layout import unit_rows
from core.maps.projector import DEFAULT_MAP, projectors
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import default_encoder, encoders
from core.pairs.features.overlap import word_counts
from core.pairs.scorers.cosine import embed
from core.pairs.scorers.event_similarity import EventSimilarity
from core.runtime import Runtime
from core.text.language import MIXED

if TYPE_CHECKING:
    import pyarrow as pa

ENCODING_STEP: Final = "Encoding headlines"
PART: Final = 65_536  # headlines whose vectors are one file: what a stop loses at most
WORDS: Final = 128  # with 256 the groups of UCI and AllSides were the same within .004 AMI
_BUCKETS: Final = 1 << 16


def encode(
    texts: pa.ChunkedArray, language: str, folder: ArchiveFolder, runtime: Runtime, backend: Backend
) -> None:
    """Makes the vectors of an archive that are missing; in several languages only meaning is compared."""
    runs = [texts[start : start + PART] for start in range(0, len(texts), PART)]
    if all(folder.holds(f"vectors/{number}") for number in range(len(runs))):
        return
    encoder = "" if language == "en" else default_encoder(language)
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
    """Words of headlines, uint16 [3, m]: row, bucket that a word is hashed into, how often it stands."""
    counts = word_counts(texts.to_pylist())
    buckets = np.array(
        [zlib.crc32(word.encode("utf-8", "replace")) % _BUCKETS for word in counts.words], dtype=np.int64
    )
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
    # Damped counts times rarity, as `core.pairs.features.overlap.word_vectors` weighs words.
    weights = (np.log(times.astype(np.float32)) + 1) * rarity[hashed]
    held = sparse.csr_matrix(
        (weights, bucket, np.searchsorted(row, np.arange(len(texts) + 1))), shape=(len(texts), len(buckets))
    )
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


LAYOUT_STEP: Final = "Laying out the map"
LANDMARKS: Final = 6_000  # groups, the largest first, whose places the map method finds
AXES: Final = 48  # principal axes that are looked at; the rest of a vector tells little about its place
SPREAD: Final = 0.35  # distance of neighbours in a group, as a share of that in an even spread
_SAMPLED = 20_000
_AT_ONCE = 8_192
_GOLDEN = np.pi * (3.0 - np.sqrt(5.0))


def places(groups: IntArray, folder: ArchiveFolder, runtime: Runtime) -> Float32Array:
    """A place for each headline, float32 [n, 2], centred on 0."""
    sizes = np.bincount(groups)
    middles = unit_rows(_sums(groups, len(sizes), folder, runtime))
    largest = np.lexsort((np.arange(len(sizes)), -sizes))[:LANDMARKS]
    laid = projectors.parse(DEFAULT_MAP).project(middles[largest], runtime)
    extent = float(np.ptp(laid, axis=0).max()) if len(laid) > 1 else 1.0
    step = SPREAD * max(extent, 1e-3) / np.sqrt(len(groups))
    landmarks = middles[largest]
    nearest = np.empty(len(middles), dtype=np.int64)
    for start in runtime.track(range(0, len(middles), _AT_ONCE), LAYOUT_STEP):
        part = slice(start, start + _AT_ONCE)
        nearest[part] = (middles[part] @ landmarks.T).argmax(axis=1)
    at = laid[nearest] + _spiral(_rank_in(nearest, len(landmarks)) + 20, 2.0 * step)
    at[largest] = laid
    return np.asarray(at[groups] + _spiral(_rank_in(groups, len(sizes)), step), dtype=np.float32)


def _sums(groups: IntArray, count: int, folder: ArchiveFolder, runtime: Runtime) -> Float32Array:
    """Of each group the sum of its headlines' unit vectors on the principal axes."""
    axes, middle = _axes(len(groups), folder)
    sums = np.zeros((count, axes.shape[1]), dtype=np.float32)
    for start in runtime.track(range(0, len(groups), _AT_ONCE), LAYOUT_STEP):
        part = slice(start, min(start + _AT_ONCE, len(groups)))
        np.add.at(sums, groups[part], unit_rows(vectors(folder, part.start, part.stop) @ axes - middle))
    return sums


def _axes(count: int, folder: ArchiveFolder) -> tuple[Float32Array, Float32Array]:
    sampled = np.unique(np.linspace(0, count - 1, min(count, _SAMPLED)).round().astype(np.int64))
    axes = folder.array("vectors/0").shape[1]
    total, products = np.zeros(axes), np.zeros((axes, axes))
    for start in range(0, len(sampled), _AT_ONCE):
        rows = vectors_of(folder, sampled[start : start + _AT_ONCE])
        total += rows.sum(axis=0, dtype=np.float64)
        products += rows.T @ rows
    mean = total / len(sampled)
    variance = products / len(sampled) - np.outer(mean, mean)
    principal = np.linalg.eigh(variance)[1][:, ::-1][:, :AXES]
    return principal.astype(np.float32), (mean @ principal).astype(np.float32)


def _rank_in(groups: IntArray, count: int) -> IntArray:
    order = np.argsort(groups, kind="stable")
    first = np.searchsorted(groups[order], np.arange(count))
    rank = np.empty(len(groups), dtype=np.int64)
    rank[order] = np.arange(len(groups)) - first[groups[order]]
    return rank


def _spiral(rank: IntArray, step: float) -> Float32Array:
    radius, angle = step * np.sqrt(rank), rank * _GOLDEN
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]).astype(np.float32)


POINTS: Final = "points.gz"
SPAN: Final = 65_535  # the greatest coordinate; the longer side of the map reaches from 0 to it
_LEVEL: Final = 6

UInt16Array = npt.NDArray[np.uint16]


def drawing_order(groups: IntArray, largest_first: IntArray) -> IntArray:
    """The headlines as they are drawn: the smallest group first, those of a group in their order."""
    rank = np.empty(len(largest_first) + 1, dtype=np.int64)
    rank[largest_first] = np.arange(len(largest_first))[::-1]
    return np.argsort(rank[groups], kind="stable")


def coordinates(places: Float32Array) -> UInt16Array:
    low, high = places.min(axis=0), places.max(axis=0)
    scale = SPAN / max(float((high - low).max()), 1e-9)
    whole: UInt16Array = (
        np.rint((places - (low + high) / 2) * scale + SPAN / 2).clip(0, SPAN).astype(np.uint16)
    )
    return whole


def packed(places: Float32Array, sizes: IntArray) -> bytes:
    whole = coordinates(places)
    several = sizes[sizes > 1]
    head = np.array([len(places), len(sizes) - len(several), len(several)], dtype="<u4")
    apart = np.diff(whole, axis=0, prepend=np.zeros((1, 2), np.uint16))
    content = head.tobytes() + several.astype("<u4").tobytes() + apart.T.astype("<u2").tobytes()
    return gzip.compress(content, _LEVEL, mtime=0)


def unpacked(path: Path) -> tuple[bytes, IntArray, UInt16Array, UInt16Array]:
    """A file of points as it is, sizes of groups from the smallest, and x and y, group after group."""
    try:
        content = path.read_bytes()
        plain = gzip.decompress(content)
        count, alone, several = np.frombuffer(plain, "<u4", 3).tolist()
        sizes = np.frombuffer(plain, "<u4", several, 12)
        apart = np.frombuffer(plain, "<u2", offset=12 + 4 * several).reshape(2, count)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise damaged(path) from error
    x, y = np.cumsum(apart, axis=1, dtype=np.uint16)
    return content, np.concatenate([np.ones(alone, np.int64), sizes.astype(np.int64)]), x, y


MOST_CORNERS: Final = 64  # of a lasso
Lasso = tuple[tuple[int, int], ...]  # corners on the map, coordinates from 0 to `points.SPAN`


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveQuery:
    words: str = ""  # all of these stand in the headline, upper or lower case, perhaps as parts of words
    outlet: str = ""  # name of the outlet; "" for any
    first: date | None = None  # first day, in UTC
    last: date | None = None  # last day
    group: int = 0  # number of the group; 0 for any
    lasso: Lasso = ()  # the point lies inside; () for anywhere


class LassoIndex:
    """Points sorted from the bottom up, so that an edge of a lasso looks only at those of its height."""

    def __init__(self, x: UInt16Array, y: UInt16Array) -> None:
        self._rows = np.argsort(y, kind="stable")
        self._x = x[self._rows].astype(np.int64)
        self._y = y[self._rows].astype(np.int64)

    def inside(self, lasso: Sequence[tuple[int, int]]) -> npt.NDArray[np.bool_]:
        """Whether each point lies inside by the even-odd rule, bool [n]; exact, in whole numbers."""
        by_height = np.zeros(len(self._rows), dtype=np.bool_)
        for start, other in itertools.pairwise((*lasso, lasso[0])):
            (low_x, low), (high_x, high) = sorted((start, other), key=lambda corner: corner[1])
            part = slice(*np.searchsorted(self._y, (low, high)).tolist())
            x, y = self._x[part], self._y[part]
            by_height[part] ^= (x - low_x) * (high - low) < (y - low) * (high_x - low_x)
        inside = np.empty_like(by_height)
        inside[self._rows] = by_height
        return inside
