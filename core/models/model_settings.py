"""The config.json of a model's folder, checked, and its tokenizer."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import ModelUnavailableError

_LAYERS = re.compile(r"(^|_)layers?$")
_SIZES = re.compile(r"(_size|_dim|_heads?|_positions|^d_\w+|^n_\w+)$")
_UNBOUND = {"max_relative_positions": -1}  # DeBERTa's word for as many as there are tokens
_MOST_LAYERS, _MOST = 1_000, 100_000_000  # past any model; forged numbers would be built first
_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")
_CHARACTERS = 2_000_000  # a config.json has some thousand


def read_settings(folder: Path) -> dict[str, Any]:
    try:
        with (folder / "config.json").open(encoding="utf-8") as file:
            settings = json.loads(file.read(_CHARACTERS))
    except (OSError, ValueError, RecursionError) as error:
        message = f"The config.json in {folder} cannot be read as JSON."
        raise ModelUnavailableError(message, hint="Copy or download the model again.") from error
    if not isinstance(settings, dict):
        message = f"The config.json in {folder} holds no settings of a model."
        raise ModelUnavailableError(message, hint="Copy or download the model again.")
    for name, value in _numbers(settings):
        most = _MOST_LAYERS if _LAYERS.search(name) else _MOST if _SIZES.search(name) else None
        if most is not None and value != _UNBOUND.get(name) and not 0 <= value <= most:  # nor is it NaN
            message = f"The config.json in {folder} gives {name[:60]} a value that no model has."
            raise ModelUnavailableError(message, hint="Copy or download the model again.")
    return settings


def _numbers(settings: dict[str, Any]) -> Iterator[tuple[str, float]]:
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _numbers(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name, value


def has_tokenizer(folder: Path) -> bool:
    return any(next(folder.glob(pattern), None) for pattern in _TOKENIZERS)


def require_tokenizer(folder: Path) -> None:
    """Refuses a model folder without a tokenizer: transformers would make up an empty one."""
    if not has_tokenizer(folder):
        message = f"The folder {folder} has no tokenizer."
        raise ModelUnavailableError(message, hint="Copy its files beside the weights.")
