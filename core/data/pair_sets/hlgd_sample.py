"""The fifteen real HLGD pairs that ship: the format and the direction of the label."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from core.data.pair_sets.files import require, shipped
from core.data.pair_sets.hlgd import read_hlgd
from core.data.pair_sets.pair_set import PairSet, pair_sources


@pair_sources.register("hlgd_sample.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class HlgdSample:
    """Five pairs each of HLGD's train, validation and test; too few to measure anything.

    Source: Laban et al. 2021.
    """

    summary: ClassVar[str] = "Fifteen real HLGD pairs, to see the format (HLGD)"
    licence: ClassVar[str] = "Apache-2.0 (the HLGD release); headlines belong to their publishers"

    def find(self) -> Path | None:
        """See `PairSource`."""
        return shipped("hlgd_sample")

    def load(self) -> PairSet:
        """See `PairSource`."""
        return read_hlgd(require(self.find(), name="HLGD sample", wanted="hlgd_sample"), "hlgd_sample")
