"""What a pair model is: its base, its input, how time enters, what of it is trained; one small file."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from core import files
from core.errors import InputError, ModelUnavailableError

FILE = "pair_model.json"

CONTENT_WORDS = 255
"""Words of an article's body that a content model reads (HLGD, section 4.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairModelConfig:
    """Everything about a pair model that its weights do not say.

    Attributes:
        base: Name, folder or hub id of the text encoder that it was made from.
        input: "headline", or "content": the first 255 words of each body.
        time: How the day difference enters. "none"; "concat": beside the encoder's output, through
            a small layer of its own (HLGD, section 4.3); "prefix": written before the first text, as
            the released HLGD checkpoint has it.
        adapter: What is trained. "full": every weight; "lora": low-rank updates of every linear layer
            of the encoder, and the head; "frozen": the head alone.
        rank: Rank of the low-rank updates.
        alpha: They are scaled by alpha / rank.
        max_tokens: Longer inputs are cut, the longer text first; special tokens count.
        segments: The second text has token type 1, as BERT was trained; else all are 0.
        same_label: Which of the classifier's outputs means the same event: 0 or 1.
        threshold: Probability from which a pair is called the same event, 0 to 1.
    """

    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {
        "input": ("headline", "content"),
        "time": ("none", "concat", "prefix"),
        "adapter": ("full", "lora", "frozen"),
    }
    BOUNDS: ClassVar[dict[str, tuple[float, float]]] = {
        "rank": (1, 256),
        "alpha": (1, 1024),
        "max_tokens": (8, 8192),
        "same_label": (0, 1),
        "threshold": (0.0, 1.0),
    }

    base: str = "minilm"
    input: str = "headline"
    time: str = "none"
    adapter: str = "lora"
    rank: int = 8
    alpha: int = 16
    max_tokens: int = 128
    segments: bool = True
    same_label: int = 1
    threshold: float = 0.5

    def __post_init__(self) -> None:
        """Checks every value.

        Raises:
            InputError: One is of the wrong type or out of range.
        """
        for field in dataclasses.fields(self):
            _check_type(field.name, getattr(self, field.name), str(field.type))
        for name, allowed in self.CHOICES.items():
            if getattr(self, name) not in allowed:
                raise InputError(
                    f"{name} of a pair model cannot be {getattr(self, name)!r}.",
                    hint=f"Give one of: {', '.join(allowed)}.",
                )
        for name, (low, high) in self.BOUNDS.items():
            if not low <= getattr(self, name) <= high:
                raise InputError(
                    f"{name} of a pair model cannot be {getattr(self, name)}.",
                    hint=f"Give a value between {low:g} and {high:g}.",
                )
        if not self.base.strip():
            raise InputError(
                "A pair model needs a base.", hint="Give a model's name, a folder or a hub id, like minilm."
            )

    def write(self, folder: Path) -> None:
        """Writes `pair_model.json`."""
        text = json.dumps(dataclasses.asdict(self), indent=2, ensure_ascii=False)
        files.write(folder / FILE, f"{text}\n".encode())

    @classmethod
    def read(cls, folder: Path) -> PairModelConfig:
        """Reads `pair_model.json`; every field must be there and no other.

        Raises:
            ModelUnavailableError: The file is missing, damaged, or has a wrong key or value.
        """
        path = folder / FILE
        try:
            given = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ModelUnavailableError(
                f"The folder {folder} has no {FILE}.", hint="Give a folder that `headline-lab train` made."
            ) from None
        except (OSError, ValueError, RecursionError) as error:
            raise ModelUnavailableError(f"{path} cannot be read.", hint="Copy the model again.") from error
        names = {field.name for field in dataclasses.fields(cls)}
        given = given if isinstance(given, dict) else {}
        wrong = sorted(set(given) - names) or sorted(names - set(given))
        if wrong:
            what = "an unknown key" if wrong[0] in given else "no key"
            raise ModelUnavailableError(
                f"{path} has {what} {wrong[0]!r}.",
                hint=f"It must hold exactly: {', '.join(sorted(names))}.",
            )
        try:
            return cls(**given)
        except InputError as error:
            raise ModelUnavailableError(f"{path}: {error.message}", hint=error.hint) from error


def _check_type(name: str, value: Any, kind: str) -> None:
    """Raises an `InputError` unless the value is of the kind; whole numbers pass as float."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    fits = {
        "str": isinstance(value, str),
        "bool": isinstance(value, bool),
        "int": number and isinstance(value, int),
        "float": number and math.isfinite(value),
    }
    if not fits[kind]:
        raise InputError(f"{name} of a pair model cannot be {value!r}.", hint=f"Give a value of type {kind}.")
