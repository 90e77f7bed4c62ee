"""The headline that was published last."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import ClassVar

import numpy as np

from core.data.timelines.periods import written_day
from core.headlines.selection.selector import Choices, Ranking, Selector, headline_selectors
from core.runtime import Runtime

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@headline_selectors.register("most_recent.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class MostRecent:
    """The headline with the latest time; those without one come last."""

    summary: ClassVar[str] = "The headline that was published last"

    def check(self) -> None:
        """It has no weights."""

    def build(self, runtime: Runtime) -> Selector:
        """Itself: there is nothing to load."""
        return self

    def rank(self, choices: Choices) -> Ranking:
        """Scores are days since 1970; a day before the first for a headline without a time."""
        known = choices.days[~np.isnan(choices.days)]
        unknown = float(known.min()) - 1 if len(known) else 0.0
        scores = np.where(np.isnan(choices.days), unknown, choices.days)
        return Ranking(scores, tuple(map(_told, choices.days.tolist())))


def _told(day: float) -> str:
    if math.isnan(day):
        return "Its time is not known."
    return f"It was published on {written_day(_EPOCH + timedelta(days=day))}."
