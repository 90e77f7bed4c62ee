"""A network that reads headline and article, and points from the blank to the numerals."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

from core.errors import ModelUnavailableError
from core.models.weights import folder_named, locate
from core.models.weights.shipped import SHIPPED
from core.numerals.attachment import Attacher, numeral_attachers
from core.runtime import Runtime

OURS: Final = SHIPPED / "numeral_pointer"
WEIGHTS: Final = "pointer.safetensors"
BASE: Final = "minilm"


@numeral_attachers.register("pointer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Pointer:
    """MiniLM with low-rank updates over the masked headline and the article's sentences with numerals.

    A numeral is scored by the mean of its tokens' vectors, the mask's vector and their product. Trained on
    annotated rows of NumHG; it knows English, and reads other languages by their digits alone.

    Source: Vinyals et al. 2015, "Pointer Networks", for pointing; Wang et al. 2020 (MiniLM) for the encoder;
    Hu et al. 2022 for the updates; the arrangement is ours.
    """

    summary: ClassVar[str] = "A network points from the headline's blank to the article's numerals (MiniLM)"
    languages: ClassVar[frozenset[str]] = frozenset({"en"})

    model: str = field(
        default="",
        metadata={"help": "folder of a model of `headline-lab train numerals`; empty for the one that ships"},
    )

    @property
    def folder(self) -> Path:
        """See `AttacherRecipe`."""
        return folder_named(self.model) if self.model else OURS

    @property
    def weights(self) -> tuple[Path, ...]:
        """See `AttacherRecipe`."""
        return (self.folder, locate(BASE))

    def check(self) -> None:
        """See `AttacherRecipe`."""
        if not (self.folder / WEIGHTS).is_file():
            raise ModelUnavailableError(
                f"There is no pointer network in {self.folder}.",
                hint="Train one with `headline-lab train numerals --out FOLDER`, and give FOLDER.",
            )

    def build(self, runtime: Runtime) -> Attacher:
        """See `AttacherRecipe`."""
        self.check()
        from core.numerals.pointing.model import open_pointer

        return open_pointer(self.folder, runtime)
