"""What all generators over headline models have in common: where the model lies and how it is searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from core.errors import ModelUnavailableError
from core.headlines.extractive import ranked
from core.headlines.generator import FILE, Generator, HeadlineStyle
from core.models.weights import folder_named
from core.models.weights.cards import SHIPPED
from core.runtime import Runtime
from research.neural.config import read_config


@dataclass(frozen=True, kw_only=True, slots=True)
class NeuralRecipe:
    """A generator over a headline model: the one that ships, or one from a training run.

    Attributes:
        architecture: The architecture that its models have.
    """

    languages: ClassVar[frozenset[str]] = frozenset()
    styles: ClassVar[frozenset[HeadlineStyle]] = frozenset()
    architecture: ClassVar[str]

    model: str = field(
        default="", metadata={"help": "folder `model` of a training run; empty for the model that ships"}
    )
    beam_size: int = field(
        default=5, metadata={"low": 1, "high": 50, "help": "headlines that are followed at a time"}
    )
    length_penalty: float = field(
        default=1.0,
        metadata={
            "low": 0.0,
            "high": 3.0,
            "step": 0.1,
            "help": "0 for the likeliest headline, 1 for the likeliest words, more for longer ones",
        },
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
        """The model's folder; see `core.models.weights.files`."""
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
