"""Trees over what the gates say, one ensemble for each way in which a claim is wrong, and their calibration.

The ensembles stay apart because a blend of all blurs each: what finds a wrong unit says nothing of a wrong
value, and one number of the article in another's place needs other trees than a slip of the hand. Each sum is
read as a rate of false alarms, the share of right claims that have a lower one, so that sums of unlike
ensembles can be compared; a claim is as doubtful as its most doubtful part.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

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
from core.numerals.claims.claim import READ_NAMES
from core.numerals.claims.gates import GATE_NAMES, GATES
from core.tensor_files import write_arrays

FOLDER: Final = files.ROOT / "models" / "numeral_claims"
ABOUT: Final = "claims.json"
TREES: Final = "claims.safetensors"
_PLAIN: Final = (*(f"{gate}_" for gate in GATES), "support_")
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "value": _PLAIN,
    "place": (*_PLAIN, "read_"),
    "unit": ("unit_", "value_equal", "value_rounded", "read_asked", "read_unit"),
    "bound": ("bound_", "value_rounded", "value_rounding", "read_asked", "read_bound"),
    "word": (*_PLAIN, "read_"),
    "holder": (*_PLAIN, "read_"),
}
"""The parts of a claim that are judged apart, and the beginnings of the names of what each looks at."""
CHEAP: Final = ("value", "place")
"""Parts that are judged before the claim model is asked: what they call wrong it does not read."""


LEVELS: Final = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
"""Shares of right claims whose sums are kept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """A logistic curve from a number to a probability."""

    slope: float  # of the number
    intercept: float

    def at(self, value: FloatArray) -> FloatArray:
        """Probabilities, 0–1, of the shape of the numbers."""
        return np.asarray(1 / (1 + np.exp(-np.clip(self.slope * value + self.intercept, -30, 30))))


@dataclass(frozen=True, kw_only=True, slots=True)
class Tail:
    """How many right claims have so low a sum."""

    sums: tuple[float, ...]  # for each of `LEVELS` the sum that this share of the right claims lies below
    budget: float  # share of the false alarms that this part may raise

    def trust(self, sums: FloatArray) -> FloatArray:
        """Logarithm of the share of right claims with lower sums over the budget, float64 [n].

        Below the lowest level the line through the lowest three goes on.
        """
        known, logs = np.array(self.sums), np.log(LEVELS)
        slope = (logs[2] - logs[0]) / max(known[2] - known[0], 1e-6)
        found = np.interp(sums, known, logs)
        found = np.where(sums < known[0], logs[0] + slope * (sums - known[0]), found)
        return np.asarray(np.maximum(found, -20.0) - np.log(self.budget))


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimConstants:
    """Numbers that were fitted or chosen on validation rows."""

    parts: Mapping[str, Tail]  # for each of `PARTS` how its sums are read
    whole: Curve  # from the trust in the most doubtful part to the probability of the claim
    wrong: float  # a claim of less than this probability is wrong


@dataclass(frozen=True, slots=True, eq=False)
class ClaimWeights:
    """What judges claims."""

    names: tuple[str, ...]  # what the trees look at, in the order of their columns
    trees: Mapping[str, BoostedTrees]  # one ensemble for each of `PARTS`; higher sums speak for the claim
    constants: ClaimConstants

    def parts(self, rows: FloatArray, only: Sequence[str] = tuple(PARTS)) -> dict[str, FloatArray]:
        """The trust in each part of n claims, float64 [n] a part; see `Tail.trust`."""
        return {
            part: self.constants.parts[part].trust(
                self.trees[part].predict(rows[:, columns_of(part, self.names)])
            )
            for part in only
        }

    def whole(self, parts: Mapping[str, FloatArray]) -> FloatArray:
        """The calibrated probability of n claims, float64 [n]."""
        return self.constants.whole.at(together(parts))


def together(parts: Mapping[str, FloatArray]) -> FloatArray:
    """The trust in the most doubtful part, float64 [n]."""
    return np.asarray(np.min(list(parts.values()), axis=0))


def names_with(support: Sequence[str]) -> tuple[str, ...]:
    """Names of all columns: the gates', those of the features of support, and the claim model's."""
    return (*GATE_NAMES, *(f"support_{name}" for name in support), *READ_NAMES)


@lru_cache(maxsize=4 * len(PARTS))
def columns_of(part: str, names: tuple[str, ...]) -> list[int]:
    """What a part looks at."""
    return [k for k, name in enumerate(names) if name.startswith(PARTS[part])]


def write_claim_weights(folder: Path, weights: ClaimWeights) -> None:
    """Writes claims.json and the trees."""
    files.make_folder(folder)
    about = {"constants": asdict(weights.constants), "features": list(weights.names)}
    files.write(folder / ABOUT, (json.dumps(about, indent=2) + "\n").encode())
    tables = {
        key: table.astype(np.int16)
        if key.endswith(".columns")
        else table.astype(np.float32)
        if key.endswith(".values")
        else table
        for key, table in named_tables(dict(weights.trees)).items()
    }
    write_arrays(folder / TREES, tables)


def read_claim_weights(names: tuple[str, ...], folder: Path = FOLDER) -> ClaimWeights:
    """The weights of a folder; of files that have not changed they are read once."""
    weights = read_once(folder, (ABOUT, TREES), _read)
    if weights.names != names:
        raise other_features(folder)
    return weights


@lru_cache(maxsize=2)
def _read(folder: Path, marks: tuple[str, ...]) -> ClaimWeights:
    about, tables = read_folder(folder, ABOUT, TREES)
    given = about["constants"]
    constants = ClaimConstants(
        parts={part: _tail(given["parts"][part]) for part in PARTS},
        whole=Curve(**given["whole"]),
        wrong=float(given["wrong"]),
    )
    names = tuple(about["features"])
    trees = {part: from_tables(tables_of(part, tables), len(columns_of(part, names))) for part in PARTS}
    return ClaimWeights(names, trees, constants)


def _tail(given: Mapping[str, Any]) -> Tail:
    sums = tuple(map(float, given["sums"]))
    return Tail(sums=sums, budget=float(given["budget"]))
