"""Reading HeadlineCause: pairs of headlines with a relation, of which "same" is label 1."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from core.data.pair_sets.assembly import Side, from_pairs
from core.data.pair_sets.files import Columns, cleaned, column, read_columns, require, shipped
from core.data.pair_sets.pair_set import DIFFERENT, SAME, PairSet
from core.errors import InputError
from core.parts import Part

LICENCE = "Apache-2.0; headlines belong to their publishers"
RELATIONS = {
    "same": "same",
    "left_right_cause": "cause",
    "right_left_cause": "cause",
    "left_right_cancel": "refutation",
    "right_left_cancel": "refutation",
    "rel": "related",
    "bad": "unrelated",
}
"""Relations in words; which of the two headlines comes first does not matter for the same event."""

_SIDES = ("left", "right")


def folder() -> Path | None:
    """Where the files lie."""
    return shipped("headlinecause")


def read_relations(name: str, files: Mapping[str, Part], *, least_confidence: float) -> PairSet:
    """Pairs of these files with their relation as a tag.

    Args:
        name: Short name of the pair set.
        files: Name of each file, without its ending, and the part that it goes to.
        least_confidence: Share of votes that the relation must have; questions with a known answer,
            which have no votes, are always kept.

    Raises:
        DataSourceError: The files are gone.
        InputError: A relation is not known.
    """
    place = require(folder(), name="HeadlineCause", wanted="headlinecause")
    table: Columns = {key: [] for key in ("left_title", "right_title", "left_url", "right_url", "result")}
    parts: list[str] = []
    sure: list[bool] = []
    for file, part in files.items():
        path = place / f"{file}.tsv.gz"
        read = {
            key.removeprefix("INPUT:").removeprefix("GOLDEN:"): values
            for key, values in read_columns(path, delimiter="\t").items()
        }
        for key, values in table.items():
            values.extend(column(read, key, path))
        count = len(read["result"])
        parts.extend([part.value] * count)
        votes = read.get("confidence", ["1"] * count)
        sure.extend(float(vote) >= least_confidence for vote in votes)
    unknown = set(table["result"]) - set(RELATIONS)
    if unknown:
        raise InputError(f"The relation {min(unknown)!r} is not known.", hint="Get the original files.")
    kept = np.flatnonzero(sure).tolist()
    chosen = {key: [values[row] for row in kept] for key, values in table.items()}
    undated = np.full(len(kept), np.nan)
    left, right = (Side(cleaned(chosen[f"{s}_title"]), undated, chosen[f"{s}_url"]) for s in _SIDES)
    return from_pairs(
        name,
        left,
        right,
        np.array([SAME if result == "same" else DIFFERENT for result in chosen["result"]], dtype=np.int64),
        parts=[parts[row] for row in kept],
        tags=[(RELATIONS[result],) for result in chosen["result"]],
    )
