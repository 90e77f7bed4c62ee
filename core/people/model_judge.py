"""A language model as a judge of a form: blind, pairs in both orders, and held to what people answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import msgspec
import numpy as np

from core.arrays import FloatArray
from core.errors import InputError
from core.models.endpoints import recipe
from core.people.evaluation_task import EvaluationTask
from core.people.forms import Asks, EvaluationForm, FormQuestion, pairs_of
from core.people.ratings import Ratings, asked_of, empty_ratings, judge_name
from core.results.number_forms import percent
from core.results.table import WARNED, Row, Table, TableColumn
from core.runtime import Runtime
from core.statistics.bootstrap import Figure
from core.statistics.crossed import BRACKETS, crossed_mean

FIRST, SECOND, EQUAL = "first", "second", "equal"
_TOKENS: Final = 40  # of an answer at most
_CHOICES: Final = {FIRST: 1.0, SECOND: -1.0, EQUAL: 0.0}
_ANSWERED: Final = frozenset({Asks.BETTER, Asks.EACH, Asks.PAIRS})


class _Answer(msgspec.Struct):
    answer: str


@dataclass(frozen=True, kw_only=True, slots=True)
class EndpointJudge(recipe.EndpointModel):
    """A language model at an address that answers the questions of a form; it is told no system.

    Source: Zheng et al. 2023, "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena", for both orders.
    """

    holds: ClassVar[tuple[str, ...]] = ("question", "article", "headlines", "answers")
    what: ClassVar[str] = "Articles and headlines"
    usual_prompt: ClassVar[str] = "judge.v1"


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What a model answered to the questions of a form."""

    ratings: Ratings  # of one judge; NaN where its answer was none, or another in the other order
    straight: FloatArray  # of its answers with the headlines in their order, float64 [q, n, s]
    turned: FloatArray  # to a pair in the other order, turned back, [q, n, s]; NaN where not asked
    signature: str


def judge(
    task: EvaluationTask, form: EvaluationForm, texts: Sequence[str], by: EndpointJudge, runtime: Runtime
) -> Judged:
    """Asks a model all questions of a form about single headlines and pairs; others stay without answers."""
    places = [
        (at, row, place)
        for at, row, place in np.argwhere(asked_of(form, task)).tolist()
        if form.questions[at].asks in _ANSWERED
    ]
    if not places:
        hint = "Choose one with questions about each headline, each pair, or the better one of a pair."
        raise InputError(f"{form.title} asks nothing that a model answers here.", hint=hint)
    systems = len(task.systems)
    pairs = [(place,) for place in range(systems)] + pairs_of(task.systems)
    straight, turned = (
        np.full_like(empty_ratings(form, task, [by.model]).values[0], np.nan) for _ in range(2)
    )
    for at, question in enumerate(form.questions):
        own = [(row, place) for asked, row, place in places if asked == at]
        ways = [(straight, 1)] + [(turned, -1)] * (question.asks is Asks.BETTER)
        given = [
            _given(form, at, texts[row], [task.headlines[row][system] for system in pairs[place][::way]])
            for _, way in ways
            for row, place in own
        ]
        levels = _levels(question, systems)
        answers = by.ask(given, runtime, tokens=_TOKENS, schema=_schema(levels)) if given else []
        read = (recipe.parsed(answer.text, _Answer) for answer in answers)
        values = [np.nan if each is None else levels.get(each.answer, np.nan) for each in read]
        for number, (into, way) in enumerate(ways):
            for (row, place), value in zip(own, values[number * len(own) :], strict=False):
                into[at, row, place] = way * value
    ratings = empty_ratings(form, task, [judge_name(by.model)])
    both = np.array([question.asks is Asks.BETTER for question in form.questions])[:, None, None]
    ratings.values[0] = np.where(~both | (straight == turned), straight, np.nan)
    asked = f"endpoint|address:{by.address}|model:{by.model}|temperature:{by.temperature}|seed:{by.seed}"
    parts = [f"form:{form.name}", f"headlines:{task.fingerprint}", asked]
    return Judged(ratings, straight, turned, " · ".join([*parts, *recipe.answers_signature(runtime, by)]))


