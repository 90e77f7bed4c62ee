"""Weights that verdicts are made with, and their file format."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from core.models import boosted_trees
from core.models.loaded import loaded
from core.numerals.claims import claim_weights
from core.numerals.derivations.features import NAMES

ABOUT: Final = "numerals.json"
TREES: Final = "weighing.safetensors"
ENSEMBLES: Final = {"derivations": NAMES, "answers": NAMES}  # which numbers each ensemble of trees looks at


@dataclass(frozen=True, kw_only=True, slots=True)
class Constants:
    sharpness: float  # sums of the answers' trees are multiplied by this before the softmax
    language_model: float  # weight of a log-likelihood, in nats, beside those


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    derivations: boosted_trees.BoostedTrees  # ranks the derivations of a known number
    answers: boosted_trees.BoostedTrees  # ranks what may fill a blank
    constants: Constants


def write_weights(folder: Path, weights: Weights) -> None:
    about = {"constants": asdict(weights.constants), "features": {k: list(v) for k, v in ENSEMBLES.items()}}
    tables = boosted_trees.named_tables({name: getattr(weights, name) for name in ENSEMBLES})
    boosted_trees.write_folder(folder, ABOUT, about, TREES, claim_weights.narrowed(tables))


def read_weights(folder: Path) -> Weights:
    return boosted_trees.read_once(folder, (ABOUT, TREES), _read)


@loaded(4)
def _read(folder: Path, marks: tuple[str, ...]) -> Weights:
    about, tables = boosted_trees.read_folder(folder, ABOUT, TREES)
    constants = Constants(**{key: float(value) for key, value in about["constants"].items()})
    if {key: tuple(value) for key, value in about["features"].items()} != ENSEMBLES:
        raise boosted_trees.other_features(folder)
    trees = boosted_trees.named_trees(tables, {name: len(columns) for name, columns in ENSEMBLES.items()})
    return Weights(**trees, constants=constants)
