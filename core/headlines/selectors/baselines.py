"""Selectors by length, place or time of a headline, and by the rules that annotators were given."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import ClassVar

import numpy as np

from core.data.timelines.timeline import written_day
from core.headlines.selection.model import (
    Choices,
    PlainSelector,
    Ranking,
    Selector,
    SelectorRecipe,
    closeness,
    headline_selectors,
)
from core.runtime import Runtime
from core.text.claims import vague_headlines
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
        return Ranking(scores, tuple(map(_when, choices.days.tolist())))


def _when(day: float) -> str:
    if math.isnan(day):
        return "Its time is not known."
    return f"It was published on {written_day(_EPOCH + timedelta(days=day))}."


_UP_TO_LAST_LETTER = re.compile(r".*\w", re.DOTALL)


@headline_selectors.register("guidelines.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Guidelines:
    """Another selector's best among the headlines that break the fewest rules of the annotators.

    The rules: a whole phrase (not cut off with dots), not a question, no exclamation, not all in capitals,
    and not too vague to name the event. Two more were tried and dropped, because people's choices
    contradict them: at most 90 characters, and near to the others in meaning.

    Source: the guidelines of Dialogue 2021 for headline selection.
    """

    summary: ClassVar[str] = "Another selector's best among headlines that keep to the annotators' rules"

    base: str = field(
        default="catboost.v1",
        metadata={"help": "the selector that decides among them: name or signature", "label": "Selector"},
    )

    @property
    def inside(self) -> tuple[SelectorRecipe, ...]:
        """The selector inside; see `core.models.weights.files`."""
        return (self._based(),)

    def check(self) -> None:
        self._based().check()

    def build(self, runtime: Runtime) -> Selector:
        return LoadedGuidelines(self._based().build(runtime))

    def _based(self) -> SelectorRecipe:
        return headline_selectors.parse(self.base)


@dataclass(frozen=True, slots=True, eq=False)
class LoadedGuidelines:
    """The rules around a loaded selector."""

    base: Selector

    def rank(self, choices: Choices) -> Ranking:
        """The base's scores, lowered by more than their whole range for each rule that is broken."""
        ranking = self.base.rank(choices)
        broken = [_broken(text) for text in choices.texts]
        vague = choices.vague
        if vague is None:
            vague = [judged.is_vague for judged in vague_headlines(choices.texts)]
        for rules, is_vague in zip(broken, vague, strict=True):
            if is_vague:
                rules.append("it is vague")
        counts = np.array([len(rules) for rules in broken])
        span = float(np.ptp(ranking.scores)) + 1
        reasons = tuple(
            f"{reason} Against it: {', '.join(rules)}." if rules else reason
            for reason, rules in zip(ranking.reasons, broken, strict=True)
        )
        return Ranking(ranking.scores - counts * span, reasons, tuple(map(tuple, broken)))


def _broken(text: str) -> list[str]:
    worded = _UP_TO_LAST_LETTER.match(text)
    ending = text[worded.end() :] if worded else text
    rules = {
        "it is cut off": "..." in ending or "…" in ending,
        "it is a question": text.rstrip(" \"'”’»)").endswith("?"),
        "it exclaims": "!" in text,
        "it is all in capitals": text.isupper() and len(text.split()) > 2,
    }
    return [rule for rule, breaks in rules.items() if breaks]
