"""The excerpt of HLGD's International Space Station timeline: all of it is test, always."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.pair_sets.assembly import GroupedHeadlines, from_groups
from core.data.pair_sets.drawing import Sampling
from core.data.pair_sets.files import cleaned, column, read_columns, require, shipped, whole_days
from core.data.pair_sets.pair_set import PairSet, pair_sources
from core.data.pair_sets.splits import numbers
from core.parts import Part

FILE = "iss_excerpt.csv"


@pair_sources.register("iss.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Iss:
    """All pairs of the excerpt of a HLGD timeline that the paper prints; everything is test.

    Nothing may be trained or tuned on it. With 47 headlines there is no need to draw; a window leaves
    out the negatives that are further apart, as the paper does.

    Source: Laban et al. 2021, appendix D.
    """

    summary: ClassVar[str] = "47 headlines on the International Space Station with HLGD's groups"
    licence: ClassVar[str] = "Apache-2.0 (the HLGD release); headlines belong to their publishers"

    window_days: float | None = field(
        default=None,
        metadata={
            "label": "Days apart, at most",
            "help": "days that the headlines of a negative are apart; none keeps all",
            "low": 0.0,
        },
    )

    def find(self) -> Path | None:
        """See `PairSource`."""
        return shipped("iss")

    def load(self) -> PairSet:
        """See `PairSource`."""
        path = require(self.find(), name="ISS", wanted="iss") / FILE
        table = read_columns(path)
        groups = column(table, "group", path)
        headlines = GroupedHeadlines(
            texts=cleaned(column(table, "headline", path)),
            days=whole_days(column(table, "date", path)),
            timelines=np.zeros(len(groups), dtype=np.int64),
            parts=np.full(len(groups), Part.TEST.value),
            groups=numbers(groups),
        )
        window = float("inf") if self.window_days is None else self.window_days
        return from_groups("iss", headlines, Sampling(window_days=window, ratio=None))
