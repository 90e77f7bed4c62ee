"""Reading weights without ever running what is in the file, and telling two sets of weights apart."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import ModelUnavailableError
from core.weights.locate import WEIGHT_FILES

if TYPE_CHECKING:
    import torch

_SMALL = 1 << 20
_SAMPLES = 32
_SAMPLE_BYTES = 4096


def load_state(path: Path) -> dict[str, torch.Tensor]:
    """All tensors of a model folder or of one file, by name, on the CPU, in the file's number format.

    Of a folder it reads `*.safetensors` (also in several parts); only where there is none,
    `pytorch_model*.bin`. What is not safetensors goes through `torch.load(weights_only=True)`,
    which refuses any code.

    Raises:
        ModelUnavailableError: There are no weights, they are damaged, or the file holds
            more than tensors.
    """
    parts = [path] if path.is_file() else sorted(path.glob("*.safetensors"))
    parts = parts or sorted(path.glob("pytorch_model*.bin"))
    if not parts:
        raise ModelUnavailableError(
            f"The folder {path} has no weights that can be read.", hint="Save the model as safetensors."
        )
    state: dict[str, torch.Tensor] = {}
    for part in parts:
        state.update(_load_safetensors(part) if part.suffix == ".safetensors" else _load_bin(part))
    return state


def _load_safetensors(part: Path) -> dict[str, torch.Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return dict(load_file(part))
    except (SafetensorError, OSError) as error:
        raise ModelUnavailableError(
            f"The weights {part} cannot be read: the file is damaged or incomplete.",
            hint="Copy or download the model again.",
        ) from error


def _load_bin(part: Path) -> dict[str, torch.Tensor]:
    import pickle

    import torch

    try:
        loaded = torch.load(part, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, OSError) as error:
        raise ModelUnavailableError(
            f"The weights {part} were refused: the file is damaged or holds more than tensors.",
            hint="Use a copy of the model saved as safetensors.",
        ) from error
    if not isinstance(loaded, dict) or not all(isinstance(v, torch.Tensor) for v in loaded.values()):
        raise ModelUnavailableError(
            f"The weights {part} are not a table of tensors.",
            hint="Use a copy of the model saved as safetensors.",
        )
    return dict(loaded)


def fingerprint(folder: Path) -> str:
    """16 hex digits that change when a model's files change.

    Names and sizes of all files, the whole of small ones, and 32 samples of 4 KiB spread
    over each large one: retraining moves every weight, so a sample sees it, and 90 MB take
    a millisecond.

    Raises:
        ModelUnavailableError: The folder cannot be read.
    """
    digest = hashlib.blake2b(digest_size=8)
    try:
        files = sorted(
            path for pattern in (*WEIGHT_FILES, "*.json", "*.txt", "*.model") for path in folder.glob(pattern)
        )
        for path in files:
            size = path.stat().st_size
            digest.update(f"{path.name}\0{size}\0".encode())
            with path.open("rb") as file:
                if size <= _SMALL:
                    digest.update(file.read())
                    continue
                for sample in range(_SAMPLES):
                    file.seek((size - _SAMPLE_BYTES) * sample // (_SAMPLES - 1))
                    digest.update(file.read(_SAMPLE_BYTES))
    except OSError as error:
        raise ModelUnavailableError(
            f"The model folder {folder} cannot be read.", hint="Check that it exists and may be read."
        ) from error
    return digest.hexdigest()
