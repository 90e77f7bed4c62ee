"""What reads a claim once more before it is shown as supported, as a registered method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

import numpy as np
import numpy.typing as npt

from core.errors import ModelUnavailableError
from core.models.language_models.smollm2 import SmolLM2
from core.models.networks.precision import half_or_whole, quickest
from core.models.weights import folder_named, locate
from core.models.weights.cards import SHIPPED
from core.numerals.entailing.question import ClaimQuestion
from core.numerals.entailing.tokens import BASE, WEIGHTS
from core.registry import Registry
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.numerals.entailing.network import ClaimModel
    from core.numerals.entailing.rereader import RereadingModel


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
        """Looks for its weights without loading them."""
        if not (self.folder / WEIGHTS).is_file():
            raise ModelUnavailableError(
                f"There is no claim model in {self.folder}.",
                hint="Train one with `headline-lab train claims --out FOLDER`, and give FOLDER/model.",
            )

    def build(self, runtime: Runtime) -> ClaimModel:
        """Loads it; of files that have not changed it is read once."""
        self.check()
        from core.numerals.entailing.network import open_claims

        return open_claims(self.folder, runtime)


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
        """Files and folders that it reads; see `core.models.weights.files`."""
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


def rereading() -> tuple[Path, ...]:
    """Files and folders of the second reading; none where the language model is not installed."""
    try:
        ClaimRereader().check()
    except ModelUnavailableError:
        return ()
    return ClaimRereader().weights


@dataclass(frozen=True, slots=True)
class NobodyRereads:
    """Stands in where the language model is not installed: it is sure of nothing."""

    doubt: str = "The language model that reads a claim once more is not installed; read the article."

    def log_odds(self, questions: Sequence[ClaimQuestion], runtime: Runtime) -> npt.NDArray[np.float64]:
        """Minus infinity for each, float64 [n]."""
        return np.full(len(questions), -np.inf)
