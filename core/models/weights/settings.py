"""The config.json of a model folder, read within bounds; and in plain words why a folder cannot be loaded."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from core.errors import ModelUnavailableError
from core.models.weights.files import load_state

_LAYERS = re.compile(r"(^|_)layers?$")
_SIZES = re.compile(r"(_size|_dim|_heads?|_positions|^d_\w+|^n_\w+)$")
_MOST_LAYERS, _MOST = 1_000, 100_000_000
"""Far past any model there is; a damaged or forged number past them would be built before it is noticed."""
_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")
_CHARACTERS = 2_000_000
"""A config.json has some thousand."""


def read_settings(folder: Path) -> dict[str, Any]:
    """The settings in a model folder's config.json."""
    try:
        with (folder / "config.json").open(encoding="utf-8") as file:
            found = json.loads(file.read(_CHARACTERS))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelUnavailableError(
            f"The config.json in {folder} cannot be read as JSON.", hint="Copy or download the model again."
        ) from error
    if not isinstance(found, dict):
        raise ModelUnavailableError(
            f"The config.json in {folder} holds no settings of a model.",
            hint="Copy or download the model again.",
        )
    for name, value in _numbers(found):
        most = _MOST_LAYERS if _LAYERS.search(name) else _MOST if _SIZES.search(name) else None
        if most is not None and not 0 <= value <= most:  # nor is it NaN
            raise ModelUnavailableError(
                f"The config.json in {folder} gives {name[:60]} a value that no model has.",
                hint="Copy or download the model again.",
            )
    return found


def _numbers(settings: dict[str, Any]) -> Iterator[tuple[str, float]]:
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _numbers(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name, value


def has_tokenizer(folder: Path) -> bool:
    """Whether a folder has a tokenizer of its own."""
    return any(next(folder.glob(pattern), None) for pattern in _TOKENIZERS)


def require_tokenizer(folder: Path) -> None:
    """Refuses a model folder without a tokenizer: transformers would make up an empty one."""
    if not has_tokenizer(folder):
        raise ModelUnavailableError(
            f"The folder {folder} has no tokenizer.", hint="Copy its files beside the weights."
        )


def require_tensors(folder: Path, missing: Collection[str]) -> None:
    """Refuses a model that lacks tensors: transformers would fill them with random numbers."""
    if missing:
        raise ModelUnavailableError(
            f"The weights in {folder} lack {len(missing)} tensors that its config.json names, such as "
            f"{min(missing)}.",
            hint="Give a folder whose weights and config.json belong together.",
        )


def fault(folder: Path, error: BaseException) -> str:
    """What is wrong with a folder that transformers failed to load, as the end of a sentence.

    The library raises whatever its parts raise, in words about its own code; so the folder is looked at.
    """
    from transformers import CONFIG_MAPPING

    try:
        kind = read_settings(folder).get("model_type")
        load_state(folder)
    except ModelUnavailableError as found:
        return found.message[0].lower() + found.message[1:].removesuffix(".")
    if kind not in CONFIG_MAPPING:
        return (
            "its config.json names no architecture"
            if kind is None
            else f"transformers does not know its architecture, {str(kind)[:60]!r}"
        )
    if isinstance(error, KeyError) and isinstance(
        next(iter(error.args), None), type
    ):  # of a table of classes
        return f"a model of its architecture, {str(kind)!r}, does not do that"
    for path in sorted(folder.glob("*token*.json")):
        try:
            json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return f"its {path.name} cannot be read as JSON"
    if re.search(r"size mismatch|shape|mismatched", str(error)):
        return "its weights have other shapes than its config.json says"
    return "its config.json, tokenizer and weights do not fit together, or one of them is damaged"
