"""Low-rank updates from a folder, added to the language model that they were trained on."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

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
        before, end: See `Frame`; the text between is `core.headlines.control_tags.after_text`.
    """

    base: str
    rank: int
    alpha: float
    first_block: int
    article_tokens: int
    headline_tokens: int
    before: str
    end: str

    def write(self, folder: Path, **more: Any) -> None:
        """Writes headline_model.json, with what else a reader wants to know."""
        about = {"format": FORMAT, "kind": KIND, **dataclasses.asdict(self), **more}
        files.write(folder / ABOUT, (json.dumps(about, indent=2) + "\n").encode())


def read_about(folder: Path) -> AdapterConfig:
    """What an adapter says about itself.

    Raises:
        ModelUnavailableError: The folder holds no adapter, or its description is damaged.
    """
    if not (folder / ABOUT).is_file() or not (folder / WEIGHTS).is_file():
        raise ModelUnavailableError(
            f"The folder {folder} holds no adapter of a language model.",
            hint=f"Give a folder with {ABOUT} and {WEIGHTS}, as `headline-lab train headlines` writes it.",
        )
    try:
        told = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        if (told["format"], told["kind"]) != (FORMAT, KIND):
            raise ValueError("another kind of model")
        about = AdapterConfig(**{field.name: told[field.name] for field in dataclasses.fields(AdapterConfig)})
        _check(about)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ModelUnavailableError(
            f"{folder / ABOUT} does not describe an adapter of a language model.",
            hint="Copy the folder again from where it was trained.",
        ) from error
    return about


def _check(about: AdapterConfig) -> None:
    counts = (about.rank, about.article_tokens, about.headline_tokens)
    if not all(type(count) is int and 0 < count <= 100_000 for count in counts):
        raise ValueError("a count is out of range")
    if type(about.alpha) not in {int, float} or not math.isfinite(about.alpha):
        raise ValueError("alpha is no number")
    if not all(isinstance(text, str) for text in (about.base, about.before, about.end)):
        raise ValueError("a text is missing")


def check_adapter(folder: Path) -> None:
    """Looks for an adapter and its language model without loading them.

    Raises:
        ModelUnavailableError: One of them is not on this machine, or the adapter's description is damaged.
    """
    base_of(folder).check()


def base_of(folder: Path) -> LanguageModelRecipe:
    """The language model that an adapter was trained on.

    Raises:
        ModelUnavailableError: The adapter's description is damaged, or names no language model.
    """
    return _recipe(folder, read_about(folder))


def with_adapter(folder: Path, runtime: Runtime) -> CausalNetwork:
    """The language model of an adapter with its updates added to the weights; the last one is remembered.

    W + (alpha / rank) B A is computed in float32, then rounded to the number format of the model.

    Raises:
        ModelUnavailableError: The adapter or its language model is not on this machine, is damaged, or they
            do not belong together.
    """
    about = read_about(folder)
    base: Any = _recipe(folder, about).build(runtime)
    if not isinstance(base, CausalNetwork):
        raise ModelUnavailableError(
            f"{about.base} takes no adapter.", hint="Train the adapter on smollm2.v1 or causal.v1."
        )
    mark = f"{base.fingerprint}-{fingerprint(folder)}"
    model = _merged(_Base(base.model, f"{mark} {base.model.device} {base.model.dtype}"), folder)
    return dataclasses.replace(base, model=model, fingerprint=mark)


@dataclasses.dataclass(frozen=True, slots=True)
class _Base:
    """A model, and what tells apart what is made of it."""

    model: Any = dataclasses.field(compare=False)
    mark: str


@lru_cache(maxsize=1)
def _merged(base: _Base, folder: Path) -> Any:
    import torch

    about = read_about(folder)
    state = load_state(folder / WEIGHTS)
    model = copy.deepcopy(base.model)
    modules = dict(model.named_modules())
    scale = about.alpha / about.rank
    names = sorted({name.removesuffix(".lora_A").removesuffix(".lora_B") for name in state})
    for name in names:
        down, up = state.get(f"{name}.lora_A"), state.get(f"{name}.lora_B")
        layer = modules.get(name)
        if down is None or up is None or not isinstance(layer, torch.nn.Linear):
            raise _misfit(folder, f"its tensors of {name[:100]!r} belong to no layer of {about.base}")
        wanted = ((about.rank, layer.in_features), (layer.out_features, about.rank))
        if (tuple(down.shape), tuple(up.shape)) != wanted:
            raise _misfit(folder, f"its tensors of {name[:100]!r} have another shape than the layer")
        if not bool(torch.isfinite(down).all() and torch.isfinite(up).all()):
            raise _misfit(folder, f"its tensors of {name[:100]!r} hold what is no number")
        update = scale * (up.float() @ down.float()).to(layer.weight.device)
        layer.weight.copy_(layer.weight.float() + update)
    if not names:
        raise _misfit(folder, "it has no tensors")
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
