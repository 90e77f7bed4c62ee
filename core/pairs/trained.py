"""Folders of trained models: where they are, what their `pair_model.json` says, what reads them."""

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, TypeVar

import msgspec
from msgspec import Meta

from core import files
from core.errors import InputError, ModelUnavailableError
from core.models.file_hashes import hashes_of
from core.models.weights import shipped_or_own
from core.pairs.context import PairContext, require_vectors
from core.pairs.scorer import PairScorer

FILE: Final = "pair_model.json"
READS_BOTH: Final = "cross_encoder"  # kind of a model that names none: it reads both headlines at once

_LARGEST: Final = 1 << 20
T = TypeVar("T")
MODEL: Final = {"help": "a trained model: a name under models/, or a folder", "label": "Model"}


def write(folder: Path, note: Any) -> None:
    """Writes a dataclass as the description of the model in a folder."""
    text = json.dumps(msgspec.to_builtins(note), indent=2, ensure_ascii=False)
    files.write(folder / FILE, f"{text}\n".encode())


def kind_of(folder: Path) -> str:
    """What reads the model: the name of a scorer without its version, or `READS_BOTH`."""
    return str(_plain(folder).get("kind", READS_BOTH))


def read(folder: Path, wanted: type[T], kind: str) -> T:
    """What the model of a folder says of itself: every field of a dataclass and no other."""
    plain = _plain(folder)
    actual = str(plain.get("kind", READS_BOTH))
    if actual != kind:
        message = f"The model in {folder} is of the kind {actual[:40]!r}, not {kind!r}."
        raise ModelUnavailableError(message, hint="Choose the scorer that reads it, or another folder.")
    names = {field.name for field in dataclasses.fields(wanted)}  # type: ignore[arg-type]
    wrong = sorted(plain.keys() ^ names)
    try:
        if wrong:
            raise ValueError(f"{'an unknown' if wrong[0] in plain else 'no'} key {wrong[0]!r}")
        return msgspec.convert(plain, wanted)
    except ValueError as error:
        raise _damaged(folder, f" ({error})") from error


def _plain(folder: Path) -> dict[str, Any]:
    try:
        with (folder / FILE).open("rb") as file:
            return msgspec.json.decode(file.read(_LARGEST), type=dict[str, Any])
    except FileNotFoundError:
        message = f"The folder {folder} has no {FILE}."
        raise ModelUnavailableError(message, hint="Give a folder that `headline-lab train` made.") from None
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(folder) from error


def _damaged(folder: Path, why: str = "") -> ModelUnavailableError:
    message = f"The {FILE} in {folder} is damaged or of another program{why}."
    return ModelUnavailableError(message, hint="Copy or train the model again.")


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadConfig:
    """What pair_model.json holds of a model over vectors of the encoder that it was trained on."""

    kind: str
    encoder: str
    dimensions: Annotated[int, Meta(ge=1)]
    threshold: Annotated[float, Meta(gt=0, lt=1)]
    features: tuple[str, ...] = ()


def head_folder(model: str) -> Path:
    """The folder of a model that ships, or of one of the user's own."""
    folder = shipped_or_own(model, FILE)
    if folder is None:
        message = f"There is no trained pair model {model!r}."
        hint = "Give a folder with `pair_model.json`, such as `RUN/model` of a training run."
        raise ModelUnavailableError(message, hint=hint)
    return folder


def hashes_in(folder: Path, *names: str) -> tuple[str, ...]:
    """Hashes of a model's files."""
    try:
        return tuple(hashes_of([folder / name for name in names]))
    except OSError as error:
        message = f"The folder {folder} lacks {' or '.join(names)}."
        raise ModelUnavailableError(message, hint="Copy or train the model again.") from error


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
    def located(self) -> tuple[Path, HeadConfig]:
        folder = head_folder(self.model)
        return folder, read(folder, HeadConfig, self.kind)

    @property
    def encoder(self) -> str:
        return self.located[1].encoder

    @property
    def threshold(self) -> float:
        return self.located[1].threshold


def require_same_width(context: PairContext, config: HeadConfig) -> None:
    require_vectors(context)
    if len(context) and context.vectors.shape[1] != config.dimensions:
        raise InputError(
            f"This model was trained on vectors of {config.dimensions} numbers, "
            f"and the encoder gives {context.vectors.shape[1]}.",
            hint=f"Choose the encoder {config.encoder.partition('|')[0]}, or train a model on yours.",
        )
