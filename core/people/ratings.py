"""Forms, which are templates of questions about headlines, and answers to them, checked and put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import combinations, product
from typing import Annotated, Final

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from core.arrays import FloatArray
from core.data.identity import HeadlineIndex, HeadlineKey
from core.digests import digest
from core.errors import InputError
from core.text.normalise import clean_line, comparison_key, judge_key

SystemOrder = Callable[[str, str], Sequence[int]]  # a judge's, an article's
BETWEEN: Final = " ⇄ "  # stands between two systems in the name of their pair
YES: Final = 1  # of the headline that is chosen, and of a pair whose first headline is preferred

_KEY: Final = r"^(?!(judge|item|article|system|headline|text)\Z)[a-z][a-z0-9_]{0,39}\Z"
_KEYS: Final = "Use lower case, digits and underscores, and none of the columns that all tables have."
Key = Annotated[str, Meta(pattern=_KEY, description=_KEYS)]
Line = Annotated[str, Meta(min_length=1, max_length=300)]
Text = Annotated[str, Meta(max_length=300)]
Count = Annotated[int, Meta(ge=0, le=100_000)]
Questions = Annotated["tuple[FormQuestion, ...]", Meta(min_length=1, max_length=20)]


class Asks(StrEnum):
    """What a question asks about."""

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


DEFAULT_FORM: Final = "numhg.v1"


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


SET: Final = 4  # headlines of which the best and the worst are chosen


def shown_set(systems: Sequence[str], article: str) -> list[str]:
    """The systems whose headlines of an article, given by its identity, stand in a set; drawn by both."""
    return sorted(systems, key=lambda system: digest(article, system))[:SET]


def asked_of(form: EvaluationForm, task: EvaluationTask) -> npt.NDArray[np.bool_]:
    """Which question asks about which subject of which article, bool [q, n, subjects]."""
    systems, count = task.systems, len(task.systems)
    mask = np.zeros((len(form.questions), len(task.articles), len(subjects(form, systems))), dtype=bool)
    for at, question in enumerate(form.questions):
        mask[at][:, question.places(count)] = True
        for row, article in enumerate(task.articles if question.asks is Asks.BEST_WORST else ()):
            # A file of answers names the set alone; the texts by which it was drawn are gone.
            named = [system for system, line in zip(systems, task.headlines[row], strict=True) if line]
            inside = shown_set(named or systems, task.identity[article])
            mask[at, row, :count] = [system in inside for system in systems]
    return mask


def revealed(form: EvaluationForm, values: FloatArray, systems: int) -> bool:
    """Whether the judge may see the article: all questions before it are answered, float64 [q, s]."""
    before = enumerate(form.questions[: form.hidden])
    return not any(np.isnan(values[at, each.places(systems)]).any() for at, each in before)


def _place(place: int, of: int) -> str:
    if place == 1:
        return "best"
    if place == of:
        return "last"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(0 if place % 100 in (11, 12, 13) else place % 10, "th")
    return f"{place}{ending}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvaluationTask:
    """Headlines of k systems for n articles; ids and names are all different."""

    title: str  # what people call the set of articles
    articles: tuple[str, ...]  # id of each, in the order in which they are judged
    systems: tuple[str, ...]  # their names
    headlines: tuple[tuple[str, ...], ...]  # of each article, one by each system; "" where it is not known
    # Of each article of the whole set: its id, or where that is a row's number a digest of the text, so that
    # a table may be sorted and grow.
    identity: Mapping[str, str]
    index: HeadlineIndex  # all headlines of the whole set, by which answers are found

    @property
    def fingerprint(self) -> str:
        """16 hex digits over the whole set, in whatever order, however many of its articles are judged."""
        return self.index.fingerprint

    def key(self, row: int, system: int) -> HeadlineKey:
        article = self.identity[self.articles[row]]
        return HeadlineKey(self.headlines[row][system], "", self.systems[system], article)

    def at(self, rows: Sequence[int]) -> EvaluationTask:
        """The same task on some of its articles, in the order of `rows`."""
        articles = tuple(self.articles[row] for row in rows)
        return replace(self, articles=articles, headlines=tuple(self.headlines[row] for row in rows))

    def item(self, row: int, subject: str) -> str:
        """12 hex digits that stand for one headline, or pair, of one article without naming its system."""
        return digest(self.identity[self.articles[row]], subject)[:12]


def make_task(
    title: str,
    articles: Sequence[str],
    systems: Sequence[str],
    headlines: Sequence[Sequence[str]],
    texts: Sequence[str] = (),
) -> EvaluationTask:
    """A task; its fingerprint does not depend on the order of articles and systems."""
    identity, copies = dict(zip(articles, articles, strict=True)), Counter[str]()
    for article, text in zip(articles, texts, strict=False):
        if article.isdigit():
            name = digest(comparison_key(text))[:16]
            identity[article] = f"{name} {copies[name]}"
            copies[name] += 1
    names, lines = {"articles": tuple(articles), "systems": tuple(systems)}, tuple(map(tuple, headlines))
    nothing = HeadlineIndex(())
    task = EvaluationTask(title=title, **names, headlines=lines, identity=identity, index=nothing)
    places = product(range(len(articles)), range(len(systems)))
    return replace(task, index=HeadlineIndex(task.key(row, system) for row, system in places))


def drawn(task: EvaluationTask, count: int, *, seed: int = 0) -> EvaluationTask:
    """So many articles, drawn by articles and seed alone: fewer articles are the first of more."""
    names = [task.identity[article] for article in task.articles]
    order = sorted(range(len(names)), key=lambda row: digest(str(seed), names[row]))
    return task.at(order[:count])


LONGEST_NAME: Final = 60  # characters of a judge's name


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ratings:
    """What j judges answered to q questions about the headlines of k systems for n articles."""

    form: EvaluationForm
    task: EvaluationTask
    judges: tuple[str, ...]  # names as they were given, all different (`judge_key`)
    values: FloatArray  # float64 [j, q, n, s] over the `subjects`; NaN where there is no answer

    @property
    def subjects(self) -> tuple[str, ...]:
        return subjects(self.form, self.task.systems)

    def counted(self) -> FloatArray:
        """The answers that tables count, float64 [j, q, n, s]: no order that lacks a place."""
        values, systems = self.values.copy(), len(self.task.systems)
        for at, question in enumerate(self.form.questions):
            if question.ranks:
                values[:, at][np.isnan(values[:, at, :, :systems]).any(axis=-1)] = np.nan
        return values

    def pooled(self, fewest: int) -> Ratings:
        """The answers that tables count, where so many judges at least gave one; no others."""
        counted = self.counted()
        given = (~np.isnan(counted)).sum(axis=0)
        return replace(self, values=np.where(given >= fewest, counted, np.nan))

    def complete(self) -> npt.NDArray[np.bool_]:
        """Where a judge answered everything about an article, bool [j, n]."""
        return np.asarray(~(np.isnan(self.values) & asked_of(self.form, self.task)).any(axis=(1, 3)))


def empty_ratings(form: EvaluationForm, task: EvaluationTask, judges: Sequence[str] = ()) -> Ratings:
    shape = (len(judges), len(form.questions), len(task.articles), len(subjects(form, task.systems)))
    return Ratings(form=form, task=task, judges=tuple(judges), values=np.full(shape, np.nan))


def differences(ratings: Ratings, question: int, first: int, second: int) -> FloatArray:
    """Points that the first system got more, as shares of the most, float64 [judges, items]."""
    counted, asks = ratings.counted()[:, question], ratings.form.questions[question]
    most = asks.most(len(ratings.task.systems)) - asks.least
    return np.asarray((counted[:, :, first] - counted[:, :, second]) / most, dtype=np.float64)


def judge_name(name: str) -> str:
    """A judge's name as it is kept: one line without hidden characters."""
    line = clean_line(name)
    if len(line) > LONGEST_NAME:
        said = f"The judge's name has {len(line):,} characters; at most {LONGEST_NAME} are kept."
        raise InputError(said, hint="Give a shorter name, or initials.")
    if not judge_key(line):
        raise InputError("The judge has no name.", hint="Give a name or initials.")
    return line


