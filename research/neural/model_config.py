"""What a headline model says of itself."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from core import files
from core.errors import ModelUnavailableError
from core.headlines.generator import FILE
from research.hub import FORMAT, readable
from research.neural.words import LearnedStyle

VERSION: Final = 1
LARGEST: Final = 8192  # largest size that a setting may have: a damaged file must not ask for all memory


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineModelConfig:
    architecture: str
    settings: Mapping[str, int | float | bool | str]
    language: str  # ISO 639-1 code of the articles that it learned from
    words_read: int  # words of an article that it reads, from its beginning
    style: LearnedStyle
    trained: Mapping[str, Any] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        values = {"format": FORMAT, "version": VERSION, **dataclasses.asdict(self)}
        values["style"]["small"] = sorted(self.style.small)
        files.write(folder / FILE, f"{json.dumps(values, ensure_ascii=False, indent=2)}\n".encode())


def read_config(folder: Path) -> HeadlineModelConfig:
    if not (folder / FILE).is_file():
        hint = f"Give the folder `model` of a training run; it holds {FILE}."
        raise ModelUnavailableError(f"The folder {folder} holds no headline model.", hint=hint)
    with readable(FILE, folder), (folder / FILE).open(encoding="utf-8") as file:
        values = json.loads(file.read(1 << 20))
        if values.pop("format") != FORMAT or values.pop("version") != VERSION:
            raise ValueError(FORMAT)
        style = LearnedStyle(**values["style"] | {"small": frozenset(values["style"]["small"])})
        config = HeadlineModelConfig(**values | {"style": style})
        sizes = [value for value in config.settings.values() if not isinstance(value, str)]
        names = [config.language, config.architecture, *style.small]
        if not all(0 <= value <= LARGEST for value in sizes) or not 1 <= config.words_read <= LARGEST:
            raise ValueError("settings")
        if not isinstance(config.words_read, int) or not all(isinstance(name, str) for name in names):
            raise TypeError("language")
    return config
