"""Folders of small trained models: where they are, what their `pair_model.json` says, what reads them."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final

from core import files
from core.errors import InputError, ModelUnavailableError
from core.models.weights import hash_of, shipped_or_own
from core.pairs.features.additive import Additive
from core.pairs.scorer import PairContext, PairScorer, require_vectors

MODEL: Final[Mapping[str, Any]] = {
    "help": "a trained model: a name under models/, or a folder",
    "label": "Model",
}
"""What a recipe says of its field `model`."""

FILE: Final = "pair_model.json"
EVENT_BLEND: Final = "event_blend"
"""Kind of the model of `event_blend`, and name of the one that ships."""

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
        _write(folder, dataclasses.asdict(self))


@dataclass(frozen=True, slots=True)
class EventModel:
    """Weights and threshold of `event_blend`; they are small enough to stand in pair_model.json.

    Attributes:
        direct: Sum of what a pair itself shows.
        grouped: Sum of these log odds and of the groups around the pair.
        threshold: Probability from which a pair is called the same event.
    """

    direct: Additive
    grouped: Additive
    threshold: float

    def write(self, folder: Path) -> None:
        """Writes pair_model.json; numbers keep eight digits."""
        values = {"kind": EVENT_BLEND, "threshold": self.threshold}
        values |= {name: dataclasses.asdict(getattr(self, name)) for name in ("direct", "grouped")}
        _write(folder, _rounded(values))


def head_folder(model: str) -> Path:
    """The folder of a model that ships, or of one of the user's own.

    Raises:
        ModelUnavailableError: There is no such folder.
    """
    folder = shipped_or_own(model, FILE)
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
    found = _read(folder, kind)
    try:
        config = HeadConfig(
            kind=kind,
            encoder=str(found["encoder"]),
            dimensions=int(found["dimensions"]),
            threshold=float(found["threshold"]),
            features=tuple(map(str, found.get("features", ()))),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(folder) from error
    if config.dimensions < 1 or not math.isfinite(config.threshold) or not 0 < config.threshold < 1:
        raise _damaged(folder)
    return config


def read_model(model: str) -> EventModel:
    """The model of `event_blend` in a folder, or the one that ships.

    Args:
        model: A name under models/, or a folder.

    Raises:
        ModelUnavailableError: There is none, it is damaged, or it is of another kind.
    """
    folder = head_folder(model)
    return _event_model(folder, hash_of(folder / FILE))


@lru_cache(maxsize=8)
def _event_model(folder: Path, _hash: str) -> EventModel:
    found = _read(folder, EVENT_BLEND)
    try:
        return EventModel(_sum(found["direct"]), _sum(found["grouped"]), _number(found["threshold"]))
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise _damaged(folder) from error


class TrainedScorer(PairScorer):
    """Base of scorers that a folder of a trained model makes.

    Attributes:
        model: A name under models/, or a folder.
    """

    __slots__ = ()

    model: str

    @property
    def weights(self) -> tuple[Path, ...]:
        """The model's folder; see `core.models.weights.files`."""
        return (head_folder(self.model),)


class TrainedHead(TrainedScorer):
    """Base of scorers over an encoder's vectors.

    Attributes:
        kind: What the folder's pair_model.json has to say of itself.
    """

    __slots__ = ()

    kind: ClassVar[str]

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


def _write(folder: Path, values: Mapping[str, Any]) -> None:
    text = json.dumps(values, indent=2, ensure_ascii=False)
    files.write(folder / FILE, f"{text}\n".encode())


def _read(folder: Path, kind: str) -> Mapping[str, Any]:
    """pair_model.json of a folder, whose model has to be of a kind."""
    try:
        with (folder / FILE).open(encoding="utf-8") as file:
            values: Mapping[str, Any] = json.loads(file.read(_LARGEST))
        found = str(values.get("kind", "cross_encoder"))
    except (OSError, ValueError, RecursionError, AttributeError) as error:
        raise _damaged(folder) from error
    if found != kind:
        raise ModelUnavailableError(
            f"The model in {folder} is of the kind {found[:40]!r}, not {kind!r}.",
            hint="Choose the scorer that reads it, or another folder.",
        )
    return values


def _damaged(folder: Path) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"The pair_model.json in {folder} is damaged or of another program.",
        hint="Copy or train the model again.",
    )


def _sum(values: Mapping[str, Any]) -> Additive:
    weights, usual = ({str(k): _number(v) for k, v in values[name].items()} for name in ("weights", "usual"))
    if not weights or weights.keys() != usual.keys():
        raise ValueError("weights and means do not fit together")
    return Additive(weights, usual, _number(values["bias"]))


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("not a finite number")
    return number


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _rounded(inner) for key, inner in value.items()}
    return float(f"{value:.8g}") if isinstance(value, float) else value
