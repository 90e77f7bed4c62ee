"""What people say of two headlines of one event, and labelled pairs with that answer."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from core.parts import Part
from core.similarities import IntArray


class Verdict(StrEnum):
    """The answers of Dialogue 2021, section 4.1."""

    LEFT = "left"
    RIGHT = "right"
    DRAW = "draw"
    BAD = "bad"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class SelectionSet:
    """n headlines with text, and m judged pairs of them.

    Attributes:
        name: Of the set.
        texts: The headlines.
        urls: Their addresses.
        days: Publication time in days since 1970 UTC, float64 [n]; NaN where unknown.
        pseudo: Whether the text was rebuilt from the address instead of read, bool [n].
        left: Row of the left headline of each pair, int64 [m].
        right: That of the right one.
        verdicts: What people said, m of them.
        parts: Part of each pair, m of them.
        files: Which of the task's files each pair is from ("0525"), m of them.
        groups: Headlines that pairs of one event join, directly or over others, int64 [n] from 0; a
            group lies within one part.
        without_text: Pairs of the files, "bad" ones left out, of which a headline has no text.
    """

    name: str
    texts: tuple[str, ...]
    urls: tuple[str, ...]
    days: npt.NDArray[np.float64]
    pseudo: npt.NDArray[np.bool_]
    left: IntArray
    right: IntArray
    verdicts: tuple[Verdict, ...]
    parts: tuple[Part, ...]
    files: tuple[str, ...]
    groups: IntArray
    without_text: int

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self.verdicts)

    @property
    def fingerprint(self) -> str:
        """16 hex digits over everything that results depend on."""
        told = (*self.texts, *self.verdicts, *self.parts, *self.files)
        digest = hashlib.sha256("\x1f".join(told).encode("utf-8", "surrogatepass"))
        for array in (self.days, self.left, self.right):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]

    def part(self, *wanted: Part) -> SelectionSet:
        """The pairs of some parts; all headlines stay."""
        rows = self.pairs(parts=wanted)
        return replace(
            self,
            left=self.left[rows],
            right=self.right[rows],
            verdicts=tuple(self.verdicts[row] for row in rows),
            parts=tuple(self.parts[row] for row in rows),
            files=tuple(self.files[row] for row in rows),
        )

    def pairs(self, *, parts: Sequence[Part] = (), files: Sequence[str] = ()) -> IntArray:
        """Numbers of the pairs of some parts and files, int64; of all where none is named."""
        kept = [
            pair
            for pair, (part, file) in enumerate(zip(self.parts, self.files, strict=True))
            if (not parts or part in parts) and (not files or file in files)
        ]
        return np.array(kept, dtype=np.int64)

    def members(self) -> list[IntArray]:
        """Rows of the headlines of each group, by its number."""
        order = np.argsort(self.groups, kind="stable")
        _, starts = np.unique(self.groups[order], return_index=True)
        return [np.asarray(rows, dtype=np.int64) for rows in np.split(order, starts[1:]) if len(rows)]
