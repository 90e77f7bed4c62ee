"""Selectors by one number: the longest, the most like the others, the most recent headline."""

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import ClassVar

import numpy as np

from core.data.timelines.periods import written_day
from core.headlines.selection import Choices, PlainSelector, Ranking, closeness, headline_selectors
from core.text.tokens import tokenize

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@headline_selectors.register("longest.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Longest(PlainSelector):
    """The headline with the most words; of equals that with the most characters."""

    summary: ClassVar[str] = "The headline with the most words"

    def rank(self, choices: Choices) -> Ranking:
        words = [len(tokenize(text)) for text in choices.texts]
        scores = np.array([n + len(text) / 10_000 for n, text in zip(words, choices.texts, strict=True)])
        return Ranking(scores, tuple(f"It has {n} word{'' if n == 1 else 's'}." for n in words))


@headline_selectors.register("medoid.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Medoid(PlainSelector):
    """The headline with the highest mean cosine to the others of its group.

    Source: Kaufman and Rousseeuw (1987), "Clustering by Means of Medoids".
    """

    summary: ClassVar[str] = "The headline most like the others of its group"

    def rank(self, choices: Choices) -> Ranking:
        means = closeness(choices.vectors)
        if len(means) == 1:
            return Ranking(means, ("The only headline.",))
        return Ranking(means, tuple(f"Its mean similarity to the others is {mean:.2f}." for mean in means))


@headline_selectors.register("most_recent.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class MostRecent(PlainSelector):
    """The headline with the latest time; those without one come last."""

    summary: ClassVar[str] = "The headline that was published last"

    def rank(self, choices: Choices) -> Ranking:
        known = choices.days[~np.isnan(choices.days)]
        unknown = float(known.min()) - 1 if len(known) else 0.0
        scores = np.where(np.isnan(choices.days), unknown, choices.days)
        moments = (None if math.isnan(at) else _EPOCH + timedelta(days=at) for at in choices.days.tolist())
        days = (moment and written_day(moment) for moment in moments)
        reasons = (f"It was published on {day}." if day else "Its time is not known." for day in days)
        return Ranking(scores, tuple(reasons))
