"""What reads a claim thoroughly where that is asked for, as a registered method."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

from core.errors import ModelUnavailableError
from core.models.cards import SHIPPED
from core.models.language_models.causal import SmolLM2
from core.models.networks.batches import half_or_whole
from core.models.weights import folder_named
from core.registry import Registry
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.numerals.entailing.rereader import RereadingModel


class ClaimReaderRecipe(Protocol):
    """What a claim reader is made of."""

    summary: ClassVar[str]

    @property
    def weights(self) -> tuple[Path, ...]:
        """Files and folders that it reads; see `core.models.weights`."""
        ...

    def check(self) -> None:
        """Looks for its weights without loading them; see `ClaimRereader.check`."""
        ...

    def build(self, runtime: Runtime) -> Any:
        """Loads what has `log_odds(questions, runtime)`; see `ClaimRereader.build`."""
        ...


claim_readers: Registry[ClaimReaderRecipe] = Registry("claim reader", "core.numerals.entailing")


UPDATES: Final = "adapter.safetensors"
"""Low-rank updates of the language model, as `core.models.networks.low_rank.write_adapter` writes them."""
HEAD: Final = "head.safetensors"  # the layer over the last token


@claim_readers.register("claim_smollm2.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimRereader:
    """The small language model, taught to say whether an article supports what a headline says of a number.

    It reads the sentences of the number's sources with their neighbours, and the headline, all numbers in
    question between marks. It has learned from right headlines of NumHG, from wrong ones made of them, and
    from headlines that were written for NumHG's training articles, four of seven of them false in a way in
    which writers err. It knows English.

    Source: Ben Allal et al. 2025 (SmolLM2); Hu et al. 2022 for the updates; Schuster et al. 2021, "Get Your
    Vitamin C!", for learning from claims that differ in a word or two; the arrangement is ours.
    """

    summary: ClassVar[str] = "A language model reads once more whether the article supports a claim (SmolLM2)"
    numbers = staticmethod(half_or_whole)
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    shipped: ClassVar[Path] = SHIPPED / "claim_smollm2"

    model: str = field(
        default="",
        metadata={"help": "folder of a model of the trainer `claim_rereader`; empty for the one that ships"},
    )

    @property
    def folder(self) -> Path:
        """Folder of its weights."""
        return folder_named(self.model) if self.model else self.shipped

    @property
    def weights(self) -> tuple[Path, ...]:
        """Files and folders that it reads; see `core.models.weights`."""
        return (self.folder, *SmolLM2().weights)

    def check(self) -> None:
        """Looks for its weights without loading them."""
        if not all((self.folder / name).is_file() for name in (UPDATES, HEAD)):
            raise ModelUnavailableError(
                f"There is no model that reads claims once more in {self.folder}.",
                hint="Train one with `headline-lab train claims --trainer claim_rereader --out FOLDER`, "
                "and give FOLDER/model.",
            )
        SmolLM2().check()

    def build(self, runtime: Runtime) -> RereadingModel:
        """Loads it; of files that have not changed it is read once."""
        self.check()
        from core.numerals.entailing.rereader import open_rereader

        return open_rereader(self.folder, runtime)
