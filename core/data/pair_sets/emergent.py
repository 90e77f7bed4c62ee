"""Emergent: headlines about 300 rumoured claims."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.pair_sets.assembly import GroupedHeadlines, from_groups
from core.data.pair_sets.files import cleaned, column, local, read_columns, require
from core.data.pair_sets.grouped_source import GroupedSource
from core.data.pair_sets.pair_set import PairSet, pair_sources
from core.data.pair_sets.splits import drawn, numbers, parts_of

FILE = "emergent/data__url-versions-2015-06-14-clean.csv"
SHARES = (0.6, 0.2, 0.2)


@pair_sources.register("emergent.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Emergent(GroupedSource):
    """Pairs drawn from the articles' headlines; the claim that they report or deny is the gold group.

    Whole claims are drawn to train, validation and test (60, 20, 20 %). All headlines of a part are one
    timeline. There are no dates.

    Source: Ferreira and Vlachos 2016, Emergent: a novel data-set for stance classification, NAACL.
    """

    summary: ClassVar[str] = "Headlines about 300 rumours, for and against (Emergent)"
    licence: ClassVar[str] = "None stated; headlines belong to their publishers"

    def find(self) -> Path | None:
        """See `PairSource`."""
        return local(FILE)

    def load(self) -> PairSet:
        """See `PairSource`."""
        path = require(self.find(), name="Emergent", wanted=FILE)
        table = read_columns(path)
        claims = column(table, "claimId", path)
        parts = parts_of(claims, drawn(sorted(set(claims)), SHARES, seed=self.seed))
        headlines = GroupedHeadlines(
            texts=cleaned(column(table, "articleHeadline", path)),
            days=np.full(len(claims), np.nan),
            timelines=numbers(parts.tolist()),
            parts=parts,
            groups=numbers(claims),
        )
        return from_groups("emergent", headlines, self.sampling)
