"""Trees and constants that belong to an attacher, in its model's folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from core import files
from core.models.boosted_trees import (
    BoostedTrees,
    from_tables,
    named_tables,
    other_features,
    read_folder,
    read_once,
    tables_of,
)
from core.numerals.derivations.features import NAMES
from core.numerals.weighing.support import SUPPORT_NAMES
from core.tensor_files import write_arrays

ABOUT: Final = "numerals.json"
TREES: Final = "weighing.safetensors"
ENSEMBLES: Final = {"derivations": NAMES, "support": SUPPORT_NAMES, "answers": NAMES}
"""Which numbers each ensemble of trees looks at."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Constants:
    """Numbers that were fitted or chosen on validation rows.

    Attributes:
        slope: Of the logistic curve from the support trees' sum to `CheckedNumeral.support`.
        intercept: Of the same curve.
        threshold: A numeral with at least this support is copied or derived.
        rival: An article's numeral with at least this share of the attachment contradicts a headline's.
        same_slope: Of the logistic curve from the log-odds of the attachment's share to
            `CheckedNumeral.same_thing`.
        same_intercept: Of the same curve.
        sharpness: Sums of the answers' trees are multiplied by this before the softmax.
        language_model: Weight of a log-likelihood, in nats, beside those.
    """

    slope: float
    intercept: float
    threshold: float
    rival: float
    same_slope: float
    same_intercept: float
    sharpness: float
    language_model: float


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What weighs.

    Attributes:
        derivations: Ranks the derivations of a known number.
        support: Says whether a number is right for its place.
        answers: Ranks what may fill a blank.
        constants: See `Constants`.
    """

    derivations: BoostedTrees
    support: BoostedTrees
    answers: BoostedTrees
    constants: Constants


def write_weights(folder: Path, weights: Weights) -> None:
    """Writes numerals.json and the trees."""
    files.make_folder(folder)
    told = {"constants": asdict(weights.constants), "features": {k: list(v) for k, v in ENSEMBLES.items()}}
    files.write(folder / ABOUT, (json.dumps(told, indent=2) + "\n").encode())
    tables = named_tables({name: getattr(weights, name) for name in ENSEMBLES})
    # Half precision of the leaves costs less than a thousandth of a logit; borders stay as they are.
    small = {
        key: table.astype(np.float32) if key.endswith(".values") else _narrow(key, table)
        for key, table in tables.items()
    }
    write_arrays(folder / TREES, small)


def read_weights(folder: Path) -> Weights:
    """The weights of a folder; of files that have not changed they are read once."""
    return read_once(folder, (ABOUT, TREES), _read)


@lru_cache(maxsize=4)
def _read(folder: Path, marks: tuple[str, ...]) -> Weights:
    told, tables = read_folder(folder, ABOUT, TREES)
    constants = Constants(**{key: float(value) for key, value in told["constants"].items()})
    if {key: tuple(value) for key, value in told["features"].items()} != ENSEMBLES:
        raise other_features(folder)
    trees = {name: from_tables(tables_of(name, tables), len(columns)) for name, columns in ENSEMBLES.items()}
    return Weights(**trees, constants=constants)


def _narrow(key: str, table: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    return table.astype(np.int16) if key.endswith(".columns") else table
