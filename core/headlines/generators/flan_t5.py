"""Headlines by FLAN-T5 with the low-rank updates that ship."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from core.errors import InputError, ModelUnavailableError
from core.headlines.generator import FILE, Generator, HeadlineStyle, headline_generators
from core.headlines.hub import BEAM_LENGTH_PENALTY, BEAMS
from core.models.cards import SHIPPED
from core.models.networks import flan_t5
from core.models.weights import TrainedRecipe
from core.numerals.derivations.singles import fillings_of
from core.numerals.question import BLANK, blank_of, read_article
from core.runtime import Runtime

BLANKS: Final = (BLANK, f"{BLANK}K", f"{BLANK}M", f"{BLANK}B", f"{BLANK}%")
"""Where a number may stand: by itself, and before what changes how it is written."""


def derivable_numbers(text: str, most_sources: int = 2) -> frozenset[str]:
    """The numbers of an article, as they are written, and those that follow from so many of its numerals."""
    from core.models.language_models.allowed_numbers import NUMBER

    article = read_article(text)
    found = (candidate for headline in BLANKS for candidate in fillings_of(blank_of(headline, article)))
    answers = {candidate.answer for candidate in found if len(candidate.sources) <= most_sources}
    return frozenset(number for line in (text, *answers) for number in NUMBER.findall(line))


NUMBERS: Final[dict[str, Callable[[str], Collection[str]] | None]] = {  # rules about the numbers of headlines
    "any": None,
    "restated": partial(derivable_numbers, most_sources=1),
    "derived": derivable_numbers,
}


@headline_generators.register("flan_t5_headlines.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FlanT5Headlines(TrainedRecipe):
    """FLAN-T5-small with low-rank updates trained on the articles and headlines of NumHG; English.

    Source: Chung et al. 2022, "Scaling Instruction-Finetuned Language Models"; Hu et al. 2022, "LoRA:
    Low-Rank Adaptation of Large Language Models"; Huang et al. 2023, "NumHG".
    """

    summary: ClassVar[str] = "A small T5, trained to write headlines"
    shipped: ClassVar[Path] = SHIPPED / "flan_t5_headlines"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    styles: ClassVar[frozenset[HeadlineStyle]] = frozenset({HeadlineStyle.QUESTION, HeadlineStyle.NUMBER})

    model: str = field(
        default="", metadata={"help": "folder `model` of a training run; empty for the updates that ship"}
    )
    beams: int = field(default=4, metadata=BEAMS)
    length_penalty: float = field(default=1.0, metadata=BEAM_LENGTH_PENALTY)
    allowed_numbers: str = field(
        default="any",
        metadata={
            "choices": tuple(NUMBERS),
            "help": "numbers in digits that it may write: any, those of the article as they stand, in words, "
            "rounded or in another magnitude (restated), or also what two of them give together (derived)",
        },
    )

    def __post_init__(self) -> None:
        if self.allowed_numbers not in NUMBERS:
            message = f"There is no rule {self.allowed_numbers!r} for the numbers of headlines."
            raise InputError(message, hint=f"Give one of {', '.join(NUMBERS)}.")

    @property
    def weights(self) -> tuple[Path, ...]:
        return self.folder, flan_t5.flan_t5_folder()

    def check(self) -> None:
        from core.headlines.hub import read_adapter

        if not self.model and not (self.shipped / FILE).is_file():
            raise ModelUnavailableError(
                "No updates of the small FLAN-T5 ship here.",
                hint="Train some with `headline-lab train headlines numhg --trainer flan_t5 --out RUN`, "
                "and give their folder `RUN/model`.",
            )
        read_adapter(self.folder)
        flan_t5.flan_t5_folder()

    def build(self, runtime: Runtime) -> Generator:
        from core.headlines.hub import open_adapted, read_adapter
        from core.headlines.hub_writing import FlanT5Writer, HubSearchSettings

        self.check()
        about = read_adapter(self.folder)
        search = HubSearchSettings(
            beams=self.beams, length_penalty=self.length_penalty, most_tokens=about.headline_tokens
        )
        network = open_adapted(self.folder, runtime)
        return FlanT5Writer(network, about.article_tokens, search, NUMBERS[self.allowed_numbers])
