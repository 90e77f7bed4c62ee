"""What reads claims, as a registered method: its weights are named, found and signed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from core.errors import ModelUnavailableError
from core.models.networks.precision import quickest
from core.models.weights import folder_named, locate
from core.models.weights.cards import SHIPPED
from core.numerals.entailing.tokens import BASE, WEIGHTS
from core.registry import Registry
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.numerals.entailing.model import ClaimModel


class ClaimReaderRecipe(Protocol):
    """What a claim reader is made of."""

    summary: ClassVar[str]

    @property
    def weights(self) -> tuple[Path, ...]:
        """Files and folders that it reads; see `core.models.weights.files`."""
        ...

    def check(self) -> None:
        """Looks for its weights without loading them; see `ClaimReader.check`."""
        ...

    def build(self, runtime: Runtime) -> Any:
        """Loads what has `log_odds(questions, runtime)`; see `ClaimReader.build`."""
        ...


claim_readers: Registry[ClaimReaderRecipe] = Registry("claim reader", "core.numerals.entailing")


@claim_readers.register("claim_minilm.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimReader:
    """MiniLM with low-rank updates over a headline and the sentences that its number comes from.

    Numbers stand between marks; a head over the vectors of the whole, of the headline's number and of the
    first source tells support from six ways to be wrong. Trained on right headlines of NumHG and on wrong
    ones made from them; it knows English.

    Source: Wang et al. 2020 (MiniLM) for the encoder; Hu et al. 2022 for the updates; Tang et al. 2024,
    "MiniCheck", for learning from made-up errors; the arrangement is ours.
    """

    summary: ClassVar[str] = "A network reads whether sentences support what is said of a number (MiniLM)"
    numbers = staticmethod(quickest)
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    shipped: ClassVar[Path] = SHIPPED / "claim_minilm"

    model: str = field(
        default="",
        metadata={"help": "folder of a model of `headline-lab train claims`; empty for the one that ships"},
    )

    @property
    def folder(self) -> Path:
        """Folder of its weights."""
        return folder_named(self.model) if self.model else self.shipped

    @property
    def weights(self) -> tuple[Path, ...]:
        """Files and folders that it reads; see `core.models.weights.files`."""
        return (self.folder, locate(BASE))

    def check(self) -> None:
        """Looks for its weights without loading them.

        Raises:
            ModelUnavailableError: They are not on this machine.
        """
        if not (self.folder / WEIGHTS).is_file():
            raise ModelUnavailableError(
                f"There is no claim model in {self.folder}.",
                hint="Train one with `headline-lab train claims --out FOLDER`, and give FOLDER/model.",
            )

    def build(self, runtime: Runtime) -> ClaimModel:
        """Loads it; of files that have not changed it is read once."""
        self.check()
        from core.numerals.entailing.model import open_claims

        return open_claims(self.folder, runtime)
