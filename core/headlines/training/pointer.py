"""The pointer-generator network of Cafagna et al. 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.training.recurrent import RecurrentTrainer
from core.headlines.training.trainer import headline_trainers


@headline_trainers.register("pointer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PointerTrainer(RecurrentTrainer):
    """A pointer-generator network: writes words or copies them; see `s2s.v1` for the defaults.

    Source: See et al. 2017, "Get To The Point"; Cafagna et al. 2019, section 3.
    """

    summary: ClassVar[str] = "Pointer-generator network: writes words or copies them"
    generator: ClassVar[str] = "pointer.v1"
    architecture: ClassVar[str] = "pointer"
