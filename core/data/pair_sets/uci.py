"""UCI News Aggregator: 60 stories of three days in March 2014."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.pair_sets.assembly import GroupedHeadlines, from_groups
from core.data.pair_sets.files import cleaned, column, read_columns, require, shipped
from core.data.pair_sets.grouped_source import GroupedSource
from core.data.pair_sets.pair_set import PairSet, pair_sources
from core.data.pair_sets.splits import drawn, numbers, parts_of

SHARES = (0.6, 0.2, 0.2)
_MILLISECONDS = 86_400_000.0


@pair_sources.register("uci.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Uci(GroupedSource):
    """Pairs drawn from the sample of the UCI News Aggregator; a story is the gold group.

    Whole stories are drawn to train (36), validation (12) and test (12). All headlines of a part are one
    timeline. Stories are broader than HLGD's events and have up to hundreds of headlines, so positives
    are drawn down to a number. In this sample each story lies within one day: dates tell more here than
    they would elsewhere.

    Source: Gasparetti 2016, UCI Machine Learning Repository.
    """

    summary: ClassVar[str] = "60 stories of March 2014 with hundreds of headlines each (UCI)"
    licence: ClassVar[str] = "CC BY 4.0; headlines belong to their publishers"

    def find(self) -> Path | None:
        """See `PairSource`."""
        return shipped("uci")

    def load(self) -> PairSet:
        """See `PairSource`."""
        folder = require(self.find(), name="UCI", wanted="uci_news_aggregator/uci_stories.csv.gz")
        path = folder / "uci_stories.csv.gz"
        table = read_columns(path)
        stories = column(table, "STORY", path)
        parts = parts_of(stories, drawn(sorted(set(stories)), SHARES, seed=self.seed))
        headlines = GroupedHeadlines(
            texts=cleaned(column(table, "TITLE", path)),
            days=np.array(column(table, "TIMESTAMP", path), dtype=np.float64) / _MILLISECONDS,
            timelines=numbers(parts.tolist()),
            parts=parts,
            groups=numbers(stories),
        )
        return from_groups("uci", headlines, self.sampling)
