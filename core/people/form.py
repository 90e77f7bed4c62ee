"""Forms: named templates of questions that people answer about headlines, and the list of all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.registry import Registry

Order = Callable[[str, str], Sequence[int]]
"""Places of the systems in the order in which a judge (first) saw an article's (second) headlines."""
BETWEEN: Final = " ⇄ "  # stands between two systems in the name of their pair
YES: Final = 1
"""What the headline gets that is chosen, and what a pair gets whose first headline is preferred."""


class Asks(StrEnum):
    """What a question asks about.

    Each headline, each pair of headlines (a yes or no, say), which of each pair is better, which one of all,
    or the order of all.
    """

    EACH = "each"
    PAIRS = "pairs"
    BETTER = "better"
    ONE = "one"
    ORDER = "order"


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One answer that a question allows; without a wording where the ends of the scale say enough."""

    value: int
    wording: str


_BETTER: Final = (
    Level(value=-YES, wording="the second"),
    Level(value=0, wording="equal"),
    Level(value=YES, wording="the first"),
)
_ONE: Final = (Level(value=0, wording=""), Level(value=YES, wording="chosen"))


@dataclass(frozen=True, slots=True, kw_only=True)
class FormQuestion:
    """One question of a form.

    `key` is its name in files, `label` in tables. In an order the best of k headlines gets k, the last 1;
    `best` is what is asked where its first place is given. `levels` are the answers for one headline or pair,
    the lowest first, () where `asks` says them.
    """

    key: str
    label: str
    text: str
    help: str = ""
    asks: Asks = Asks.EACH
    levels: tuple[Level, ...] = ()
    best: str = "Which headline is the best?"
    published_alpha: float | None = None

    @property
    def ranks(self) -> bool:
        return self.asks is Asks.ORDER

    @property
    def about_pairs(self) -> bool:
        return self.asks in (Asks.PAIRS, Asks.BETTER)

    def allowed(self, systems: int) -> tuple[Level, ...]:
        """The answers that one headline or pair may get, the lowest first."""
        if self.asks is Asks.BETTER:
            return _BETTER
        if self.asks is Asks.ONE:
            return _ONE
        if not self.ranks:
            return self.levels
        return tuple(
            Level(value=value, wording=_place(systems - value + 1, systems))
            for value in range(1, systems + 1)
        )

    def most(self, systems: int) -> int:
        """The most that a headline can get; percentages are shares of it."""
        return max((level.value for level in self.allowed(systems)), default=0)

    def places(self, systems: int) -> range:
        """Which places of `subjects` the question asks about."""
        return range(systems, systems + systems * (systems - 1) // 2) if self.about_pairs else range(systems)


class EvaluationForm:
    """A template of questions: a frozen dataclass without fields, or one that was read from a file.

    Attributes:
        title: What people call it, a few words.
        summary: Its questions in a line.
        questions: In the order in which they are asked.
        published: Key of the paper's table whose figures stand in the order of the questions; "" for none.
        by_question: Whether a question is asked about all headlines before the next.
        hidden: Questions that are answered before the article can be seen; 0 shows it from the start.
        words: Words of the article that are shown; 0 for all.
        cases: Articles of one judge's form.
        judges: Judges who get the same articles; 0 where all judge all.
    """

    __slots__ = ()
    title: str
    summary: str
    questions: tuple[FormQuestion, ...]
    published: str = ""
    by_question: bool = True
    hidden: int = 0
    words: int = 0
    cases: int = 100
    judges: int = 0


class FormRegistry(Registry[EvaluationForm]):
    """The forms of the program; one that was read from a file says its name itself."""

    def name_of(self, recipe: EvaluationForm | type[EvaluationForm]) -> str:
        own = getattr(recipe, "name", "")
        return own if isinstance(own, str) and own else super().name_of(recipe)

    def signature(self, recipe: EvaluationForm) -> str:
        return self.name_of(recipe)


evaluation_forms = FormRegistry("evaluation form", "core.people.forms")

DEFAULT_FORM: Final = "numhg.v1"


def pairs_of(systems: Sequence[str]) -> list[tuple[int, int]]:
    """Places of the two systems of each pair; the name that sorts first comes first."""
    return [
        (one, other) if systems[one] <= systems[other] else (other, one)
        for one, other in combinations(range(len(systems)), 2)
    ]


def subjects(form: EvaluationForm, systems: Sequence[str]) -> tuple[str, ...]:
    """What can be answered about: the systems and, where a question is about pairs, their pairs."""
    pairs = pairs_of(systems) if any(question.about_pairs for question in form.questions) else []
    return (*systems, *(f"{systems[one]}{BETWEEN}{systems[other]}" for one, other in pairs))


def asked(form: EvaluationForm, systems: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which question asks about which subject, bool [q, subjects]."""
    mask = np.zeros((len(form.questions), len(subjects(form, systems))), dtype=bool)
    for at, question in enumerate(form.questions):
        mask[at, question.places(len(systems))] = True
    return mask


def revealed(form: EvaluationForm, values: FloatArray, systems: int) -> bool:
    """Whether the judge may see the article: all questions before it are answered, float64 [q, s]."""
    return not any(
        np.isnan(values[at, question.places(systems)]).any()
        for at, question in enumerate(form.questions[: form.hidden])
    )


def _place(place: int, of: int) -> str:
    if place == 1:
        return "best"
    if place == of:
        return "last"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(0 if place % 100 in (11, 12, 13) else place % 10, "th")
    return f"{place}{ending}"
