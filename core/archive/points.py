"""The points of the map, packed into one file."""

import gzip
import zlib
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from core.archive.folder import damaged
from core.arrays import Float32Array, IntArray

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
    centred = (places - (low + high) / 2) * scale + SPAN / 2
    whole: UInt16Array = np.rint(centred).clip(0, SPAN).astype(np.uint16)
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
