"""Writes tensors as safetensors, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core import files

if TYPE_CHECKING:
    import torch


def write_tensors(path: Path, tensors: Mapping[str, torch.Tensor], *, hint: str = files.HINT) -> None:
    """Writes tensors by name."""
    from safetensors.torch import save_file

    # Contiguous copies: safetensors refuses tensors that share memory.
    ready = {name: value.detach().cpu().clone().contiguous() for name, value in tensors.items()}
    _write(path, lambda partial: save_file(ready, partial, metadata={"format": "pt"}), hint)


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
    """Writes arrays by name."""
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
