"""The weights of the learned scorer on disk: pair_model.json in a model's folder."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from core import files
from core.errors import ModelUnavailableError
from core.models.weights import hash_of
from core.pairs.features.additive import Additive
from core.pairs.trained_head import head_folder

FOLDER: Final = "event_blend"
"""Name of the model that ships."""

KIND: Final = "event_blend"
FILE: Final = "pair_model.json"
_LARGEST: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class EventModel:
    """Weights and threshold.

    Attributes:
        direct: Sum of what a pair itself shows.
        grouped: Sum of these log odds and of the groups around the pair.
        threshold: Probability from which a pair is called the same event.
    """

    direct: Additive
    grouped: Additive
    threshold: float

    def write(self, folder: Path) -> None:
        """Writes pair_model.json; numbers keep eight digits."""
        told = {"kind": KIND, "threshold": self.threshold}
        told |= {name: dataclasses.asdict(getattr(self, name)) for name in ("direct", "grouped")}
        text = json.dumps(_rounded(told), indent=2, ensure_ascii=False)
        files.write(folder / FILE, f"{text}\n".encode())


def read_model(model: str) -> EventModel:
    """The model of a folder, or one that ships.

    Args:
        model: A name under models/, or a folder.

    Raises:
        ModelUnavailableError: There is none, it is damaged, or it is of another kind.
    """
    path = head_folder(model) / FILE
    return _read(path, hash_of(path))


@lru_cache(maxsize=8)
def _read(path: Path, _hash: str) -> EventModel:
    try:
        with path.open(encoding="utf-8") as file:
            told = json.loads(file.read(_LARGEST))
        kind = told.get("kind", "cross_encoder")
        if kind == KIND:
            return EventModel(_sum(told["direct"]), _sum(told["grouped"]), _number(told["threshold"]))
    except (OSError, ValueError, RecursionError, AttributeError, KeyError, TypeError) as error:
        raise ModelUnavailableError(
            f"The pair_model.json in {path.parent} is damaged or of another program.",
            hint="Copy or train the model again.",
        ) from error
    raise ModelUnavailableError(
        f"The model in {path.parent} is a {kind} model, not a {KIND} model.",
        hint="Choose the scorer that reads it, or another folder.",
    )


def _sum(told: Mapping[str, Any]) -> Additive:
    weights, usual = ({str(k): _number(v) for k, v in told[name].items()} for name in ("weights", "usual"))
    if not weights or weights.keys() != usual.keys():
        raise ValueError("weights and means do not fit together")
    return Additive(weights, usual, _number(told["bias"]))


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("not a finite number")
    return number


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _rounded(inner) for key, inner in value.items()}
    return float(f"{value:.8g}") if isinstance(value, float) else value
