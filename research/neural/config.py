"""What a headline model says about itself: `headline_model.json` in its folder."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from core import files
from core.errors import ModelUnavailableError
from core.headlines.generator import FILE, FORMAT, readable
from research.neural.words import LearnedStyle

VERSION: Final = 1
LARGEST: Final = 8192
"""Largest size that a setting may have: a damaged file must not ask for all memory."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineModelConfig:
    """How a headline model is built, and how it reads and writes.

    Attributes:
        architecture: A name in `research.neural.model.ARCHITECTURES`.
        settings: Fields of the architecture's settings; those left out have their defaults.
        language: ISO 639-1 code of the articles that it learned from.
        words_read: Words of an article that it reads, from its beginning.
        style: How its headlines are written.
        trained: Where it comes from: articles, their fingerprint and number, the trainer.
    """

    architecture: str
    settings: Mapping[str, int | float | bool | str]
    language: str
    words_read: int
    style: LearnedStyle
    trained: Mapping[str, Any] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        values = {"format": FORMAT, "version": VERSION, **dataclasses.asdict(self)}
        values["style"]["small"] = sorted(self.style.small)
        text = json.dumps(values, ensure_ascii=False, indent=2) + "\n"
        files.write(folder / FILE, text.encode())


def read_config(folder: Path) -> HeadlineModelConfig:
    if not (folder / FILE).is_file():
        raise ModelUnavailableError(
            f"The folder {folder} holds no headline model.",
            hint=f"Give the folder `model` of a training run; it holds {FILE}.",
        )
    with readable(FILE, folder), (folder / FILE).open(encoding="utf-8") as file:
        values = json.loads(file.read(1 << 20))
        if values.pop("format") != FORMAT or values.pop("version") != VERSION:
            raise ValueError(FORMAT)
        style = values.pop("style")
        config = HeadlineModelConfig(
            **values, style=LearnedStyle(**{**style, "small": frozenset(style["small"])})
        )
        _check(config)
    return config


def _check(config: HeadlineModelConfig) -> None:
    numbers = [value for value in config.settings.values() if not isinstance(value, str)]
    if not all(0 <= value <= LARGEST for value in numbers):
        raise ValueError("settings")
    if not isinstance(config.language, str) or not isinstance(config.architecture, str):
        raise TypeError("language")
    if not (isinstance(config.words_read, int) and 1 <= config.words_read <= LARGEST):
        raise ValueError("words_read")
    if not all(isinstance(word, str) for word in config.style.small):
        raise TypeError("small")
