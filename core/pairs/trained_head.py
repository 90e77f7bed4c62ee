"""Folders of small models over an encoder's vectors: where they lie and what they say of themselves."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from core import files
from core.errors import InputError, ModelUnavailableError
from core.models.weights import shipped_or_own
from core.pairs.scorer import PairContext, require_vectors
from core.pairs.timeless import Timeless

MODEL: Final[Mapping[str, Any]] = {
    "help": "a trained model: a name under models/, or a folder",
    "label": "Model",
}
"""What a recipe says of its field `model`."""

_LARGEST: Final = 1 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadConfig:
    """What pair_model.json holds of a model over vectors.

    Attributes:
        kind: Name of the scorer that reads it, without version.
        encoder: Signature of the encoder whose vectors it was trained on.
        dimensions: Length of those vectors.
        threshold: Score from which a pair is called the same event.
        features: Names of the numbers that it reads, in order; empty where it reads vectors alone.
    """

    kind: str
    encoder: str
    dimensions: int
    threshold: float
    features: tuple[str, ...] = ()

    def write(self, folder: Path) -> None:
        """Writes pair_model.json."""
        text = json.dumps(dataclasses.asdict(self), indent=2, ensure_ascii=False)
        files.write(folder / "pair_model.json", f"{text}\n".encode())


def head_folder(model: str) -> Path:
    """The folder of a model that ships, or of one of the user's own.

    Raises:
        ModelUnavailableError: There is no such folder.
    """
    folder = shipped_or_own(model, "pair_model.json")
    if folder is None:
        raise ModelUnavailableError(
            f"There is no trained pair model {model!r}.",
            hint="Give a folder with pair_model.json, such as RUN/model of a training run.",
        )
    return folder


def read_config(folder: Path, kind: str) -> HeadConfig:
    """What the model of a folder says of itself.

    Args:
        folder: From `head_folder`.
        kind: What it has to be.

    Raises:
        ModelUnavailableError: pair_model.json is damaged, or the model is of another kind.
    """
    try:
        with (folder / "pair_model.json").open(encoding="utf-8") as file:
            told = json.loads(file.read(_LARGEST))
        found = str(told.get("kind", "cross_encoder"))
    except (OSError, ValueError, RecursionError, AttributeError) as error:
        raise _damaged(folder) from error
    if found != kind:
        raise ModelUnavailableError(
            f"The model in {folder} is of the kind {found[:40]!r}, not {kind!r}.",
            hint="Choose the scorer that reads it, or another folder.",
        )
    try:
        config = HeadConfig(
            kind=kind,
            encoder=str(told["encoder"]),
            dimensions=int(told["dimensions"]),
            threshold=float(told["threshold"]),
            features=tuple(map(str, told.get("features", ()))),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(folder) from error
    if config.dimensions < 1 or not math.isfinite(config.threshold) or not 0 < config.threshold < 1:
        raise _damaged(folder)
    return config


class TrainedHead(Timeless):
    """Base of scorers that a folder of a trained model makes; days may be weighed, but are no factor.

    Attributes:
        kind: What the folder's pair_model.json has to say of itself.
        model: A name under models/, or a folder.
    """

    __slots__ = ()

    kind: ClassVar[str]
    model: str

    @property
    def weights(self) -> tuple[Path, ...]:
        """The model's folder; see `core.models.weights.taking_part`."""
        return (head_folder(self.model),)

    @property
    def found(self) -> tuple[Path, HeadConfig]:
        """The model's folder, and what it says of itself.

        Raises:
            ModelUnavailableError: It is missing, damaged or of another kind.
        """
        folder = head_folder(self.model)
        return folder, read_config(folder, self.kind)

    @property
    def threshold(self) -> float:
        """That of the model."""
        return self.found[1].threshold


def require_same_width(context: PairContext, config: HeadConfig) -> None:
    """Checks that the vectors can be those that the model was trained on.

    Raises:
        InputError: There are none, or they have another length.
    """
    require_vectors(context)
    if len(context) and context.vectors.shape[1] != config.dimensions:
        raise InputError(
            f"This model was trained on vectors of {config.dimensions} numbers, "
            f"and the encoder gives {context.vectors.shape[1]}.",
            hint=f"Choose the encoder {config.encoder.partition('|')[0]}, or train a model on yours.",
        )


def _damaged(folder: Path) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"The pair_model.json in {folder} is damaged or of another program.",
        hint="Copy or train the model again.",
    )
