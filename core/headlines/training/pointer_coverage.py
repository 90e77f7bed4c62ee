"""The pointer-generator network with coverage of Cafagna et al. 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.headlines.training.recurrent import RecurrentTrainer
from core.headlines.training.trainer import headline_trainers


@headline_trainers.register("pointer_coverage.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CoverageTrainer(RecurrentTrainer):
    """A pointer-generator network that avoids going over the same words; see `s2s.v1` for the defaults.

    See et al. add coverage to a trained pointer-generator for a short while; `start_from` does the same.

    Source: See et al. 2017, "Get To The Point"; Cafagna et al. 2019, section 3.
    """

    summary: ClassVar[str] = "Pointer-generator network with coverage"
    generator: ClassVar[str] = "pointer_coverage.v1"
    architecture: ClassVar[str] = "pointer_coverage"
