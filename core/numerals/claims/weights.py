"""What the parts of a claim weigh: a sum of log-likelihood ratios, fitted on written headlines.

Each part has trees of its own, grown one part after the other on what the parts before it leave open, so that
their sums add up to log-odds. A part says how far it speaks for or against a claim; none overrides another.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
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
from core.numerals.claims.gates import GATE_NAMES
from core.numerals.derivations.features import SUPPORT_NAMES
from core.tensor_files import write_arrays

FOLDER: Final = files.ROOT / "models" / "numeral_claims"
ABOUT: Final = "claims.json"
TREES: Final = "claims.safetensors"
NAMES: Final = (*GATE_NAMES, *(f"support_{name}" for name in SUPPORT_NAMES))
"""Columns of the trees: what the gates say, and the features of the support of a number."""
PARTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "value": ("value_", "worked_", "price_", "support_"),
        "place": ("rival_", "exchange_", "counted_"),
        "unit": ("unit_",),
        "bound": ("bound_",),
        "word": ("word_", "overlap_"),
        "holder": ("holder_",),
    }
)
"""The parts of a claim, and the beginnings of the names of what each looks at."""
COLUMNS: Final = {
    part: [k for k, name in enumerate(NAMES) if name.startswith(begin)] for part, begin in PARTS.items()
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimConstants:
    """Numbers that were fitted or chosen on rows that no tree has learned from, but for `chance`."""

    slope: float  # of the line from the sum of the parts to log-odds on written headlines
    intercept: float
    supported: float  # log-odds from which a claim is green
    chance: float  # sum of "value" below which unlikely arithmetic asks for a look
    reread: tuple[float, float]  # slope and intercept of what the second reading adds
    doubt: float  # log-odds of the second reading below which it asks for a look


@dataclass(frozen=True, slots=True, eq=False)
class ClaimWeights:
    """What judges claims."""

    trees: Mapping[str, BoostedTrees]  # one ensemble for each of `PARTS`; higher sums speak for the claim
    constants: ClaimConstants
    met: Mapping[str, tuple[int, int]]  # by rule: false written headlines, and all, that met it

    def parts(self, rows: FloatArray) -> dict[str, FloatArray]:
        """What each part says of n claims, float64 [n] a part."""
        return {part: self.trees[part].predict(rows[:, COLUMNS[part]]) for part in PARTS}

    def log_odds(self, parts: Mapping[str, FloatArray]) -> FloatArray:
        """Log-odds that n claims are true, float64 [n]."""
        return np.asarray(
            self.constants.slope * np.sum(list(parts.values()), axis=0) + self.constants.intercept
        )


def measured(rule: str) -> str:
    """What a reason was worth on written headlines, a sentence."""
    false, count = read_claim_weights().met.get(rule, (0, 0))
    if not count:
        return "What this reason is worth was not counted."
    return f"Of {count:,} written headlines with this reason {false:,} were false."


def write_claim_weights(folder: Path, weights: ClaimWeights) -> None:
    """Writes claims.json and the trees."""
    files.make_folder(folder)
    about = {"constants": asdict(weights.constants), "met": dict(weights.met), "features": list(NAMES)}
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


def read_claim_weights(folder: Path = FOLDER) -> ClaimWeights:
    """The weights of a folder; of files that have not changed they are read once."""
    return read_once(folder, (ABOUT, TREES), _read)


@lru_cache(maxsize=2)
def _read(folder: Path, marks: tuple[str, ...]) -> ClaimWeights:
    about, tables = read_folder(folder, ABOUT, TREES)
    if tuple(about["features"]) != NAMES:
        raise other_features(folder)
    given: Mapping[str, Any] = about["constants"]
    constants = ClaimConstants(
        **{name: float(given[name]) for name in ("slope", "intercept", "supported", "chance", "doubt")},
        reread=(float(given["reread"][0]), float(given["reread"][1])),
    )
    met = {rule: (int(false), int(count)) for rule, (false, count) in about["met"].items()}
    trees = {part: from_tables(tables_of(part, tables), len(COLUMNS[part])) for part in PARTS}
    return ClaimWeights(trees, constants, met)
