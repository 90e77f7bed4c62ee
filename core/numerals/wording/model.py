"""A trained judge by words in memory: trees over what `wording_of` says, and trees over ways."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from core import files
from core.arrays import FloatArray
from core.models.boosted_trees import (
    BoostedTrees,
    from_tables,
    named_tables,
    other_features,
    read_folder,
    read_once,
    tables_of,
)
from core.numerals.question import WAYS, Attachment, NumeralQuestion, shares_of
from core.numerals.wording.features import ASKED, NAMES, wording_of
from core.runtime import Runtime
from core.tensor_files import write_arrays

ABOUT: Final = "lexical.json"
TREES: Final = "trees.safetensors"
STEP: Final = "Comparing words around numbers"
NUMERALS: Final = "numerals"

SUMMED: Final = tuple(place for place, name in enumerate(NAMES) if name not in ASKED)
"""Columns of `wording_of` that tell numerals apart; their means weighed by the scores' shares tell ways."""

WAY_NAMES: Final[tuple[str, ...]] = (
    *ASKED,
    *(f"expected_{NAMES[place]}" for place in SUMMED),
    *(f"best_{NAMES[place]}" for place in SUMMED),
    "best_share",
)
"""Names of the columns of `way_row`, in order."""


@dataclass(frozen=True, slots=True, eq=False)
class LexicalModel:
    """An `Attacher`; threads may share it."""

    numerals: BoostedTrees  # trees whose sums are the numerals' scores
    ways: tuple[BoostedTrees, ...]  # trees for each of `WAYS`, whose sums are log-odds that it is the one

    def attach(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Attachment]:
        read = [wording_of(question) for question in runtime.track(questions, STEP)]
        ends = np.cumsum([len(one) for one in read])[:-1]
        scores = np.split(self.numerals.predict(np.concatenate(read)), ends) if read else []
        # Each way was learned against all others; their chances are made to add up to 1.
        asked = [way_row(*one) for one in zip(read, scores, strict=True) if len(one[1])]
        rows = np.array(asked).reshape(-1, len(WAY_NAMES))
        chances = 1 / (1 + np.exp(-np.array([trees.predict(rows) for trees in self.ways])))
        ways = iter(np.log(chances / chances.sum(axis=0)).T)
        even = np.full(len(WAYS), -np.log(len(WAYS)))
        return [Attachment(one, next(ways) if len(one) else even) for one in scores]


def way_row(read: FloatArray, scores: FloatArray) -> FloatArray:
    """Features from which the way is predicted, float64 in the order of `WAY_NAMES`."""
    shares = shares_of(scores)
    best = int(scores.argmax())
    own = read[:, list(SUMMED)]
    return np.concatenate([read[0, -len(ASKED) :], shares @ own, own[best], shares[best : best + 1]])


def write_model(folder: Path, model: LexicalModel) -> None:
    """Writes lexical.json and the trees."""
    files.make_folder(folder)
    told = {"features": NAMES, "ways": WAYS}
    files.write(folder / ABOUT, (json.dumps(told, indent=2) + "\n").encode())
    named = {NUMERALS: model.numerals, **dict(zip(WAYS, model.ways, strict=True))}
    tables = named_tables(named)
    write_arrays(folder / TREES, {key: _small(table) for key, table in tables.items()})


def _small(table: np.ndarray) -> np.ndarray:
    if table.dtype == np.int64:
        return table.astype(np.uint8)
    return table.astype(np.float32)


def read_model(folder: Path) -> LexicalModel:
    """The model of a folder; of files that have not changed it is read once."""
    return read_once(folder, (ABOUT, TREES), _read)


@lru_cache(maxsize=4)
def _read(folder: Path, marks: tuple[str, ...]) -> LexicalModel:
    told, tables = read_folder(folder, ABOUT, TREES)
    if tuple(told["features"]) != NAMES or tuple(told["ways"]) != WAYS:
        raise other_features(folder)
    ways = tuple(from_tables(tables_of(way, tables), len(WAY_NAMES)) for way in WAYS)
    return LexicalModel(from_tables(tables_of(NUMERALS, tables), len(NAMES)), ways)
