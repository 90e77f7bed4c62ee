"""The selector that keeps to the annotators' rules."""

import re
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.headlines.selection import Choices, Ranking, Selector, SelectorRecipe, headline_selectors
from core.runtime import Runtime
from core.text.vagueness import vague_headlines

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
        both = zip(ranking.reasons, broken, strict=True)
        reasons = tuple(f"{why} Against it: {', '.join(rules)}." if rules else why for why, rules in both)
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
