"""The headline with the most words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.headlines.selection.selector import Choices, Ranking, Selector, headline_selectors
from core.runtime import Runtime
from core.text.tokens import tokenize


@headline_selectors.register("longest.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Longest:
    """The headline with the most words; of equals that with the most characters."""

    summary: ClassVar[str] = "The headline with the most words"

    def check(self) -> None:
        """It has no weights."""

    def build(self, runtime: Runtime) -> Selector:
        """Itself: there is nothing to load."""
        return self

    def rank(self, choices: Choices) -> Ranking:
        """Scores are words, and characters by a ten-thousandth."""
        words = [len(tokenize(text)) for text in choices.texts]
        scores = np.array([n + len(text) / 10_000 for n, text in zip(words, choices.texts, strict=True)])
        return Ranking(scores, tuple(f"It has {n} word{'' if n == 1 else 's'}." for n in words))
