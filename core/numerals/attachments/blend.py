"""The network and the trees over words together: each sees what the other misses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from core.models.weights.cards import SHIPPED
from core.numerals.attachment import Attacher, AttacherRecipe, Attachment, numeral_attachers
from core.numerals.attachments.lexical import Lexical
from core.numerals.attachments.pointer import PointerAttacher
from core.numerals.question import NumeralQuestion
from core.runtime import Runtime

NETWORK: Final = 0.5
WORDS: Final = 0.5
"""What the log-shares of the two are multiplied by, of weights tried on NumHG's validation rows:
near the best mean log-share of the right numerals (-.486; the network alone -.796), and right most often
(.874; the network alone .863, the trees alone .825)."""


@numeral_attachers.register("blend.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Blend(AttacherRecipe):
    """Weighted sum of what `pointer.v1` and `lexical.v1` say: the network is sure of itself too often.

    The network reads English; for articles in other languages the trees over words answer alone.

    Source: ours; a product of experts (Hinton 2002) with weights chosen on validation rows.
    """

    summary: ClassVar[str] = "The network that points and the trees over words together"
    shipped: ClassVar[Path] = SHIPPED / "numeral_blend"
    files: ClassVar[tuple[str, ...]] = ("numerals.json",)
    missing: ClassVar[str] = "are no weights of numerals"
    trained_with: ClassVar[str] = "headline-lab train numerals --attacher blend --out FOLDER"

    model: str = field(
        default="",
        metadata={"help": "folder of what weighs its scores; empty for the one that ships"},
    )

    @property
    def inside(self) -> tuple[AttacherRecipe, ...]:
        """Both that it is made of."""
        return PointerAttacher(), Lexical()

    def check(self) -> None:
        """See `AttacherRecipe`."""
        for one in self.inside:
            one.check()
        if not self.model:
            AttacherRecipe.check(self)

    def build(self, runtime: Runtime) -> Attacher:
        """See `AttacherRecipe`."""
        return LoadedBlend(PointerAttacher().build(runtime), Lexical().build(runtime))


@dataclass(frozen=True, slots=True, eq=False)
class LoadedBlend:
    """Both in memory.

    Attributes:
        network: Of `pointer.v1`.
        words: Of `lexical.v1`.
    """

    network: Attacher
    words: Attacher

    def attach(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Attachment]:
        """See `Attacher`."""
        words = self.words.attach(questions, runtime)
        known = [
            row for row, one in enumerate(questions) if one.article.language in PointerAttacher.languages
        ]
        seen = self.network.attach([questions[row] for row in known], runtime)
        network = dict(zip(known, seen, strict=True))
        return [_joined(network.get(row), one) for row, one in enumerate(words)]


def _joined(network: Attachment | None, words: Attachment) -> Attachment:
    """Both together; the words alone in a language that the network does not know."""
    if network is None:
        return Attachment(_log_shares(words.numerals), words.ways)
    return Attachment(
        NETWORK * _log_shares(network.numerals) + WORDS * _log_shares(words.numerals),
        _log_shares((network.ways + words.ways) / 2),
    )


def _log_shares(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    if not len(scores):
        return scores
    return np.asarray(scores - scores.max() - np.log(np.exp(scores - scores.max()).sum()))
