"""Weights that claims are judged with, and their files."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core import files
from core.arrays import FloatArray
from core.models import boosted_trees
from core.models.loaded import loaded
from core.numerals.claims.features import FEATURE_NAMES
from core.numerals.claims.rules import RULES
from core.numerals.derivations.features import SUPPORT_NAMES

FOLDER: Final = files.ROOT / "models" / "numeral_claims"
ABOUT: Final = "claims.json"
TREES: Final = "claims.safetensors"
NAMES: Final = (  # columns of the trees
    *FEATURE_NAMES,
    *(f"support_{name}" for name in SUPPORT_NAMES),
    *(f"rule_{name.replace(' ', '_')}" for name in RULES),
)
WRITTEN, NUMBERS = "written", "numbers"  # the ensembles; higher sums speak for the claim


class Ways(StrEnum):
    """By what claims are read beside the rules."""

    RULES = "rules"  # nothing
    READ = "read"  # the small network
    THOROUGH = "thorough"  # the language model, too


@dataclass(frozen=True, slots=True)
class ClaimConstants:
    """How what is known of a claim makes log-odds, and limits; fitted on rows that nothing learned from."""

    intercept: float
    trees: float  # factor of the sum of the written ensemble
    reader: float  # of the log-odds of the small network
    verifier: float  # of those of the language model
    unlike: float  # log-odds below which a claim asks for a look
    supported: float  # support from which a claim is green


@dataclass(frozen=True, slots=True, eq=False)
class ClaimWeights:
    trees: Mapping[str, boosted_trees.BoostedTrees]  # `WRITTEN` and `NUMBERS`
    constants: Mapping[Ways, ClaimConstants]
    met: Mapping[str, tuple[int, int]]  # by rule: false written headlines, and all, that met it

    def log_odds(self, rows: FloatArray, reader: FloatArray, verifier: FloatArray) -> FloatArray:
        """Log-odds that n claims are true, float64 [n], of rows and readings, NaN where there is none."""
        how = [self.constants[way] for way in ways_of(reader, verifier)]
        read, again = np.nan_to_num(reader), np.nan_to_num(verifier)
        odds = zip(how, self.trees[WRITTEN].predict(rows), read, again, strict=True)
        return np.array([h.intercept + h.trees * s + (h.reader * r + h.verifier * v) for h, s, r, v in odds])

    def support(self, rows: FloatArray, log_odds: FloatArray) -> FloatArray:
        """What speaks for a green light, float64 [n]: two thirds from the ensemble that saw wrong numbers."""
        return (log_odds + 2 * self.trees[NUMBERS].predict(rows)) / 3


def ways_of(reader: FloatArray, verifier: FloatArray) -> list[Ways]:
    ways = np.where(np.isnan(reader), Ways.RULES, np.where(np.isnan(verifier), Ways.READ, Ways.THOROUGH))
    return [Ways(way) for way in ways.tolist()]


def measured(rule: str) -> str:
    """What a reason was worth on written headlines, a sentence."""
    false, count = read_claim_weights().met.get(rule, (0, 0))
    if not count:
        return "What this reason is worth was not counted."
    return f"Of {count:,} written headlines with this reason {false:,} were false."


def write_claim_weights(folder: Path, weights: ClaimWeights) -> None:
    constants = {way.value: asdict(how) for way, how in weights.constants.items()}
    about = {"constants": constants, "met": dict(weights.met), "features": list(NAMES)}
    tables = narrowed(boosted_trees.named_tables(weights.trees))
    boosted_trees.write_folder(folder, ABOUT, about, TREES, tables)


def narrowed(tables: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Tables of trees as they are stored: single precision of the leaves costs less than a thousandth."""
    small: dict[str, type[np.generic]] = {"columns": np.int16, "values": np.float32}
    return {
        key: table.astype(small.get(key.rpartition(".")[2], table.dtype)) for key, table in tables.items()
    }


def read_claim_weights(folder: Path = FOLDER) -> ClaimWeights:
    """The weights of a folder; of files that have not changed they are read once."""
    return boosted_trees.read_once(folder, (ABOUT, TREES), _read_weights)


@loaded(2)
def _read_weights(folder: Path, marks: tuple[str, ...]) -> ClaimWeights:
    about, tables = boosted_trees.read_folder(folder, ABOUT, TREES)
    if tuple(about["features"]) != NAMES:
        raise boosted_trees.other_features(folder)
    constants = {Ways(way): ClaimConstants(**how) for way, how in about["constants"].items()}
    met = {rule: (int(false), int(count)) for rule, (false, count) in about["met"].items()}
    trees = boosted_trees.named_trees(tables, dict.fromkeys((WRITTEN, NUMBERS), len(NAMES)))
    return ClaimWeights(trees, constants, met)
