"""Weights as they ship: large matrices in 8 bits a number with a scale a row, the rest in half precision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor

SCALE: Final = "/scale"
"""What the name of a matrix's scales ends with."""

LARGE: Final = 50_000
"""Numbers from which a matrix is packed; smaller ones would save nothing worth their rounding."""

_STEPS: Final = 127


def packed(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Packs the weights of a network; rounding moves a number by at most 1/254 of its row's largest.

    Args:
        state: Tensors by name, of any shape and type.

    Returns:
        int8 [rows, columns] and float32 NAME/scale [rows, 1] for each large matrix of floats, float16 for
        other floats, everything else as it is.
    """
    found: dict[str, Tensor] = {}
    for name, value in state.items():
        if not value.is_floating_point():
            found[name] = value
        elif value.ndim == 2 and value.numel() >= LARGE:
            scale = value.float().abs().amax(dim=1, keepdim=True).clamp(min=1e-12) / _STEPS
            found[name] = (value.float() / scale).round().to(torch.int8)
            found[name + SCALE] = scale
        else:
            found[name] = value.half()
    return found


def unpacked(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What was packed, in float32; tensors that were not packed become float32 too."""
    return {
        name: value.float() * tensors[name + SCALE] if name + SCALE in tensors else value.float()
        for name, value in tensors.items()
        if not name.endswith(SCALE)
    }
