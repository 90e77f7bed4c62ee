"""What chooses the best headline of a group, and the list of all selectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from core.registry import Registry
from core.runtime import Runtime
from core.similarities import Float32Array


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Headlines of one group.

    Attributes:
        texts: k headlines, 1 or more.
        days: Publication time in days since 1970 UTC, float64 [k]; NaN where unknown.
        vectors: Unit vectors, float32 [k, d]; [k, 0] where the selector needs none.
        vague: Whether each is too vague to name an event, judged in its timeline; None where there is no
            timeline, so that the headlines are judged among each other.
    """

    texts: Sequence[str]
    days: npt.NDArray[np.float64]
    vectors: Float32Array
    vague: Sequence[bool] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """How a selector ranks a group.

    Attributes:
        scores: Higher is better, float64 [k].
        reasons: For each headline one short sentence that says what speaks for it.
        against: For each headline the rules that it breaks ("it is a question"); () where none are known.
    """

    scores: npt.NDArray[np.float64]
    reasons: tuple[str, ...]
    against: tuple[tuple[str, ...], ...] = ()

    @property
    def best(self) -> int:
        """Row of the best headline; the first of equals."""
        return int(np.argmax(self.scores))


class Selector(Protocol):
    """A loaded selector."""

    def rank(self, choices: Choices) -> Ranking:
        """Scores the headlines of one group; the order in which they come does not matter."""
        ...


class SelectorRecipe(Protocol):
    """How to load a selector: a frozen dataclass whose fields are its parameters."""

    summary: ClassVar[str]

    def check(self) -> None:
        """Looks for its weights without loading them.

        Raises:
            ModelUnavailableError: They are not on this machine.
        """
        ...

    def build(self, runtime: Runtime) -> Selector:
        """Loads it.

        Raises:
            ModelUnavailableError: Its weights are not on this machine, or damaged.
        """
        ...


class PlainSelector:
    """A selector that has nothing to load: a subclass gives `rank` alone."""

    __slots__ = ()

    def check(self) -> None:
        """It has no weights."""

    def build(self, runtime: Runtime) -> Selector:
        """Itself."""
        return self

    def rank(self, choices: Choices) -> Ranking:
        raise NotImplementedError


headline_selectors: Registry[SelectorRecipe] = Registry("headline selector", "core.headlines.selectors")
