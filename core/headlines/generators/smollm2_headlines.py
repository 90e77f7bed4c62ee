"""Headlines by the small language model after it was trained to write them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

from core.errors import ModelUnavailableError
from core.headlines.generator import Generator, Style, Wishes, headline_generators
from core.headlines.language_models import BEAM_SIZE, LENGTH_PENALTY, LanguageModelWriter
from core.models.language_models.adapters import ABOUT, base_of, check_adapter, read_about, with_adapter
from core.models.language_models.control_tags import after_text
from core.models.language_models.language_model import Frame, LanguageModelRecipe
from core.models.weights import folder_named
from core.models.weights.shipped import SHIPPED
from core.runtime import Runtime

OURS: Final = SHIPPED / "smollm2_headlines"


@headline_generators.register("smollm2_headlines.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TunedSmolLM2:
    """SmolLM2-135M-Instruct with low-rank updates trained on the articles and headlines of NumHG; English.

    It is told how long the headline is to be, whether to ask a question and whether to hold a number.

    Source: Ben Allal et al. 2025, "SmolLM2: When Smol Goes Big"; Hu et al. 2022, "LoRA: Low-Rank Adaptation
    of Large Language Models"; Huang et al. 2023, "NumHG".
    """

    summary: ClassVar[str] = "The small language model, trained to write headlines"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    styles: ClassVar[frozenset[Style]] = frozenset({Style.QUESTION, Style.NUMBER})

    model: str = field(
        default="", metadata={"help": "folder `model` of a training run; empty for the adapter that ships"}
    )
    beam_size: int = field(default=4, metadata=BEAM_SIZE)
    length_penalty: float = field(default=1.0, metadata=LENGTH_PENALTY)

    @property
    def folder(self) -> Path:
        """Where its adapter lies, or would."""
        return folder_named(self.model) if self.model else OURS

    @property
    def weights(self) -> tuple[Path, ...]:
        """The adapter's folder; see `core.models.weights.taking_part`."""
        return (self.folder,)

    @property
    def inside(self) -> tuple[LanguageModelRecipe, ...]:
        """The language model below it."""
        return (base_of(self.folder),)

    def check(self) -> None:
        """See `GeneratorRecipe`."""
        if not self.model and not (OURS / ABOUT).is_file():
            raise ModelUnavailableError(
                "No adapter for headlines ships here.",
                hint="Train one with `headline-lab train headlines numhg --trainer language_model "
                "--out RUN`, and give its folder `RUN/model`.",
            )
        check_adapter(self.folder)

    def build(self, runtime: Runtime) -> Generator:
        """See `GeneratorRecipe`."""
        self.check()
        about = read_about(self.folder)

        def frame(wishes: Wishes) -> Frame:
            after = after_text(
                wishes.length,
                question=wishes.style is Style.QUESTION,
                number=wishes.style is Style.NUMBER,
            )
            return Frame(about.before, after, about.end)

        return LanguageModelWriter(
            with_adapter(self.folder, runtime),
            frame,
            about.article_tokens,
            about.headline_tokens,
            self.beam_size,
            self.length_penalty,
        )
