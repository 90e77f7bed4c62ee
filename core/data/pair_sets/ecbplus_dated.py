"""ECB+ first sentences of articles with a date: the one set here with dates and articles both."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.pair_sets.assembly import from_groups
from core.data.pair_sets.ecbplus import read_ecbplus
from core.data.pair_sets.files import shipped
from core.data.pair_sets.grouped_source import GroupedSource
from core.data.pair_sets.pair_set import PairSet, pair_sources


@pair_sources.register("ecbplus_dated.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EcbPlusDated(GroupedSource):
    """Pairs drawn from the 156 ECB+ documents whose address holds their day; the subtopic is the gold group.

    Small, but every pair has both days and both bodies, which scorers that read articles and days
    need. ECB+'s events lie years apart, so negatives are drawn at any distance: time alone tells most
    of them, and figures flatter every scorer that reads it. Split and bodies as `EcbPlusSentences`.

    Source: Cybulska and Vossen 2014.
    """

    summary: ClassVar[str] = (
        "First sentences with days and articles' beginnings; events lie years apart (ECB+)"
    )
    licence: ClassVar[str] = "CC BY 3.0; texts belong to their publishers"

    window_days: float = field(
        default=100_000.0,
        metadata={
            "label": "Days apart, at most",
            "help": "days that the headlines of a negative are apart at most",
            "low": 0.0,
        },
    )

    def find(self) -> Path | None:
        """See `PairSource`."""
        return shipped("ecbplus")

    def load(self) -> PairSet:
        """See `PairSource`."""
        headlines = read_ecbplus(self.find(), "ecbplus_first_sentences.csv.gz", by_topic=False, bodies=True)
        return from_groups("ecbplus_dated", headlines.only(~np.isnan(headlines.days)), self.sampling)
