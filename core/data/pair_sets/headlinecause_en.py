"""HeadlineCause, English: pairs of headlines and how one is related to the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from core.data.pair_sets.headline_relations import LICENCE, folder, read_relations
from core.data.pair_sets.pair_set import PairSet, pair_sources
from core.parts import Part

FILES = {"en_training": Part.TRAIN, "en_exam": Part.VALIDATION, "en_honey": Part.TEST}


@pair_sources.register("headlinecause_en.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineCauseEnglish:
    """Pairs with a relation as their tag; "same" is label 1, everything else 0.

    70 pairs: ten that trained the annotators are train, ten of their examination validation, fifty
    control questions test. Only four pairs are the same news: what they serve for is the kinds of
    pairs that are related and yet different. Pairs with
    a headline that is also in a later part are left out. All headlines of a part are one timeline.

    Source: Gusev and Tikhonov 2022.
    """

    summary: ClassVar[str] = "English headline pairs with cause, refutation or relation (HeadlineCause)"
    licence: ClassVar[str] = LICENCE

    least_confidence: float = field(
        default=0.0, metadata={"help": "share of votes that a relation must have", "low": 0.0, "high": 1.0}
    )

    def find(self) -> Path | None:
        """See `PairSource`."""
        return folder()

    def load(self) -> PairSet:
        """See `PairSource`."""
        return read_relations("headlinecause_en", FILES, least_confidence=self.least_confidence)
