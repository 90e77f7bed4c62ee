"""Low-rank updates from a folder, added to the language model that they were trained on."""

from __future__ import annotations

import copy
import dataclasses
import json
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from core import files
from core.errors import CoreError, ModelUnavailableError
from core.models.language_models.language_model import LanguageModelRecipe, language_models
from core.models.language_models.network import CausalNetwork
from core.models.weights import fingerprint, load_state
from core.runtime import Runtime

FORMAT: Final = "headline-lab-headline-model"
KIND: Final = "language_model_adapter"
ABOUT = "headline_model.json"
WEIGHTS = "adapter.safetensors"
Count = Annotated[int, msgspec.Meta(ge=1, le=100_000)]


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class AdapterConfig:
    """What an adapter is.

    Attributes:
        base: Signature of the language model that it belongs to.
        rank: Width of the update.
        alpha: The update is scaled by alpha / rank.
        first_block: Blocks before this one are left as they are.
        article_tokens: Tokens of an article that were read in training.
        headline_tokens: Tokens of a headline at most.
        before, end: See `Frame`; the text between is `core.models.language_models.language_model.after_text`.
    """

    base: str
    rank: Count
    alpha: float
    first_block: int
    article_tokens: Count
    headline_tokens: Count
    before: str
    end: str

    def write(self, folder: Path, **more: Any) -> None:
        """Writes headline_model.json, with what else a reader wants to know."""
        about = {"format": FORMAT, "kind": KIND, **dataclasses.asdict(self), **more}
        files.write(folder / ABOUT, (json.dumps(about, indent=2) + "\n").encode())


def read_about(folder: Path) -> AdapterConfig:
    if not (folder / ABOUT).is_file() or not (folder / WEIGHTS).is_file():
        raise ModelUnavailableError(
            f"The folder {folder} holds no adapter of a language model.",
            hint=f"Give a folder of `headline-lab train headlines`, with `{ABOUT}` and `{WEIGHTS}`.",
        )
    try:
        told = msgspec.json.decode((folder / ABOUT).read_bytes())
        if (told["format"], told["kind"]) != (FORMAT, KIND):
            raise ValueError("another kind of model")
        return msgspec.convert(told, AdapterConfig)
    except (OSError, ValueError, TypeError, KeyError, msgspec.MsgspecError) as error:
        raise ModelUnavailableError(
            f"{folder / ABOUT} does not describe an adapter of a language model.",
            hint="Copy the folder again from where it was trained.",
        ) from error


def check_adapter(folder: Path) -> None:
    """Looks for an adapter and its language model without loading them."""
    base_of(folder).check()


def base_of(folder: Path) -> LanguageModelRecipe:
    return _recipe(folder, read_about(folder))


def with_adapter(folder: Path, runtime: Runtime) -> CausalNetwork:
    """The language model of an adapter with its updates added to the weights; the last one is remembered.

    W + (alpha / rank) B A is computed in float32, then rounded to the number format of the model.
    """
    about = read_about(folder)
    base = _recipe(folder, about).build(runtime)
    mark = f"{base.fingerprint}-{fingerprint(folder)}"
    model = _merged(_Base(base.model, f"{mark} {base.model.device} {base.model.dtype}"), folder)
    return dataclasses.replace(base, model=model, fingerprint=mark)


@dataclasses.dataclass(frozen=True, slots=True)
class _Base:
    model: Any = dataclasses.field(compare=False)
    mark: str


@lru_cache(maxsize=1)
def _merged(base: _Base, folder: Path) -> Any:
    from core.models.networks.low_rank import add_updates

    about = read_about(folder)
    model = copy.deepcopy(base.model)
    try:
        add_updates(model, load_state(folder / WEIGHTS), rank=about.rank, scale=about.alpha / about.rank)
    except ValueError as error:
        raise _misfit(folder, str(error)) from error
    return model


def _recipe(folder: Path, about: AdapterConfig) -> LanguageModelRecipe:
    try:
        return language_models.parse(about.base)
    except CoreError as error:
        raise _misfit(folder, f"it names {about.base[:100]!r}, which is no language model here") from error


def _misfit(folder: Path, why: str) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"The adapter in {folder} cannot be used: {why}.",
        hint="Copy the folder again from where it was trained, or train it anew.",
    )
