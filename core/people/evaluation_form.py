"""Forms: templates of questions about headlines, with the answers that each allows."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Annotated, Final

from msgspec import Meta

BETWEEN: Final = " ⇄ "  # stands between two systems in the name of their pair
YES: Final = 1  # of the headline that is chosen, and of a pair whose first headline is preferred
_KEY: Final = r"^(?!(judge|item|article|system|headline|text)\Z)[a-z][a-z0-9_]{0,39}\Z"
_KEYS: Final = "Use lower case, digits and underscores, and none of the columns that all tables have."
Key = Annotated[str, Meta(pattern=_KEY, description=_KEYS)]
Line = Annotated[str, Meta(min_length=1, max_length=300)]
Text = Annotated[str, Meta(max_length=300)]
Count = Annotated[int, Meta(ge=0, le=100_000)]
Questions = Annotated["tuple[FormQuestion, ...]", Meta(min_length=1, max_length=20)]
DEFAULT_FORM: Final = "numhg.v1"


class Asks(StrEnum):
    EACH = "each"  # headline
    PAIRS = "pairs"  # each pair of headlines: a yes or no, say
    BETTER = "better"  # which of each pair is better
    ONE = "one"  # which one of all
    ORDER = "order"  # of all
    BEST_WORST = "best_worst"  # the best and the worst of a set


@dataclass(frozen=True, slots=True)
class Level:
    """One answer that a question allows; without a wording where the ends of the scale say enough."""

    value: int
    wording: Text


_ALWAYS: Final = {
    Asks.BETTER: (Level(-YES, "the second"), Level(0, "equal"), Level(YES, "the first")),
    Asks.ONE: (Level(0, ""), Level(YES, "chosen")),
    Asks.BEST_WORST: (Level(-YES, "worst"), Level(0, ""), Level(YES, "best")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FormQuestion:
    """One question of a form. In an order the best of k headlines gets k, the last 1."""

    key: Key  # its name in files
    label: Line  # and in tables
    text: Line
    help: Text = ""
    asks: Asks = Asks.EACH
    levels: tuple[Level, ...] = ()  # for one headline or pair, the lowest first; () where `asks` says them
    best: Line = "Which headline is the best?"  # asked where the first place of an order is given
    published_alpha: Annotated[float, Meta(ge=-1, le=1)] | None = None

    @property
    def ranks(self) -> bool:
        return self.asks is Asks.ORDER

    @property
    def about_pairs(self) -> bool:
        return self.asks in (Asks.PAIRS, Asks.BETTER)

    def allowed(self, systems: int) -> tuple[Level, ...]:
        """The answers that one headline or pair may get, the lowest first."""
        if not self.ranks:
            return _ALWAYS.get(self.asks, self.levels)
        return tuple(Level(systems - at + 1, _place(at, systems)) for at in range(systems, 0, -1))

    def single(self, systems: int) -> tuple[int, ...]:
        """The answers that one headline of all gets, in the order in which they are asked for."""
        chosen = {Asks.ONE: (YES,), Asks.BEST_WORST: (YES, -YES), Asks.ORDER: tuple(range(systems, 0, -1))}
        return chosen.get(self.asks, ())

    def most(self, systems: int) -> int:
        """The most that a headline can get; percentages are shares of it."""
        return max((level.value for level in self.allowed(systems)), default=0)

    @property
    def least(self) -> int:
        """The least that its points can be: 0, or −1 where the worst is asked for."""
        return -YES if self.asks is Asks.BEST_WORST else 0

    def places(self, systems: int) -> range:
        """Which places of `subjects` the question asks about."""
        return range(systems, systems + systems * (systems - 1) // 2) if self.about_pairs else range(systems)


def _place(place: int, of: int) -> str:
    if place == 1:
        return "best"
    if place == of:
        return "last"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(0 if place % 100 in (11, 12, 13) else place % 10, "th")
    return f"{place}{ending}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationForm:
    """A template of questions, read from a file (`core.people.forms`)."""

    title: Line  # what people call it, a few words
    questions: Questions  # in the order in which they are asked
    by_question: bool = True  # a question is asked about all headlines before the next
    hidden: Count = 0  # questions that are answered before the article can be seen
    words: Count = 0  # words of the article that are shown; 0 for all
    cases: Annotated[int, Meta(ge=1, le=100_000)] = 20  # articles of one judge's form
    judges: Count = 0  # judges who get the same articles; 0 where all judge all
    published: Text = ""  # key of the paper's table, whose figures stand in the order of the questions
    summary: Text = ""  # its questions in a line
    name: str = ""  # what stored answers are filed under


def pairs_of(systems: Sequence[str]) -> list[tuple[int, int]]:
    """Places of the two systems of each pair; the name that sorts first comes first."""
    return [
        (left, right) if systems[left] <= systems[right] else (right, left)
        for left, right in combinations(range(len(systems)), 2)
    ]


def subjects(form: EvaluationForm, systems: Sequence[str]) -> tuple[str, ...]:
    """What can be answered about: the systems and, where a question is about pairs, their pairs."""
    pairs = pairs_of(systems) if any(question.about_pairs for question in form.questions) else []
    return (*systems, *(f"{systems[left]}{BETWEEN}{systems[right]}" for left, right in pairs))
