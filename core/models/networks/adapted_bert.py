"""A BERT with low-rank updates merged in, and the head that was trained with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import torch
from torch import nn

from core.errors import ModelUnavailableError
from core.models.networks.bert import Bert
from core.models.networks.low_rank import merged
from core.models.networks.precision import NetworkNumbers
from core.models.weights import load_state

Head = TypeVar("Head", bound=nn.Module)

_ENCODER: Final = "encoder."
_HEAD: Final = "head."


def open_adapted(
    weights: Path,
    base: Path,
    head_of: Callable[[int], Head],
    *,
    scale: float,
    device: str,
    numbers: NetworkNumbers,
    called: str,
) -> tuple[Bert, Head]:
    """Reads both."""
    own = load_state(weights)
    updates = {name.removeprefix(_ENCODER): part for name, part in own.items() if name.startswith(_ENCODER)}
    settings = json.loads((base / "config.json").read_text(encoding="utf-8"))
    state = merged(load_state(base), updates, scale=scale)
    bert = Bert(
        state,
        settings,
        device=device,
        dtype=torch.bfloat16 if numbers is NetworkNumbers.BFLOAT16 else torch.float32,
        eight_bits=numbers is NetworkNumbers.INT8,
    )
    head = head_of(bert.dimensions)
    parts = {name.removeprefix(_HEAD): part.float() for name, part in own.items() if name.startswith(_HEAD)}
    try:
        head.load_state_dict(parts)
    except RuntimeError as error:
        raise ModelUnavailableError(
            f"The weights in {weights.parent} are no {called}.", hint="Copy the model again, or train it."
        ) from error
    return bert, head.eval().to(device)
