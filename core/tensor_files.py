"""Tensors in eight bits, and as safetensors on disk, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core import files
from core.arrays import Float32Array
from core.errors import ModelUnavailableError

if TYPE_CHECKING:
    import torch

STEPS: Final = 127
LEAST: Final = 1e-12


def eight_bits(values: torch.Tensor, *, along: int = 1) -> tuple[torch.Tensor, torch.Tensor]:
    """Numbers as steps, int8, and what a step is worth in each row (or column)."""
    import torch

    whole = values.float()
    scales = whole.abs().amax(dim=along, keepdim=True).clamp(min=LEAST) / STEPS
    return (whole / scales).round().to(torch.int8), scales


def write_tensors(path: Path, tensors: Mapping[str, torch.Tensor], *, hint: str = files.HINT) -> None:
    from safetensors.torch import save_file

    # Contiguous copies: safetensors refuses tensors that share memory.
    ready = {name: value.detach().cpu().clone().contiguous() for name, value in tensors.items()}
    _write(path, lambda partial: save_file(ready, partial, metadata={"format": "pt"}), hint)


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
    from safetensors.numpy import save_file

    ready = {name: np.ascontiguousarray(value) for name, value in arrays.items()}
    _write(path, lambda partial: save_file(ready, partial), files.HINT)


def _write(path: Path, save: Callable[[Path], None], hint: str) -> None:
    from safetensors import SafetensorError

    with files.beside(path, hint=hint) as partial:
        try:
            save(partial)
        except SafetensorError as error:  # it tells a full disk so
            raise OSError(str(error)) from error


def read_arrays(path: Path, *names: str) -> list[Float32Array]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        state = load_file(path)
        arrays = [state[name] for name in names]
        finite = all(np.isfinite(part).all() for part in arrays)
    except (SafetensorError, KeyError, TypeError) as error:
        raise damaged(path.parent) from error
    if not finite:
        raise damaged(path.parent)
    return [part.astype(np.float32) for part in arrays]


def damaged(folder: Path) -> ModelUnavailableError:
    message = f"The model in {folder} is damaged or of another program."
    return ModelUnavailableError(message, hint="Copy or train the model again.")
