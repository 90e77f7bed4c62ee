"""The points of a map as a browser draws them: two bytes for each coordinate, groups one after the other.

The smallest groups come first, so that the large ones lie on top of what is drawn. The bytes, all numbers
little-endian: how many headlines there are, how many of them are alone and how many groups have two or more
(uint32 each); the sizes of these groups (uint32); then the differences of all x, and those of all y, from
the point before (uint16, around 65,536), which compress better than the places themselves.
"""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from core.archive.folder import damaged
from core.similarities import Float32Array, IntArray

POINTS: Final = "points.gz"
SPAN: Final = 65_535
"""The greatest coordinate; the longer side of the map reaches from 0 to it."""
_LEVEL: Final = 6

UInt16Array = npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPoints:
    """All points of a map.

    Attributes:
        sizes: How many headlines each group has, from the smallest group, int64 [groups].
        x: From left to right, uint16 [n], group after group.
        y: From the bottom up, likewise.
    """

    sizes: IntArray
    x: UInt16Array
    y: UInt16Array


def drawing_order(groups: IntArray, largest_first: IntArray) -> IntArray:
    """The headlines as they are drawn: the smallest group first, those of a group in their order.

    Args:
        groups: Number of the group of each headline, from 1, [n].
        largest_first: The numbers of all groups.
    """
    rank = np.empty(len(largest_first) + 1, dtype=np.int64)
    rank[largest_first] = np.arange(len(largest_first))[::-1]
    return np.argsort(rank[groups], kind="stable")


def packed(places: Float32Array, sizes: IntArray) -> bytes:
    """The file of points.

    Args:
        places: In the order in which they are drawn, [n, 2].
        sizes: Of the groups in that order, [groups].
    """
    low, high = places.min(axis=0), places.max(axis=0)
    scale = SPAN / max(float((high - low).max()), 1e-9)
    whole = np.rint((places - (low + high) / 2) * scale + SPAN / 2).clip(0, SPAN).astype(np.uint16)
    several = sizes[sizes > 1]
    head = np.array([len(places), len(sizes) - len(several), len(several)], dtype="<u4")
    apart = np.diff(whole, axis=0, prepend=np.zeros((1, 2), np.uint16))
    content = head.tobytes() + several.astype("<u4").tobytes() + apart.T.astype("<u2").tobytes()
    return gzip.compress(content, _LEVEL, mtime=0)


def unpacked(path: Path) -> tuple[bytes, DrawnPoints]:
    """A file of points, as it is and read."""
    try:
        content = path.read_bytes()
        plain = gzip.decompress(content)
        count, alone, several = np.frombuffer(plain, "<u4", 3).tolist()
        sizes = np.frombuffer(plain, "<u4", several, 12)
        apart = np.frombuffer(plain, "<u2", offset=12 + 4 * several).reshape(2, count)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise damaged(path) from error
    x, y = np.cumsum(apart, axis=1, dtype=np.uint16)
    return content, DrawnPoints(np.concatenate([np.ones(alone, np.int64), sizes.astype(np.int64)]), x, y)
