"""Token rows in which continuations of one prefix share it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray

Tokens = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PrefixRow:
    """One prefix and some of its continuations."""

    prefix: Tokens
    continuations: tuple[Tokens, ...]
    places: tuple[int, ...]

    def __len__(self) -> int:
        """Tokens in the row. The last token of a continuation predicts nothing and is left out."""
        return len(self.prefix) + sum(len(tokens) - 1 for tokens in self.continuations)


@dataclass(frozen=True, slots=True, eq=False)
class PackedBatch:
    """Rows of tokens side by side, padded on the right.

    Every continuation's first token is predicted by the prefix's last, so a continuation of k tokens
    occupies k - 1 places, and they see the prefix and their own earlier tokens only.

    Attributes:
        ids: Token ids, int64 [b, w].
        positions: Position of each token in its own text, int64 [b, w].
        sees: Whether the token in the third axis may be seen from that in the second, bool [b, w, w].
        row, column: Where each scored token is predicted, int64 [s].
        target: The scored tokens, int64 [s].
        place: The continuation that each belongs to, as `PrefixRow.places`, int64 [s].
    """

    ids: IntArray
    positions: IntArray
    sees: npt.NDArray[np.bool_]
    row: IntArray
    column: IntArray
    target: IntArray
    place: IntArray


def rows_of(
    prefixes: Sequence[Tokens], continuations: Sequence[Tokens], *, most_beside: int
) -> list[PrefixRow]:
    together: dict[Tokens, list[int]] = {}
    for pair, prefix in enumerate(prefixes):
        together.setdefault(prefix, []).append(pair)
    rows: list[PrefixRow] = []
    for prefix, pairs in together.items():
        kept: list[int] = []
        length = 0
        for pair in pairs:
            if kept and length + len(continuations[pair]) > most_beside:
                rows.append(PrefixRow(prefix, tuple(continuations[k] for k in kept), tuple(kept)))
                kept, length = [], 0
            kept.append(pair)
            length += len(continuations[pair])
        rows.append(PrefixRow(prefix, tuple(continuations[k] for k in kept), tuple(kept)))
    return rows


def pack(rows: Sequence[PrefixRow], *, pad: int) -> PackedBatch:
    width = max(map(len, rows))
    ids = np.full((len(rows), width), pad, dtype=np.int64)
    positions = np.zeros((len(rows), width), dtype=np.int64)
    # Padding sees itself: a row of a softmax that sees nothing is not a number.
    sees = np.repeat(np.eye(width, dtype=np.bool_)[None], len(rows), axis=0)
    scored: list[tuple[int, int, int, int]] = []
    for k, row in enumerate(rows):
        start = len(row.prefix)
        ids[k, :start] = row.prefix
        positions[k, :start] = np.arange(start)
        sees[k, :start, :start] = np.tri(start, dtype=np.bool_)
        at = start
        for tokens, place in zip(row.continuations, row.places, strict=True):
            size = len(tokens) - 1
            own = slice(at, at + size)
            ids[k, own] = tokens[:-1]
            positions[k, own] = start + np.arange(size)
            sees[k, own, :start] = True
            sees[k, own, own] = np.tri(size, dtype=np.bool_)
            columns = [start - 1, *range(at, at + size)]
            scored += [(k, column, token, place) for column, token in zip(columns, tokens, strict=True)]
            at += size
    scored_row, scored_column, target, scored_place = np.array(scored, dtype=np.int64).reshape(-1, 4).T
    return PackedBatch(ids, positions, sees, scored_row, scored_column, target, scored_place)
