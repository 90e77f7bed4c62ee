"""Folders of small trained models: where they are, what their `pair_model.json` says, what reads them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from core.errors import InputError, ModelUnavailableError
from core.models.weights import hash_of, hashes_of, shipped_or_own
from core.pairs import model_file
from core.pairs.features.additive import Additive
from core.pairs.scorer import PairContext, PairScorer, require_vectors

MODEL: Final = {
    "help": "a trained model: a name under models/, or a folder",
    "label": "Model",
}
"""What a recipe says of its field `model`."""

EVENT_BLEND: Final = "event_blend"
"""Kind of the model of `event_blend`, and name of the one that ships."""


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
    dimensions: Annotated[int, Meta(ge=1)]
    threshold: Annotated[float, Meta(gt=0, lt=1)]
    features: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EventModel:
    """Weights and threshold of `event_blend`; they are small enough to stand in pair_model.json."""

    direct: Additive
    grouped: Additive
    threshold: float
    kind: str = EVENT_BLEND


def head_folder(model: str) -> Path:
    """The folder of a model that ships, or of one of the user's own."""
    folder = shipped_or_own(model, model_file.FILE)
    if folder is None:
        raise ModelUnavailableError(
            f"There is no trained pair model {model!r}.",
            hint="Give a folder with `pair_model.json`, such as `RUN/model` of a training run.",
        )
    return folder


def read_model(model: str) -> EventModel:
    """The model of `event_blend` in a folder, or the one that ships."""
    folder = head_folder(model)
    return _event_model(folder, hash_of(folder / model_file.FILE))


@lru_cache(maxsize=8)
def _event_model(folder: Path, _hash: str) -> EventModel:
    return model_file.read(folder, EventModel, EVENT_BLEND)


def hashes_in(folder: Path, *names: str) -> tuple[str, ...]:
    """Hashes of a model's files."""
    try:
        return tuple(hashes_of([folder / name for name in names]))
    except OSError as error:
        raise ModelUnavailableError(
            f"The folder {folder} lacks {' or '.join(names)}.", hint="Copy or train the model again."
        ) from error


class TrainedScorer(PairScorer):
    """Base of scorers that a folder of a trained model makes."""

    __slots__ = ()

    model: str

    @property
    def weights(self) -> tuple[Path, ...]:
        return (head_folder(self.model),)


class TrainedHead(TrainedScorer):
    """Base of scorers over an encoder's vectors."""

    __slots__ = ()

    kind: ClassVar[str]

    @property
    def found(self) -> tuple[Path, HeadConfig]:
        folder = head_folder(self.model)
        return folder, model_file.read(folder, HeadConfig, self.kind)

    @property
    def encoder(self) -> str:
        return self.found[1].encoder

    @property
    def threshold(self) -> float:
        return self.found[1].threshold


def require_same_width(context: PairContext, config: HeadConfig) -> None:
    require_vectors(context)
    if len(context) and context.vectors.shape[1] != config.dimensions:
        raise InputError(
            f"This model was trained on vectors of {config.dimensions} numbers, "
            f"and the encoder gives {context.vectors.shape[1]}.",
            hint=f"Choose the encoder {config.encoder.partition('|')[0]}, or train a model on yours.",
        )
