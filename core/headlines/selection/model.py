"""Folders of trained selectors: what they read of a group, and the trees over it."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from core import files
from core.errors import InputError, ModelUnavailableError
from core.headlines.selection.features import NAMES, Features, FloatArray
from core.models.boosted_trees import BoostedTrees, from_tables, read_folder
from core.models.weights import hashes_of, shipped_or_own
from core.similarities import Float32Array
from core.tensor_files import write_arrays

ABOUT: Final = "selector.json"
TREES: Final = "trees.safetensors"


@dataclass(frozen=True, kw_only=True, slots=True)
class SelectorConfig:
    """What selector.json holds.

    Attributes:
        encoder: Signature of the encoder whose vectors it reads; "" for none in particular.
        dimensions: Length of those vectors; 0 for any.
        margin: Two headlines whose scores differ by no more are a draw.
        features: Names of the numbers that the trees look at, in order.
    """

    encoder: str
    dimensions: int
    margin: float
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SelectorModel:
    """A trained selector in memory."""

    config: SelectorConfig
    trees: BoostedTrees
    directions: Float32Array

    def columns(self, read: Features, vectors: Float32Array) -> FloatArray:
        """The numbers that the trees look at, float64 [k, f].

        Raises:
            InputError: The vectors are not of the encoder that the model was trained on.
        """
        if not self.directions.size:
            return read.values
        if vectors.shape[1] != len(self.directions):
            raise InputError(
                f"This selector was trained on vectors of {len(self.directions)} numbers, "
                f"and these have {vectors.shape[1]}.",
                hint=f"Choose the encoder {self.config.encoder.partition('|')[0]}, or the selector "
                "that needs none.",
            )
        return np.column_stack([read.values, (vectors @ self.directions).astype(np.float64)])


def feature_names(directions: int) -> tuple[str, ...]:
    """Names of all numbers, with so many directions of the vectors."""
    return (*NAMES, *(f"direction_{k}" for k in range(directions)))


def write_model(folder: Path, model: SelectorModel) -> None:
    """Writes selector.json and the trees."""
    files.make_folder(folder)
    told = json.dumps(asdict(model.config), indent=2, ensure_ascii=False)
    files.write(folder / ABOUT, f"{told}\n".encode())
    write_arrays(folder / TREES, {**model.trees.tables(), "directions": model.directions})


def model_folder(model: str) -> Path:
    """The folder of a selector that ships, or of one of the user's own."""
    folder = shipped_or_own(model, ABOUT, TREES)
    if folder is None:
        raise ModelUnavailableError(
            f"There is no trained selector {model!r}.",
            hint=f"Give a folder with {ABOUT} and {TREES}, as `headline-lab train selector` writes it.",
        )
    return folder


def read_model(folder: Path) -> SelectorModel:
    """The selector of a folder; of files that have not changed it is read once."""
    try:
        return _read(folder, tuple(hashes_of([folder / ABOUT, folder / TREES])))
    except OSError as error:
        raise _damaged(folder) from error


@lru_cache(maxsize=4)
def _read(folder: Path, marks: tuple[str, ...]) -> SelectorModel:
    try:
        told, tables = read_folder(folder, ABOUT, TREES)
        config = SelectorConfig(
            encoder=str(told["encoder"]),
            dimensions=int(told["dimensions"]),
            margin=float(told["margin"]),
            features=tuple(map(str, told["features"])),
        )
        directions = tables.pop("directions").astype(np.float32)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(folder) from error
    reduced = directions.shape[1] if directions.ndim == 2 else -1
    known = reduced >= 0 and config.features == feature_names(reduced)
    if not known or len(directions) != config.dimensions or not np.isfinite(directions).all():
        raise ModelUnavailableError(
            f"The selector in {folder} reads other numbers than this version makes.",
            hint="Train it again, or use the version that trained it.",
        )
    if not math.isfinite(config.margin) or config.margin < 0:
        raise _damaged(folder)
    return SelectorModel(config, from_tables(tables, len(config.features)), directions)


def _damaged(folder: Path) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"The selector in {folder} is damaged or of another program.", hint="Copy or train it again."
    )
