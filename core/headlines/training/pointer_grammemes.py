"""The pointer-generator network with stems and grammemes of Dialogue 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.training.recurrent import RecurrentTrainer
from core.headlines.training.trainer import headline_trainers


@headline_trainers.register("pointer_grammemes.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class GrammemeTrainer(RecurrentTrainer):
    """A pointer-generator network over stems, endings and grammemes; see `s2s.v1` for the defaults.

    Russian is read with pymorphy3; other languages with a Snowball stemmer and what spelling shows.

    Source: the Burning Headlines team in Malykh and Kalaidin 2019, "Headline Generation Shared Task on
    Dialogue'2019", section 6.3.
    """

    summary: ClassVar[str] = "Pointer-generator network over stems, endings and grammemes"
    generator: ClassVar[str] = "pointer_grammemes.v1"
    architecture: ClassVar[str] = "pointer_grammemes"
