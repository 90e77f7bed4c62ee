"""Pair models on disk: a folder in the transformers format with `pair_model.json` beside.

Imports torch; scorers import it inside functions.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import Tensor

from core import files
from core.errors import ModelUnavailableError
from core.models.weights import has_tokenizer, hub_allowed, load_state, locate
from core.pairs.cross_encoder.config import PairModelConfig
from core.pairs.cross_encoder.model import PairModel, assemble, build
from core.tensor_files import write_tensors

WEIGHTS = "model.safetensors"
ADAPTER = "adapter_model.safetensors"


def save(model: PairModel, folder: Path) -> None:
    """Writes a pair model.

    With `adapter: full` and no concatenated days the folder is one that transformers and
    sentence-transformers load by themselves, with its tokenizer. Otherwise it holds what was trained
    alone, in half precision where the base was not.
    """
    files.make_folder(folder)
    settings = model.network.config.to_dict()
    settings.pop("_name_or_path", None)  # a path on this machine, or nothing
    settings["architectures"] = [type(model.network).__name__]
    text = json.dumps(settings, indent=2, sort_keys=True, ensure_ascii=False)
    files.write(folder / "config.json", f"{text}\n".encode())
    full = model.config.adapter == "full"
    if full and model.config.time != "concat":
        tensors = dict(model.network.state_dict())
    else:
        kept = model.state_dict() if full else model.trained()
        tensors = {name.replace(".default.weight", ".weight"): part.detach() for name, part in kept.items()}
    dtype = torch.float32 if full else torch.float16
    ready = {
        name: part.to("cpu", dtype if part.is_floating_point() else part.dtype)
        for name, part in tensors.items()
    }
    write_tensors(folder / (WEIGHTS if full else ADAPTER), ready)
    if full:
        model.tokenizer.save(folder)
    model.config.write(folder)


def load(folder: Path) -> PairModel:
    """Reads a pair model that `save` wrote; it can be trained on.

    Raises:
        ModelUnavailableError: The folder or its base is missing, damaged or of another architecture.
    """
    config = PairModelConfig.read(folder)
    state = load_state(folder)
    if config.adapter == "full" and config.time != "concat":
        return assemble(config, tokenizer_folder(folder, config), state, head_given=True, settings=folder)
    if config.adapter == "full":
        inner = {
            name.removeprefix("network."): part for name, part in state.items() if name.startswith("network.")
        }
        model = assemble(config, tokenizer_folder(folder, config), inner, head_given=False, settings=folder)
    else:
        model = build(config)
    fill(model, state, folder)
    return model


def fill(model: PairModel, state: dict[str, Tensor], folder: Path) -> None:
    """Puts saved tensors in the place of what was trained."""
    wanted = {name.replace(".default.weight", ".weight"): part for name, part in model.trained().items()}
    wrong = sorted(set(wanted) ^ set(state)) or sorted(
        name for name, part in wanted.items() if part.shape != state[name].shape
    )
    if wrong:
        raise ModelUnavailableError(
            f"The weights in {folder} do not fit its `pair_model.json`: {wrong[0]} is of another model.",
            hint="Copy the model again, with all its files.",
        )
    with torch.no_grad():
        for name, part in wanted.items():
            part.copy_(state[name])


def tokenizer_folder(folder: Path, config: PairModelConfig) -> Path:
    """Where the tokenizer of a pair model lies: in its own folder, or in that of its base."""
    if has_tokenizer(folder):
        return folder
    return locate(config.base, allow_network=hub_allowed())
