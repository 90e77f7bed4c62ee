"""Trees and constants that belong to an attacher, in its model's folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

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
from core.numerals.derivations.features import ADDED, NAMES
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.question import Attachment, shares_of
from core.numerals.verdict import MOST_DERIVATIONS, Derivation
from core.tensor_files import write_arrays

NOTHING: Final = -20.0  # stands for a score where there is no candidate: below all that occur
SINGLE: Final = frozenset({"copy", "trans", "paraphrase", "round"})  # ways with one numeral of the article


def support_features(
    attachment: Attachment,
    candidates: Sequence[DerivationCandidate],
    features: FloatArray,
    ranks: FloatArray,
) -> FloatArray:
    """Numbers on one place, float64 [len(SUPPORT_NAMES)]."""
    shares = shares_of(attachment.numerals)
    n = len(shares)
    added = dict.fromkeys(ADDED, 0.0)
    added |= {"numerals": float(n), "candidates": float(len(candidates))}
    added["entropy"] = float(-(shares * np.log(shares + 1e-12)).sum()) if n else 0.0
    if not candidates:
        added |= {"best": NOTHING, "second": NOTHING, "mass": 0.0, "rank": float(n)}
        added["rival_share"] = float(shares.max(initial=0.0))
        top = np.zeros(len(NAMES))
    else:
        order = np.argsort(-ranks, kind="stable")
        top = features[order[0]]
        single = sorted({row for one in candidates if one.way in SINGLE for row in one.sources})
        used = np.array(single, dtype=np.int64)
        others = np.delete(shares, used)
        added["best"] = float(ranks[order[0]])
        added["second"] = float(ranks[order[1]]) if len(order) > 1 else NOTHING
        added["margin"] = added["best"] - added["second"]
        added["single_candidates"] = float(sum(one.way in SINGLE for one in candidates))
        added["mass"] = float(shares[list(candidates[order[0]].sources)].sum())
        added["single_mass"] = float(shares[used].sum())
        added["rival_share"] = float(others.max(initial=0.0))
        added["rank"] = float((shares > shares[used].max(initial=0.0)).sum())
    return np.concatenate([top, [added[name] for name in ADDED]])


def ranked(
    candidates: Sequence[DerivationCandidate], scores: npt.NDArray[np.float64], probability: float
) -> tuple[Derivation, ...]:
    """The likeliest `MOST_DERIVATIONS` ways; a probability is divided among all by a softmax."""
    shares = shares_of(scores) * probability
    order = np.argsort(-scores, kind="stable")[:MOST_DERIVATIONS]
    return tuple(Derivation(candidates[row], float(shares[row])) for row in order.tolist())


ABOUT: Final = "numerals.json"
TREES: Final = "weighing.safetensors"
ENSEMBLES: Final = {"derivations": NAMES, "answers": NAMES}
"""Which numbers each ensemble of trees looks at."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Constants:
    """Numbers that were fitted or chosen on validation rows."""

    sharpness: float  # sums of the answers' trees are multiplied by this before the softmax
    language_model: float  # weight of a log-likelihood, in nats, beside those


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What weighs."""

    derivations: BoostedTrees  # ranks the derivations of a known number
    answers: BoostedTrees  # ranks what may fill a blank
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
