"""Reading the pools of pairs of the Telegram contest's annotators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.data.pair_sets.assembly import Side, from_pairs
from core.data.pair_sets.files import Columns, cleaned, column, read_columns, require, shipped
from core.data.pair_sets.pair_set import DIFFERENT, SAME, PairSet
from core.errors import InputError
from core.text.normalise import clean_block

LICENCE = "Apache-2.0; articles belong to their publishers"
_LABELS = {"OK": SAME, "BAD": DIFFERENT}
_COLUMNS = {
    f"{side}_{what}": f"INPUT:{side}_{what}"
    for side in ("first", "second")
    for what in ("title", "url", "text")
} | {"quality": "GOLDEN:quality"}


def folder() -> Path | None:
    """Where the pools lie."""
    return shipped("tgcontest")


def read_pools(pools: Sequence[str]) -> tuple[Columns, list[int]]:
    """The pools of these names as one table, and how many pairs each has."""
    place = require(folder(), name="Telegram contest", wanted="tgcontest_toloka")
    table: Columns = {name: [] for name in _COLUMNS}
    sizes = []
    for pool in pools:
        path = place / f"{pool}.tsv.gz"
        read = read_columns(path, delimiter="\t")
        for name, original in _COLUMNS.items():
            table[name].extend(column(read, original, path))
        sizes.append(len(read["GOLDEN:quality"]))
    return table, sizes


def telegram_pairs(name: str, table: Columns, parts: Sequence[str]) -> PairSet:
    """Pairs with titles, addresses and texts; OK is the same event.

    Raises:
        InputError: A judgement is neither OK nor BAD.
    """
    if not set(table["quality"]) <= set(_LABELS):
        raise InputError("A judgement is neither OK nor BAD.", hint="Get the original files.")
    undated = np.full(len(parts), np.nan)
    first, second = (
        Side(
            cleaned(table[f"{side}_title"]),
            undated,
            table[f"{side}_url"],
            [clean_block(text) for text in table[f"{side}_text"]],
        )
        for side in ("first", "second")
    )
    labels = np.array([_LABELS[quality] for quality in table["quality"]], dtype=np.int64)
    return from_pairs(name, first, second, labels, parts=parts)
