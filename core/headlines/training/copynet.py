"""CopyNet, as the Black and Yellow team of Dialogue 2019 used it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.training.recurrent import RecurrentTrainer
from core.headlines.training.trainer import headline_trainers


@headline_trainers.register("copynet.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CopyNetTrainer(RecurrentTrainer):
    """CopyNet: writing and copying compete for every word; see `s2s.v1` for the defaults.

    Source: Gu et al. 2016; Malykh and Kalaidin 2019, "Headline Generation Shared Task on Dialogue'2019",
    section 6.2.
    """

    summary: ClassVar[str] = "CopyNet: writing and copying compete for every word"
    generator: ClassVar[str] = "copynet.v1"
    architecture: ClassVar[str] = "copynet"
