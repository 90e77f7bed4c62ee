"""From a folder to a loaded causal model, once a process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import ModelUnavailableError
from core.models.language_models.frames import beginning, headline_frame, line_frame
from core.models.language_models.network import BESIDE, CausalNetwork, keeps_continuations_apart
from core.models.networks.batches import bfloat16_pays
from core.models.networks.pretrained import from_tensors
from core.models.weights import (
    fault,
    fingerprint,
    load_state,
    prepare_hub_libraries,
    read_settings,
    require_tensors,
    require_tokenizer,
)
from core.runtime import Runtime


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A loaded model.

    Attributes:
        model: Of transformers, in evaluation mode, on its device.
        tokenizer: Of transformers.
        beside: See `CausalNetwork.beside`.
    """

    model: Any
    tokenizer: Any
    beside: int


def open_network(folder: Path, runtime: Runtime, *, prompt: str, start: str = "") -> CausalNetwork:
    """The causal model of a folder; the last one is remembered.

    Args:
        folder: config.json, tokenizer and safetensors.
        runtime: Device, precision, progress.
        prompt: Format of the headline prompt, see `headline_frame`.
        start: The token that begins a text; the tokenizer's first or last one if empty.

    Raises:
        ModelUnavailableError: The folder holds no causal model that transformers knows, or is damaged.
        InputError: The prompt does not fit the model.
    """
    mark = fingerprint(folder)
    opened = _open(folder, mark, runtime.device, runtime.half and bfloat16_pays(runtime.device))
    tokenizer = opened.tokenizer
    begins = beginning(tokenizer, start)
    return CausalNetwork(
        opened.model,
        tokenizer,
        runtime,
        fingerprint=mark,
        headline_frame=headline_frame(tokenizer, prompt, begins),
        line_frame=line_frame(begins),
        beside=opened.beside,
    )


@lru_cache(maxsize=1)
def _open(folder: Path, mark: str, device: str, half: bool) -> Opened:
    prepare_hub_libraries()
    from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig, AutoTokenizer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    read_settings(folder)
    state = load_state(folder)
    try:
        config = AutoConfig.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
        kind: Any = MODEL_FOR_CAUSAL_LM_MAPPING[type(config)]
        require_tokenizer(folder)
        tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        model, missing = from_tensors(kind, config, state, half=half)
    except Exception as error:  # the libraries' errors share no base
        if isinstance(error, MemoryError | ModelUnavailableError):
            raise
        raise ModelUnavailableError(
            f"{folder} cannot be opened as a language model: {fault(folder, error)}.",
            hint="Give a folder with config.json, tokenizer files and *.safetensors of a causal model "
            "such as GPT-2 or Llama.",
        ) from error
    require_tensors(folder, missing)
    model.train(False)
    model.requires_grad_(False)
    model.to(device)
    return Opened(model, tokenizer, BESIDE if keeps_continuations_apart(model) else 0)
