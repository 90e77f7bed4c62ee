"""Trees over the words around the blank and around the article's numerals."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

from core.errors import ModelUnavailableError
from core.models.weights import folder_named
from core.models.weights.shipped import SHIPPED
from core.numerals.attachment import Attacher, numeral_attachers
from core.runtime import Runtime

OURS: Final = SHIPPED / "numeral_lexical"
FILES: Final = ("lexical.json", "trees.safetensors")


@numeral_attachers.register("lexical.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Lexical:
    """Boosted trees over shared words, what is counted, kind, unit and position: no network, any language.

    It weighs how near the headline's words stand to each numeral, the words right before and after, what is
    counted, kind, unit and magnitude, and where in the article the numeral stands. It looks at no word for
    itself, so that what it learned from English headlines of NumHG holds in other languages.

    Source: ours; trees of Prokhorenkova et al. 2018, "CatBoost", with a softmax over an article's numerals.
    """

    summary: ClassVar[str] = "Shared words, kinds and positions around headline and article numbers (trees)"
    languages: ClassVar[frozenset[str]] = frozenset()

    model: str = field(
        default="",
        metadata={"help": "folder of a model of `headline-lab train numerals`; empty for the one that ships"},
    )

    @property
    def folder(self) -> Path:
        """Where its weights are."""
        return folder_named(self.model) if self.model else OURS

    @property
    def weights(self) -> tuple[Path, ...]:
        """See `AttacherRecipe`."""
        return (self.folder,)

    def check(self) -> None:
        """See `AttacherRecipe`."""
        if not all((self.folder / name).is_file() for name in FILES):
            raise ModelUnavailableError(
                f"There are no trees over words in {self.folder}.",
                hint="Train them with `headline-lab train numerals --out FOLDER`, and give FOLDER.",
            )

    def build(self, runtime: Runtime) -> Attacher:
        """See `AttacherRecipe`."""
        self.check()
        from core.numerals.wording.model import read_model

        return read_model(self.folder)
