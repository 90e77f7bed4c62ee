"""A network that reads headline and article, and points from the blank to the numerals."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from core.models.cards import SHIPPED
from core.models.networks.batches import quickest
from core.models.weights import locate
from core.numerals.pointing.tokens import BASE, WEIGHTS
from core.numerals.question import CLAIMS, Attacher, AttacherRecipe, numeral_attachers
from core.runtime import Runtime


@numeral_attachers.register("pointer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PointerAttacher(AttacherRecipe):
    """MiniLM with low-rank updates over the masked headline and the article's sentences with numerals.

    A numeral is scored by the mean of its tokens' vectors, the mask's vector and their product. Trained on
    annotated rows of NumHG; it knows English, and reads other languages by their digits alone.

    Source: Vinyals et al. 2015, "Pointer Networks", for pointing; Wang et al. 2020 (MiniLM) for the encoder;
    Hu et al. 2022 for the updates; the arrangement is ours.
    """

    summary: ClassVar[str] = "A network points from the headline's blank to the article's numerals (MiniLM)"
    numbers = staticmethod(quickest)
    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    shipped: ClassVar[Path] = SHIPPED / "numeral_pointer"
    files: ClassVar[tuple[str, ...]] = (WEIGHTS,)
    missing: ClassVar[str] = "is no pointer network"

    @property
    def weights(self) -> tuple[Path, ...]:
        return (self.folder, locate(BASE), CLAIMS)

    def build(self, runtime: Runtime) -> Attacher:
        self.check()
        from core.numerals.pointing.network import open_pointer

        return open_pointer(self.folder, runtime)