@lru_cache(maxsize=10_000)
def check_ratings(ratings: Ratings) -> Ratings:
    systems = len(ratings.task.systems)
    wanted = asked_of(ratings.form, ratings.task)
    for at, question in enumerate(ratings.form.questions):
        allowed = [level.value for level in question.allowed(systems)]
        values = ratings.values[:, at]
        wrong = ~np.isnan(values) & ~(np.isin(values, allowed) & wanted[at])
        for judge, row, place in np.argwhere(wrong)[:1].tolist():
            said = f"{_where(ratings, judge, row, question)} is {values[judge, row, place]:g}."
            hint = f"Give a whole number from {allowed[0]} to {allowed[-1]}, or leave it open."
            raise InputError(said, hint=hint)
        open_ = (np.isnan(values) & wanted[at]).any(axis=-1)
        for value in question.single(systems):
            chosen = (values[..., :systems] == value).sum(axis=-1)
            for judge, row in np.argwhere((chosen > 1) | (~open_ & (chosen != 1)))[:1].tolist():
                others = f", of the {systems} headlines" if question.ranks else ", and the others 0"
                where = _where(ratings, judge, row, question)
                said = f"{where} gives {chosen[judge, row]} headlines {value}."
                hint = f"Give one headline {' and one '.join(map(str, question.single(systems)))}{others}."
                raise InputError(said, hint=hint)
    return ratings


def _where(ratings: Ratings, judge: int, row: int, question: FormQuestion) -> str:
    article = ratings.task.articles[row][:60]
    return f"{question.label} by {ratings.judges[judge]} for the article {article!r}"
