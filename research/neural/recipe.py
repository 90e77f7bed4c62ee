"""What a headline model says of itself, and what all generators over such models have in common."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import new_class
from typing import Any, ClassVar, Final

from core import files
from core.errors import ModelUnavailableError
from core.headlines.generator import FILE, FORMAT, Generator, HeadlineStyle, readable
from core.headlines.generators.sentences import ranked
from core.models.cards import SHIPPED
from core.models.weights import folder_named
from core.registry import number
from core.runtime import Runtime
from research.neural.words import LearnedStyle

VERSION: Final = 1
LARGEST: Final = 8192  # largest size that a setting may have: a damaged file must not ask for all memory


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineModelConfig:
    """How a headline model is built, and how it reads and writes."""

    architecture: str
    settings: Mapping[str, int | float | bool | str]
    language: str  # ISO 639-1 code of the articles that it learned from
    words_read: int  # words of an article that it reads, from its beginning
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


def named_after(base: type[Any], architecture: str, *, summary: str, source: str) -> type[Any]:
    """The recipe of an architecture: the base with a name, a summary and a source of its own."""
    own = {"__module__": __name__, "__slots__": (), "__doc__": f"{summary}.\n\nSource: {source}."}
    own |= {"summary": summary, "architecture": architecture}
    return new_class(f"{base.__name__}_{architecture}", (base,), exec_body=lambda space: space.update(own))


@dataclass(frozen=True, kw_only=True, slots=True)
class NeuralRecipe:
    """A generator over a headline model: the one that ships, or one from a training run."""

    summary: ClassVar[str]
    languages: ClassVar[frozenset[str]] = frozenset()
    styles: ClassVar[frozenset[HeadlineStyle]] = frozenset()
    architecture: ClassVar[str]

    model: str = field(
        default="", metadata={"help": "folder `model` of a training run; empty for the model that ships"}
    )
    beam_size: int = number(5, 1, 50, "headlines that are followed at a time")
    length_penalty: float = number(
        1.0,
        0.0,
        3.0,
        "0 for the likeliest headline, 1 for the likeliest words, more for longer ones",
        step=0.1,
    )
    lead: str = field(
        default="first",
        metadata={
            "choices": ("first", "textrank"),
            "help": "read the article from its beginning, or its most central sentences first",
        },
    )
    once: bool = field(
        default=True,
        metadata={"help": "write no word next to itself, and no word of more than three letters twice"},
    )
    unknown: bool = field(
        default=False, metadata={"help": "let headlines hold the sign for an unknown word, as networks do"}
    )

    @property
    def folder(self) -> Path:
        return folder_named(self.model) if self.model else SHIPPED / self.architecture

    @property
    def weights(self) -> tuple[Path, ...]:
        return (self.folder,)

    def check(self) -> None:
        if not (self.folder / FILE).is_file():
            what = f"The folder {self.model} holds no headline model" if self.model else "No model ships here"
            raise ModelUnavailableError(
                f"{what}.",
                hint="Train one with `headline-lab train headlines numhg --out RUN --trainer "
                f"{self.architecture}`, and give its folder `RUN/model`.",
            )
        found = read_config(self.folder).architecture
        if found != self.architecture:
            raise ModelUnavailableError(
                f"The model in {self.folder} is of architecture {found}, not {self.architecture}.",
                hint=f"Use the generator {found}.v1, or give another folder.",
            )

    def build(self, runtime: Runtime) -> Generator:
        self.check()
        from research.neural.model import LEAST_WORDS, BeamSearchSettings, NeuralWriter, read_model
        from research.neural.search import HeadlineLimits

        model = read_model(self.folder)
        model.module.to(runtime.device)
        search = BeamSearchSettings(
            beam_size=self.beam_size,
            length_penalty=self.length_penalty,
            limits=HeadlineLimits(least_words=LEAST_WORDS, once=self.once, unknown=self.unknown),
        )
        return NeuralWriter(model, search, self._order(model.config.language, model.config.words_read))

    def _order(self, language: str, words_read: int) -> Callable[[str], str]:
        if self.lead == "first":
            return str

        def central_first(text: str) -> str:
            # An article that is read whole keeps its order.
            if len(text.split()) <= words_read:
                return text
            return " ".join(line for line, _ in ranked(text, language=language))

        return central_first
