"""Where a pair model lies and what it is, before it is loaded."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import CoreError, ModelUnavailableError
from core.models import model_settings
from core.models.model_settings import has_tokenizer
from core.models.weights import folder_named, hub_allowed, locate
from core.pairs.cross_encoder.tokens import PairModelConfig
from core.pairs.trained import FILE

if TYPE_CHECKING:
    from torch import Tensor


@dataclasses.dataclass(frozen=True, slots=True)
class FoundModel:
    weights: Path
    settings: Path
    config: PairModelConfig

    @property
    def plain(self) -> bool:
        """It has no `pair_model.json`: a classifier of transformers, or a bare checkpoint."""
        return self.weights.is_file() or not (self.weights / FILE).is_file()

    def files(self, *, allow_network: bool) -> tuple[Path, ...]:
        """Files and folders that it is loaded from: its own, and those of the model that it was made from."""
        own = tuple(dict.fromkeys((self.weights, self.settings)))
        whole = self.plain or (self.config.adapter == "full" and has_tokenizer(self.weights))
        return (
            own if whole else (*own, locate(self.config.base, allow_network=allow_network and hub_allowed()))
        )


def find(model: str, otherwise: PairModelConfig, *, allow_network: bool = True) -> FoundModel:
    """Where a pair model lies and what it is, without loading it."""
    allowed = allow_network and hub_allowed()
    path = folder_named(model)
    if path.is_file():
        return FoundModel(path, locate(otherwise.base, allow_network=allowed), otherwise)
    folder = locate(model, allow_network=allowed)
    if not (folder / FILE).is_file():
        # A text that is no headline, such as a claim's article, may be longer.
        label, longest = _entailment(read_settings(folder)), max(512, otherwise.max_tokens)
        same = otherwise.same_label if label is None else label
        config = dataclasses.replace(otherwise, base=str(folder), same_label=same, max_tokens=longest)
        return FoundModel(folder, folder, config)
    config = PairModelConfig.read(folder)
    for what in ("input", "time"):
        given, wanted = getattr(config, what), getattr(otherwise, what)
        if given != wanted:
            raise ModelUnavailableError(
                f"The pair model {model} has {what} {given!r}, and this scorer runs models with {wanted!r}.",
                hint="Choose the scorer that fits the model, or another model.",
            )
    return FoundModel(folder, folder, config)


def made_from(model: str) -> str | None:
    """The base that `pair_model.json` names, "" for a folder of a whole classifier, None if not known."""
    with suppress(CoreError):
        if not folder_named(model).is_file():
            folder = locate(model)
            return PairModelConfig.read(folder).base if (folder / FILE).is_file() else ""
    return None


def read_settings(folder: Path) -> dict[str, Any]:
    settings = model_settings.read_settings(folder)
    outputs = len(settings.get("id2label") or ()) or 2
    if outputs > 2 and _entailment(settings) is None:
        message = f"The classifier in {folder} has {outputs} outputs, none of them called entailment."
        hint = "Give a model that was trained on pairs that are the same or not."
        raise ModelUnavailableError(message, hint=hint)
    return settings


def _entailment(settings: dict[str, Any]) -> int | None:
    """Which output says that one text entails the other, of classifiers that were trained on that."""
    labels = (settings.get("id2label") or {}).items()
    return next((int(place) for place, name in labels if str(name).casefold() == "entailment"), None)


def unwrapped(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """The tensors by transformers' names: without the `module.` or `model.` of a wrapper around all."""
    for prefix in ("module.", "model."):
        if state and all(name.startswith(prefix) for name in state):
            state = {name.removeprefix(prefix): tensor for name, tensor in state.items()}
    return state
