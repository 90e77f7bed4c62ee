"""Forms: named templates of questions that people answer about headlines, and the list of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

from core.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One answer that a question allows.

    Attributes:
        value: What it counts.
        wording: What it means, "" where the ends of the scale say enough.
    """

    value: int
    wording: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormQuestion:
    """One question of a form.

    Attributes:
        key: Name in files, lower case with underscores.
        label: Name of its column in tables.
        text: What the judge is asked.
        help: What a judge in doubt should know, in a sentence or two.
        levels: The answers for one headline, the lowest first; () where the k headlines of an article are
            put in an order instead. Then the best gets k, the next k - 1, and the last 1.
    """

    key: str
    label: str
    text: str
    help: str
    levels: tuple[Level, ...] = ()

    @property
    def ranks(self) -> bool:
        """Whether the headlines of an article are put in an order, without ties."""
        return not self.levels

    def allowed(self, systems: int) -> tuple[Level, ...]:
        """The answers that one headline may get, the lowest first.

        Args:
            systems: How many headlines an article has.
        """
        if self.levels:
            return self.levels
        return tuple(
            Level(value=value, wording=_place(systems - value + 1, systems))
            for value in range(1, systems + 1)
        )

    def most(self, systems: int) -> int:
        """The most that a headline can get; percentages are shares of it."""
        return max((level.value for level in self.allowed(systems)), default=0)


class EvaluationForm(Protocol):
    """A template of questions: a frozen dataclass without fields."""

    summary: ClassVar[str]
    questions: ClassVar[tuple[FormQuestion, ...]]
    published: ClassVar[str]
    """Key of the paper's table whose figures stand in the order of the questions; "" where there is none."""


evaluation_forms: Registry[EvaluationForm] = Registry("evaluation form", "core.people.forms")

DEFAULT_FORM: Final = "numhg.v1"


def _place(place: int, of: int) -> str:
    """ "best", "2nd", … "last"."""
    if place == 1:
        return "best"
    if place == of:
        return "last"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(0 if place % 100 in (11, 12, 13) else place % 10, "th")
    return f"{place}{ending}"
