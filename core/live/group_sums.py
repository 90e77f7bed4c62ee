"""Sums of similarities between the groups of a window."""

from typing import Any

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.live.window import SPARE
from core.similarities import Similarities


def _members(slots: IntArray) -> Any:
    """Which headline is in which group, sparse float32 [groups, headlines]."""
    from scipy import sparse

    return sparse.csr_matrix((np.ones(len(slots), np.float32), (slots, np.arange(len(slots)))))


def joining_line(similarities: Similarities, groups: IntArray) -> float:
    """The mean similarity from which a headline joins a group so that most would be where they are, 0 to 1.

    Each is taken out and compared with all groups: one of several headlines belongs to its own again, one
    alone to none.
    """
    _, slots, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    rows, matrix = np.arange(len(slots)), similarities.matrix
    sums = _members(slots) @ matrix
    means = np.array(sums if isinstance(sums, np.ndarray) else sums.toarray(), dtype=np.float32)
    rest = sizes[slots] - 1
    own = np.where(rest > 0, (means[slots, rows] - matrix.diagonal()) / np.maximum(rest, 1), np.inf)
    means /= sizes[:, None]
    means[slots, rows] = 0.0
    other = means.max(axis=0, initial=0.0)
    joins, alone = np.sort(own[(rest > 0) & (own >= other)]), np.sort(other[rest == 0])
    lines = np.unique(np.concatenate([[1.0], joins]))
    right = len(joins) - np.searchsorted(joins, lines) + np.searchsorted(alone, lines)
    return float(np.clip(lines[len(lines) - 1 - right[::-1].argmax()], 0.0, 1.0))


class GroupSums:
    def __init__(self, similarities: Similarities, groups: IntArray) -> None:
        numbers, slots = np.unique(groups, return_inverse=True)
        self._numbers: list[int] = numbers.tolist()
        self._slot_of = {number: slot for slot, number in enumerate(self._numbers)}
        self._slots = slots.astype(np.int64)
        self._rows = len(slots)
        member = _members(slots)
        half = member @ similarities.matrix
        whole = member @ (half.T if isinstance(half, np.ndarray) else half.T.tocsr())
        self._sums = np.array(whole if isinstance(whole, np.ndarray) else whole.toarray(), dtype=np.float32)
        self._sizes = np.bincount(slots).astype(np.int64)

    def means(self, similarities: Float32Array) -> tuple[Float32Array, FloatArray]:
        """Sums and means of a new headline's similarities to each group, by slot, [groups]; -1 for none."""
        used = len(self._numbers)
        sums = np.bincount(self._slots[: self._rows], weights=similarities, minlength=used)
        sizes = self._sizes[:used]
        return sums.astype(np.float32), np.where(sizes > 0, sums / np.maximum(sizes, 1), -1.0)

    def number(self, slot: int) -> int:
        return self._numbers[slot]

    def add(self, group: int, sums: Float32Array) -> None:
        """Takes a new headline into a group, which may be new, with its sums by slot."""
        slot = self._slot_of.get(group)
        if slot is None:
            slot = self._open(group)
            sums = np.append(sums, np.float32(0))
        if self._rows == len(self._slots):
            self._slots = np.concatenate((self._slots, np.zeros(max(SPARE, self._rows // 4), np.int64)))
        self._slots[self._rows] = slot
        self._rows += 1
        self._sizes[slot] += 1
        self._sums[slot, : len(sums)] += sums
        self._sums[: len(sums), slot] += sums

    def nearest(self, group: int) -> tuple[int, float]:
        """The group that is most like a group on average, and how much; 0 and 0 where there is no other."""
        used, slot = len(self._numbers), self._slot_of[group]
        sizes = self._sizes[:used]
        means = self._sums[slot, :used] / np.maximum(sizes * sizes[slot], 1)
        means[sizes == 0] = means[slot] = -1.0
        best = int(means.argmax())
        return (self._numbers[best], float(means[best])) if means[best] >= 0 else (0, 0.0)

    def size(self, group: int) -> int:
        return int(self._sizes[self._slot_of[group]])

    def merge(self, keep: int, drop: int) -> None:
        slot, dropped = self._slot_of[keep], self._slot_of.pop(drop)
        self._sums[slot] += self._sums[dropped]
        self._sums[:, slot] += self._sums[:, dropped]
        self._sums[dropped] = self._sums[:, dropped] = 0.0
        self._sizes[slot] += self._sizes[dropped]
        self._sizes[dropped] = 0
        rows = self._slots[: self._rows]
        rows[rows == dropped] = slot

    def _open(self, group: int) -> int:
        slot = len(self._numbers)
        if slot == len(self._sizes):
            more = max(SPARE, slot // 4)
            sums = np.zeros((slot + more, slot + more), dtype=np.float32)
            sums[:slot, :slot] = self._sums
            self._sums = sums
            self._sizes = np.concatenate((self._sizes, np.zeros(more, np.int64)))
        self._numbers.append(group)
        self._slot_of[group] = slot
        return slot
