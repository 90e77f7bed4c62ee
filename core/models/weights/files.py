"""Reading weights without running what is in the file, their fingerprints, and which a result uses."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import ModelUnavailableError
from core.models.weights.hashes import hashes_of

if TYPE_CHECKING:
    import torch


_BESIDE = frozenset({".md", ".jsonl"})
"""Endings of files in a model's folder that nothing is computed from."""


def load_state(path: Path) -> dict[str, torch.Tensor]:
    """All tensors of a model folder or of one file, by name, on the CPU, in the file's number format.

    Of a folder it reads `*.safetensors` (also in several parts); only where there is none,
    `pytorch_model*.bin`. What is not safetensors goes through `torch.load(weights_only=True)`,
    which refuses any code.
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


def model_files(folder: Path) -> tuple[Path, ...]:
    """The files of a model's folder, by name: all that stand in it but its card and what training logged."""
    try:
        return tuple(sorted(path for path in folder.iterdir() if _belongs(path)))
    except OSError as error:
        raise _unreadable(folder) from error


def _belongs(path: Path) -> bool:
    return path.suffix not in _BESIDE and not path.name.startswith(".") and path.is_file()


def fingerprint(*files: Path) -> str:
    """16 hex digits over names and whole content of files, in their order; a folder stands for its model's.

    Each file is read once and its hash remembered while it stays as it is; see `core.models.weights.hashes`.
    """
    all_files = [one for path in files for one in (model_files(path) if path.is_dir() else (path,))]
    try:
        hashes = hashes_of(all_files)
    except OSError as error:
        raise _unreadable(Path(error.filename or all_files[0]).parent) from error
    told = [f"{path.name}\0{found}" for path, found in zip(all_files, hashes, strict=True)]
    return hashlib.sha256("\0".join(told).encode("utf-8", errors="surrogateescape")).hexdigest()[:16]


def _unreadable(folder: Path) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"The model folder {folder} cannot be read.", hint="Check that it exists and may be read."
    )


def weights_of(*recipes: object) -> tuple[Path, ...]:
    """Files and folders that recipes and those inside them read, each once, in a fixed order."""
    return tuple(dict.fromkeys(path for recipe in recipes for path in _read_by(recipe)))


def weights_told(*recipes: object) -> tuple[str, ...]:
    """The part of a signature that stands for all weights, "weights:" and 16 hex digits; () for none.

    Names and whole content of all files count, and the order of the recipes; where the files lie does not.
    """
    files = weights_of(*recipes)
    return (f"weights:{fingerprint(*files)}",) if files else ()


def everything_inside(*recipes: object) -> Iterator[object]:
    """Recipes, each followed by those inside it."""
    for recipe in recipes:
        yield recipe
        yield from everything_inside(*getattr(recipe, "inside", ()))


def _read_by(recipe: object) -> Iterator[Path]:
    for one in everything_inside(recipe):
        yield from getattr(one, "weights", ())
