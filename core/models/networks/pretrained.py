"""A model and its tokenizer from a folder, by transformers, without running what is in the files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import ModelUnavailableError
from core.models.weights import (
    fault,
    load_state,
    prepare_hub_libraries,
    read_settings,
    require_tensors,
    require_tokenizer,
)

if TYPE_CHECKING:
    from torch import Tensor


def from_tensors(
    kind: Any, config: Any, state: Mapping[str, Tensor], *, half: bool = False, **options: Any
) -> tuple[Any, list[str]]:
    """The network, and names of the tensors that it needs and was not given."""
    import torch

    network, report = kind.from_pretrained(
        None,
        config=config,
        state_dict=state,
        dtype=torch.bfloat16 if half else torch.float32,
        output_loading_info=True,
        **options,
    )
    return network, list(report["missing_keys"])


@dataclass(frozen=True, slots=True, eq=False)
class Pretrained:
    """What a folder holds."""

    config: Any
    tokenizer: Any
    model: Any
    max_tokens: int


def load_pretrained(
    folder: Path, *, device: str, half: bool, layers: int = 0, causal: bool = False
) -> Pretrained:
    prepare_hub_libraries()
    from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, MODEL_MAPPING, AutoConfig, AutoTokenizer
    from transformers import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    what = "language model" if causal else "text encoder"
    read_settings(folder)
    state = load_state(folder)
    try:
        config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        if layers and layers > int(config.num_hidden_layers):
            raise ModelUnavailableError(
                f"The model in {folder} has {config.num_hidden_layers} layers, not {layers}.",
                hint="Give a layer that it has, or 0.",
            )
        if layers:
            config.num_hidden_layers = layers
        kind: Any = (MODEL_FOR_CAUSAL_LM_MAPPING if causal else MODEL_MAPPING)[type(config)]
        require_tokenizer(folder)
        tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        model, missing = from_tensors(kind, config, state, half=half)
    except Exception as error:  # the library raises whatever its parts raise
        if isinstance(error, MemoryError | ModelUnavailableError):
            raise
        raise ModelUnavailableError(
            f"The folder {folder} cannot be loaded as a {what}: {fault(folder, error)}.",
            hint=f"Give a folder with config.json, tokenizer files and safetensors of one {what}.",
        ) from error
    require_tensors(folder, [name for name in missing if "pooler" not in name])
    return Pretrained(
        config=config,
        tokenizer=tokenizer,
        model=model.eval().to(device),
        max_tokens=min(positions(config), int(tokenizer.model_max_length)),
    )


def positions(config: Any) -> int:
    """How many tokens a network can take; RoBERTa and its kin lose those up to the padding id."""
    most = int(getattr(config, "max_position_embeddings", 512) or 512)
    shifted = "roberta" in config.model_type or config.model_type in {"camembert", "mpnet"}
    return most - (int(config.pad_token_id or 0) + 1 if shifted else 0)
