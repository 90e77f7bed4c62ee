"""Trees over the words around the blank and around the article's numerals."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from core.models.cards import SHIPPED
from core.numerals.question import Attacher, AttacherRecipe, numeral_attachers
from core.runtime import Runtime


@numeral_attachers.register("lexical.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Lexical(AttacherRecipe):
    """Boosted trees over shared words, what is counted, kind, unit and position: no network, any language.

    It weighs how near the headline's words stand to each numeral, the words right before and after, what is
    counted, kind, unit and magnitude, and where in the article the numeral stands. It looks at no word for
    itself, so that what it learned from English headlines of NumHG holds in other languages.

    Source: ours; trees of Prokhorenkova et al. 2018, "CatBoost", with a softmax over an article's numerals.
    """

    summary: ClassVar[str] = "Shared words, kinds and positions around headline and article numbers (trees)"
    shipped: ClassVar[Path] = SHIPPED / "numeral_lexical"
    files: ClassVar[tuple[str, ...]] = ("lexical.json", "trees.safetensors")
    missing: ClassVar[str] = "are no trees over words"

    def build(self, runtime: Runtime) -> Attacher:
        self.check()
        from core.numerals.wording.model import read_model

        return read_model(self.folder)
