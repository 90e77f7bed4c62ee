"""Headlines by the small FLAN-T5 with the low-rank updates that ship."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

from core.errors import InputError, ModelUnavailableError
from core.headlines.generator import FILE, Generator, HeadlineStyle, headline_generators
from core.headlines.hub.opening import BEAMS, LENGTH_PENALTY
from core.headlines.numeral_safety import derivable_numbers, restated_numbers
from core.models.weights import folder_named
from core.models.weights.cards import SHIPPED
from core.runtime import Runtime

OURS: Final = SHIPPED / "flan_t5_headlines"

NUMBERS: Final[dict[str, Callable[[str], Collection[str]] | None]] = {
    "any": None,
    "restated": restated_numbers,
    "derived": derivable_numbers,
}
"""Rules about the numbers of headlines."""


@headline_generators.register("flan_t5_headlines.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FlanT5Headlines:
    """FLAN-T5-small with low-rank updates trained on the articles and headlines of NumHG; English.

    Source: Chung et al. 2022, "Scaling Instruction-Finetuned Language Models"; Hu et al. 2022, "LoRA:
    Low-Rank Adaptation of Large Language Models"; Huang et al. 2023, "NumHG".
    """

    summary: ClassVar[str] = "A small T5, trained to write headlines"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    styles: ClassVar[frozenset[HeadlineStyle]] = frozenset({HeadlineStyle.QUESTION, HeadlineStyle.NUMBER})

    model: str = field(
        default="", metadata={"help": "folder `model` of a training run; empty for the updates that ship"}
    )
    beams: int = field(default=4, metadata=BEAMS)
    length_penalty: float = field(default=1.0, metadata=LENGTH_PENALTY)
    numbers: str = field(
        default="any",
        metadata={
            "choices": tuple(NUMBERS),
            "help": "numbers in digits that it may write: any, those of the article as they stand, in words, "
            "rounded or in another magnitude (restated), or also what two of them give together (derived)",
        },
    )

    def __post_init__(self) -> None:
        if self.numbers not in NUMBERS:
            raise InputError(
                f"numbers cannot be {self.numbers!r}.", hint=f"Give one of {', '.join(NUMBERS)}."
            )

    @property
    def folder(self) -> Path:
        return folder_named(self.model) if self.model else OURS

    @property
    def weights(self) -> tuple[Path, ...]:
        from core.headlines.hub.flan_t5 import base_weights

        return (self.folder, *base_weights())

    def check(self) -> None:
        from core.headlines.hub.flan_t5 import base_weights, read_adapter

        if not self.model and not (OURS / FILE).is_file():
            raise ModelUnavailableError(
                "No updates of the small FLAN-T5 ship here.",
                hint="Train some with `headline-lab train headlines numhg --trainer flan_t5 --out RUN`, "
                "and give their folder `RUN/model`.",
            )
        read_adapter(self.folder)
        base_weights()

    def build(self, runtime: Runtime) -> Generator:
        from core.headlines.hub.flan_t5 import FlanT5Writer, open_adapted, read_adapter
        from core.headlines.hub.writing import HubSearchSettings

        self.check()
        about = read_adapter(self.folder)
        search = HubSearchSettings(
            beams=self.beams, length_penalty=self.length_penalty, most_tokens=about.headline_tokens
        )
        network = open_adapted(self.folder, runtime)
        return FlanT5Writer(network, about.article_tokens, search, NUMBERS[self.numbers])
