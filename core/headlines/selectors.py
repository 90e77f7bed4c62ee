"""Selectors: longest, medoid, most recent, by rules, by mean rank of three, by trees on judged pairs."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.timelines.timeline import written_day
from core.headlines.selection import (
    FAMILIES,
    NAMES,
    Choices,
    Features,
    PlainSelector,
    Ranking,
    Selector,
    SelectorModel,
    SelectorRecipe,
    closeness,
    features,
    headline_selectors,
    model_folder,
    read_model,
)
from core.runtime import Runtime
from core.text.tokens import tokenize
from core.text.vagueness import vague_headlines

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UP_TO_LAST_LETTER = re.compile(r".*\w", re.DOTALL)
WORDING: Final = "wording"


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
        reasons = (
            "Its time is not known."
            if math.isnan(day)
            else f"It was published on {written_day(_EPOCH + timedelta(days=day))}."
            for day in choices.days.tolist()
        )
        return Ranking(scores, tuple(reasons))


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
        """The selector inside; see `core.models.weights`."""
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


@headline_selectors.register("ensemble.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class RankerEnsemble:
    """The headline with the best mean rank by three selectors; equal scores share their mean rank.

    Source: Dialogue 2021 (Gusev and Smurov), section 4.3.
    """

    summary: ClassVar[str] = "The best mean rank of three selectors"

    first: str = field(default="catboost.v1", metadata={"help": "a selector", "label": "First selector"})
    second: str = field(default="medoid.v1", metadata={"help": "a selector", "label": "Second selector"})
    third: str = field(default="longest.v1", metadata={"help": "a selector", "label": "Third selector"})

    @property
    def inside(self) -> tuple[SelectorRecipe, ...]:
        return tuple(headline_selectors.parse(name) for name in (self.first, self.second, self.third))

    def check(self) -> None:
        for selector in self.inside:
            selector.check()

    def build(self, runtime: Runtime) -> Selector:
        return LoadedEnsemble(tuple(selector.build(runtime) for selector in self.inside))


@dataclass(frozen=True, slots=True, eq=False)
class LoadedEnsemble:
    selectors: tuple[Selector, ...]

    def rank(self, choices: Choices) -> Ranking:
        """Minus the mean rank, from -1 for what all rank first; reasons are of who ranks it best."""
        from scipy.stats import rankdata

        rankings = [selector.rank(choices) for selector in self.selectors]
        ranks = np.stack([rankdata(-ranking.scores) for ranking in rankings])
        best = ranks.argmin(axis=0).tolist()
        reasons = tuple(rankings[at].reasons[row] for row, at in enumerate(best))
        return Ranking(-ranks.mean(axis=0), reasons)


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


@headline_selectors.register("catboost.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CatBoost:
    """Gradient-boosted trees over length, numbers, shared words and closeness, relative to the group.

    Grown with PairLogit on the choices of Dialogue 2021. `headline_selector` looks at no vectors beyond
    their closeness and works with any encoder; `headline_selector_e5` also weighs directions of the vectors
    of `e5_small.v1`, as the task's baseline does with another encoder, and wants that one.

    Source: Dialogue 2021 (Gusev and Smurov), section 4.2; Prokhorenkova et al. 2018 for CatBoost.
    """

    summary: ClassVar[str] = "Trained trees over length, numbers, shared words and closeness (CatBoost)"

    model: str = field(
        default="headline_selector",
        metadata={"help": "a trained selector: a name under models/, or a folder", "label": "Model"},
    )

    @property
    def weights(self) -> tuple[Path, ...]:
        """The model's folder; see `core.models.weights`."""
        return (model_folder(self.model),)

    def check(self) -> None:
        model_folder(self.model)

    def build(self, runtime: Runtime) -> Selector:
        return LoadedCatBoost(read_model(model_folder(self.model)))


@dataclass(frozen=True, slots=True, eq=False)
class LoadedCatBoost:
    """The trees in memory."""

    model: SelectorModel

    def rank(self, choices: Choices) -> Ranking:
        """Scores are sums of leaves; a reason names what raises a score most above the group's middle."""
        read = features(choices)
        columns = self.model.columns(read, choices.vectors)
        scores = self._scores(columns)
        return Ranking(scores, _reasons(self._gains(columns, scores), read))

    def _scores(self, columns: FloatArray) -> FloatArray:
        # Rounded, so that the order in which leaves are added does not decide ties.
        return np.asarray(np.round(self.model.trees.predict(columns), 9), dtype=np.float64)

    def _gains(self, columns: FloatArray, scores: FloatArray) -> dict[str, FloatArray]:
        middle = np.median(columns, axis=0)
        families = [FAMILIES.get(name, WORDING) for name in self.model.config.features]
        known = tuple(dict.fromkeys(families))
        without = [np.where([label == family for label in families], middle, columns) for family in known]
        parts = np.split(self._scores(np.concatenate(without)), len(known))
        return {family: scores - part for family, part in zip(known, parts, strict=True)}


def _reasons(gains: dict[str, FloatArray], read: Features) -> tuple[str, ...]:
    if len(read.words) == 1:
        return ("The only headline.",)
    reasons = []
    for row in range(len(read.words)):
        family = max(gains, key=lambda family: gains[family][row])
        decides = gains[family][row] > 1e-6  # a smaller part of a score is no reason
        reasons.append(_sentence(family, row, read) if decides else "Nothing speaks for it alone.")
    return tuple(reasons)


def _sentence(family: str, row: int, read: Features) -> str:
    other = len(read.words) == 2
    if family == "length":
        words = f"{read.words[row]} word{'' if read.words[row] == 1 else 's'}"
        compared = f"{'the other has' if other else 'the others have'} {_others(read.words, row)}"
        return f"People preferred headlines of about this length: {words}, where {compared}."
    if family == "numbers":
        own, others = int(read.numbers[row]), _others(read.numbers, row)
        compared = f"{'the other gives' if other else 'the others give'} {others}"
        plural = "" if own == 1 else "s"
        return f"It gives {own} number{plural}; {compared}." if own else "It does without numbers."
    if family == "shared":
        return f"It has {read.held[row]} of the {read.shared} words that several headlines share."
    if family == "own":
        return "It keeps the balance of words that others have and of its own."
    if family == "closeness":
        near = read.values[row, NAMES.index("closeness_rank")] > 0.5
        return f"In meaning it {'is near to' if near else 'stands apart from'} the others."
    return "It is worded like headlines that people preferred."


def _others(counts: IntArray, row: int) -> str:
    rest = np.delete(counts, row)
    if not rest.any():
        return "none"
    return f"{rest[0]}" if len(rest) == 1 else f"{rest.mean():.1f} on average"