def _given(form: EvaluationForm, at: int, text: str, headlines: Sequence[str]) -> dict[str, str]:
    question = form.questions[at]
    words = text.split()[: form.words] if form.words else text.split()
    names = ("The first", "The second") if len(headlines) > 1 else ("Headline",)
    return {
        "question": f"{question.text} {question.help}".strip(),
        "article": "" if at < form.hidden else f"Article: {' '.join(words)}",
        "headlines": "\n".join(f"{name}: {line}" for name, line in zip(names, headlines, strict=True)),
        "answers": ", ".join(_levels(question, 2)),
    }


def _levels(question: FormQuestion, systems: int) -> dict[str, float]:
    if question.asks is Asks.BETTER:
        return _CHOICES
    return {f"{each.value} {each.wording}".strip(): float(each.value) for each in question.allowed(systems)}


def _schema(levels: dict[str, float]) -> dict[str, object]:
    return recipe.object_of(answer={"type": "string", "enum": list(levels)})


def judge_table(judged: Judged, people: Ratings | None = None) -> Table:
    """A question a row: how much of a model's answers its place decides, and how far people agree with it."""
    ratings, rows = judged.ratings, list[Row]()
    wanted = asked_of(ratings.form, ratings.task)
    for at, question in enumerate(ratings.form.questions):
        if question.asks not in _ANSWERED:
            continue
        straight, turned = judged.straight[at], judged.turned[at]
        asked, two = wanted[at], question.asks is Asks.BETTER
        unread = (np.isnan(straight) & asked).sum() + (np.isnan(turned) & asked).sum() * two
        same = np.where(np.isnan(straight) | np.isnan(turned), np.nan, straight == turned)
        # A choice for the place shown first: 1 straight, −1 turned back; ties choose no place.
        first = np.concatenate([straight, -turned], axis=-1)
        first = np.where(np.isnan(first) | (first == 0), np.nan, first > 0)
        none = Figure(None, "it is asked in one order")
        figures = [_share(same[None]), _share(first[None])] if two else [none, none]
        own = ratings.values[0, at]
        figures += [*_agreement(own, people.counted()[:, at])] if people is not None else []
        rows.append((question.label, int(asked.sum()) * (1 + two), int(unread), *figures))
    shares = [("Same in both orders", "same"), ("First place chosen", "first_place")]
    shares += [("Model and people agree", "people"), ("People agree", "among_people")] if people else []
    return Table(
        columns=(
            TableColumn("Question", key="question"),
            TableColumn("Asked", key="asked"),
            TableColumn("Unread", key="unread"),
            *(TableColumn(f"{name} %", key=key, form=percent(), parts=WARNED) for name, key in shares),
        ),
        rows=tuple(rows),
        title=f"{ratings.judges[0]} as a judge",
        notes=(
            "An answer that changes with the order of two headlines is no answer. 50 % of the choices for "
            f"the headline shown first would be no preference for a place. {BRACKETS}",
        ),
        signatures=(("judge", judged.signature),),
    )


def _share(points: FloatArray) -> Figure:
    """The mean of answers [judges, articles, places], with an interval over articles."""
    return crossed_mean(_of_articles(points), unit="articles", lowest=0.0, reason="there is no answer")


def _of_articles(points: FloatArray) -> FloatArray:
    known = ~np.isnan(points)
    count = known.sum(axis=-1)
    return np.where(count, np.nansum(points, axis=-1) / np.maximum(count, 1), np.nan)


def _agreement(own: FloatArray, people: FloatArray) -> tuple[Figure, Figure]:
    """How often each person answers as the model, and as each other person; [n, s] and [j, n, s]."""

    def equal(one: FloatArray, other: FloatArray) -> FloatArray:
        return np.where(np.isnan(one) | np.isnan(other), np.nan, one == other)

    others = [
        _of_articles(
            equal(people[at], np.delete(people, at, axis=0)).transpose(1, 2, 0).reshape(len(own), -1)
        )
        for at in range(len(people))
    ]
    among = crossed_mean(np.array(others), unit="articles", lowest=0.0, reason="one person answered")
    return _share(equal(own[None], people)), among
