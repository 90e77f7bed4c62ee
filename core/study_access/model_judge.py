"""A language model as a judge of a form: blind, pairs in both orders, and held to what people answered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from typing import ClassVar, Final

import msgspec
import numpy as np

from core.arrays import FloatArray
from core.errors import InputError
from core.models.endpoints import recipe
from core.people.choices import Preferences, choices_of
from core.people.evaluation_task import EvaluationTask, shown_set
from core.people.forms import LISTED, Asks, EvaluationForm, FormQuestion, pairs_of
from core.people.ratings import Ratings, asked_of, empty_ratings, judge_name
from core.people.strengths import strengths_table
from core.results.number_forms import percent, whole
from core.results.table import WARNED, Row, Table, TableColumn
from core.runtime import Runtime
from core.statistics.bootstrap import Figure
from core.statistics.crossed import BRACKETS, crossed_mean
from core.statistics.prediction_powered import corrected_mean

FIRST, SECOND, EQUAL = "first", "second", "equal"
_TOKENS: Final = 40  # of an answer at most
_CHOICES: Final[dict[str, tuple[float, ...]]] = {FIRST: (1.0,), SECOND: (-1.0,), EQUAL: (0.0,)}
_BY_PAIRS: Final = frozenset({Asks.ONE, Asks.ORDER})  # what follows from the better of each pair
_CHOSEN: Final = _BY_PAIRS | {Asks.BETTER}
_BOTH: Final = _CHOSEN | {Asks.BEST_WORST}  # asked in both orders
_HEADS: Final = {
    **{"same": "Same in both orders %", "first_place": "First place chosen %"},
    **{"repeated": "Same when repeated %", "own": "Own headline preferred %"},
    **{"own_more": "More often than by people %", "people": "Model and people agree %"},
    "among_people": "People agree %",
}


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
    """What a model answered to the questions of a form, k times."""

    ratings: Ratings  # of one judge; NaN where it gave no answer more than half of the times in both orders
    straight: FloatArray  # of its answers with the headlines in their order, float64 [k, q, n, s]
    turned: FloatArray  # to the other order, turned back, [k, q, n, s]; NaN where not asked
    signature: str

    @property
    def agreed(self) -> FloatArray:
        """What it answered more than half of the times in both orders, [q, n, s]; NaN for nothing."""
        both = np.array([question.asks in _BOTH for question in self.ratings.form.questions])[:, None, None]
        values = np.where(~both | (self.straight == self.turned), self.straight, np.nan)
        alike = (values[:, None] == values[None]).sum(axis=0)
        chosen = np.take_along_axis(values, alike.argmax(axis=0)[None], axis=0)[0]
        return np.where(2 * alike.max(axis=0) > len(values), chosen, np.nan)

    def orders(self) -> list[Table]:
        """A table for each question by which pairs were compared: the systems, the strongest first."""
        tables, systems = list[Table](), self.ratings.task.systems
        pairs, agreed = np.array(pairs_of(systems), dtype=np.int64).reshape(-1, 2), self.agreed
        for question, values in zip(self.ratings.form.questions, agreed[..., len(systems) :], strict=True):
            if question.asks is Asks.BEST_WORST:
                choices = choices_of(self.ratings, question)
            else:
                rows, at = np.nonzero(np.isfinite(values) & (question.asks in _CHOSEN))
                (first, second), chosen = pairs[at].T, values[rows, at].astype(np.int64)
                choices = Preferences(tuple(systems), first, second, chosen, rows, 0 * rows, placed=False)
            if len(choices):
                title = f"{question.label}: the order by {self.ratings.judges[0]}"
                tables.append(replace(strengths_table(choices), title=title))
        return tables


def judge(
    task: EvaluationTask,
    form: EvaluationForm,
    texts: Sequence[str],
    by: EndpointJudge,
    runtime: Runtime,
    *,
    times: int = 1,
) -> Judged:
    """Asks a model about headlines, pairs, the best and the worst, `times` over with a seed each.

    One of all headlines, and their order, follow from its choices between two, where these have no circle.
    """
    shown = [_shown(form, task, at) for at in range(len(form.questions))]
    if not any(shown):
        hint = "Give headlines of two systems or more."
        raise InputError(f"{form.title} asks nothing that a model answers here.", hint=hint)
    ratings = empty_ratings(form, task, [judge_name(by.model)])
    every = len(task.systems) + len(pairs_of(task.systems))
    straight, turned = (np.full((times, *ratings.values.shape[1:3], every), np.nan) for _ in range(2))
    for turn, (at, items) in product(range(times), enumerate(shown)):
        asks = form.questions[at].asks
        ways = [(straight, 1, 1)] + [(turned, -1, -1 if asks in _CHOSEN else 1)] * (asks in _BOTH)
        given = [
            _given(form, at, texts[row], [task.headlines[row][system] for system in systems[::way]])
            for _, way, _ in ways
            for row, _, systems in items
        ]
        most = max((len(systems) for _, _, systems in items), default=0)
        schema = recipe.object_of(answer={"type": "string", "enum": list(_levels(form.questions[at], most))})
        how = {"tokens": _TOKENS, "schema": schema, "seed": by.seed + turn}
        answers = iter(by.ask(given, runtime, **how) if given else [])
        for into, way, sign in ways:
            for row, places, systems in items:
                read = recipe.parsed(next(answers).text, _Answer)
                levels = _levels(form.questions[at], len(systems))
                if read is not None and read.answer in levels:
                    into[turn, at, row, places] = np.multiply(sign, levels[read.answer][::way])
    asked = f"endpoint|address:{by.address}|model:{by.model}|temperature:{by.temperature}|seed:{by.seed}"
    parts = [f"form:{form.name}", f"headlines:{task.fingerprint}", asked, f"times:{times}"]
    signature = " · ".join([*parts, *recipe.answers_signature(runtime, by)])
    judged = Judged(ratings, straight, turned, signature)
    agreed = judged.agreed
    ratings.values[0] = agreed[..., : ratings.values.shape[-1]]
    wanted = asked_of(form, task)
    for at, question in enumerate(form.questions):
        if question.asks is Asks.BEST_WORST:  # a best without a worst, or none of both, is no answer
            chosen = np.where(wanted[at], ratings.values[0, at], 0)
            complete = (np.abs(chosen).sum(axis=-1) == 2) & (chosen.sum(axis=-1) == 0)
            ratings.values[0, at, ~complete] = np.nan
        elif question.asks in _BY_PAIRS:
            ratings.values[0, at] = np.nan
            ratings.values[0, at, :, : len(task.systems)] = _ranked(agreed[at], task.systems, question.asks)
    return judged


def _ranked(values: FloatArray, systems: Sequence[str], asks: Asks) -> FloatArray:
    """The order of all headlines, or the one best, by the better of each pair; NaN where there is none."""
    won = np.ones((len(values), len(systems)))
    for at, (left, right) in enumerate(pairs_of(systems), len(systems)):
        won[:, left] += values[:, at] == 1
        won[:, right] += values[:, at] == -1
    # The one best wins against all others; in an order each number of wins stands once.
    best = won == len(systems)
    whole = (np.sort(won) == np.arange(len(systems)) + 1).all(axis=1)
    given, clear = (won, whole) if asks is Asks.ORDER else (best, best.any(axis=1))
    return np.where(clear[:, None], given, np.nan)


def _shown(form: EvaluationForm, task: EvaluationTask, at: int) -> list[tuple[int, list[int], list[int]]]:
    """What is asked at once: a row, the places that an answer is about, and the systems shown, in order."""
    question, wanted, systems = form.questions[at], asked_of(form, task)[at], task.systems
    if question.gives not in LISTED or question.when:
        return []
    if question.asks in _BY_PAIRS:
        wanted = np.tile([False] * len(systems) + [True] * len(pairs_of(systems)), (len(wanted), 1))
    if question.asks is not Asks.BEST_WORST:
        pairs = [[place] for place in range(len(systems))] + [list(pair) for pair in pairs_of(systems)]
        return [(row, [place], pairs[place]) for row, place in np.argwhere(wanted).tolist()]
    sets = [
        shown_set([systems[place] for place in np.flatnonzero(asked)], task.identity[article])
        for asked, article in zip(wanted, task.articles, strict=True)
    ]
    places = [[systems.index(name) for name in names] for names in sets]
    return [(row, own, own) for row, own in enumerate(places) if len(own) > 1]


def _given(form: EvaluationForm, at: int, text: str, headlines: Sequence[str]) -> dict[str, str]:
    question = form.questions[at]
    words = text.split()[: form.words] if form.words else text.split()
    names = ["The first", "The second"] if len(headlines) > 1 else ["Headline"]
    if question.asks is Asks.BEST_WORST:
        names = [f"Headline {number + 1}" for number in range(len(headlines))]
    return {
        "question": f"{question.best if question.ranks else question.text} {question.help}".strip(),
        "article": "" if at < form.hidden else f"Article: {' '.join(words)}",
        "headlines": "\n".join(f"{name}: {line}" for name, line in zip(names, headlines, strict=True)),
        "answers": ", ".join(_levels(question, len(headlines))),
    }


def _levels(question: FormQuestion, shown: int) -> dict[str, tuple[float, ...]]:
    """The answers about so many headlines, and what each gives their places."""
    if question.asks in _CHOSEN:
        return _CHOICES
    if question.asks is Asks.BEST_WORST:
        chosen = permutations(np.eye(shown), 2)
        return {f"best {one.argmax() + 1} worst {two.argmax() + 1}": tuple(one - two) for one, two in chosen}
    allowed = question.allowed(shown)
    return {f"{each.value} {each.wording}".strip(): (float(each.value),) for each in allowed}


def judge_table(judged: Judged, people: Ratings | None = None, own: Collection[str] = ()) -> Table:
    """A question a row: how far a model agrees with itself, with people, and likes what it wrote (`own`)."""
    ratings, rows, heads = judged.ratings, list[Row](), {"Question": "question"}
    heads |= {"Asked": "asked", "Unread": "unread"}
    for at, question in enumerate(ratings.form.questions):
        if not (items := _shown(ratings.form, ratings.task, at)):
            continue
        straight, turned = judged.straight[:, at], judged.turned[:, at]
        two, sets = question.asks in _BOTH, question.asks is Asks.BEST_WORST
        orders = [straight, turned] if two else [straight]
        asked, firsts, lasts = np.array([(row, own[0], own[-1]) for row, own, _ in items]).T
        unread = sum(int(np.isnan(order[:, asked, firsts]).sum()) for order in orders)
        found: dict[str, Figure] = {"same": _share(_equal(straight, turned, sets))}
        # A choice for the place shown first: 1 straight, −1 turned back; ties choose no place.
        first = np.concatenate([straight, -turned])
        if sets:
            first = np.concatenate([straight[:, asked, firsts], turned[:, asked, lasts]])[..., None]
        first = np.where(np.isnan(first) | ((first == 0) & (not sets)), np.nan, first > 0)
        found["first_place"] = _share(first if two else np.full_like(first, np.nan))
        if len(straight) > 1:
            twice = [_equal(*pair, sets) for order in orders for pair in combinations(order[:, None], 2)]
            found["repeated"] = _share(np.concatenate(twice))
        values = ratings.values[:, at]
        mine = _own_preferred(values, question, ratings.task.systems, own)
        if own:
            found["own"] = _mean(mine)
        if people is not None:
            said = people.counted()[:, at]
            if own:
                by_people = _own_preferred(said, question, ratings.task.systems, own)
                found["own_more"] = _mean(mine - by_people, lowest=-1.0)
            found["people"] = _mean(_of_articles(_equal(values, said)))
            others = (_equal(each, np.delete(said, place, axis=0)) for place, each in enumerate(said))
            found["among_people"] = _mean(np.concatenate([_flat(each) for each in others]))
        rows.append((question.label, len(items) * len(orders) * len(straight), unread, *found.values()))
        heads |= {_HEADS[key]: key for key in found}
    return _table(
        judged,
        f"{ratings.judges[0]} as a judge",
        heads,
        rows,
        "An answer that changes with the order of headlines is no answer. 50 % of the choices for the "
        f"headline shown first, 25 % of four, would be no preference for a place. {BRACKETS}",
    )


def corrected_table(judged: Judged, people: Ratings) -> Table:
    """A headline or pair a row: its mean by people, and by the model's answers as people correct them."""
    ratings, rows = judged.ratings, list[Row]()
    for at, question in enumerate(ratings.form.questions):
        low, *_, high = (level.value for level in question.allowed(len(ratings.task.systems)))
        given = (values[:, at].transpose(1, 2, 0) for values in (people.counted(), ratings.values))
        said, model = ((_of_articles(each) - low) / (high - low) for each in given)
        for place in question.places(len(ratings.task.systems)):
            known = (int(np.isfinite(each[:, place]).sum()) for each in (said, model))
            found = corrected_mean(said[:, place], model[:, place], unit="articles")
            rows.append((question.label, ratings.subjects[place], *known, *found))
    heads = {"Question": "question", "Of": "subject", "Articles by people": "by_people"}
    heads |= {"By the model": "by_model", "People alone %": "people", "Corrected %": "corrected"}
    return _table(
        judged,
        f"People's answers, and those of {ratings.judges[0]} as people correct them",
        {**heads, "As good as articles by people": "worth"},
        rows,
        "0 % is the lowest answer, 100 % the highest. Brackets: 95 % intervals that hold for other articles, "
        "if chance chose those that people answered.",
    )


def _table(judged: Judged, title: str, heads: Mapping[str, str], rows: Sequence[Row], note: str) -> Table:
    columns = (
        TableColumn(name, key=key, form=percent(), parts=WARNED)
        if name.endswith("%")
        else TableColumn(name, key=key, form=whole)
        for name, key in heads.items()
    )
    signed = (("judge", judged.signature),)
    return Table(columns=tuple(columns), rows=tuple(rows), title=title, notes=(note,), signatures=signed)


def _own_preferred(
    values: FloatArray, question: FormQuestion, systems: Sequence[str], own: Collection[str]
) -> FloatArray:
    """How often one's own headline is put above another, ties half, [j, n, s] to [j, n]; NaN for neither."""
    points = [np.full(values.shape[:2], np.nan)]
    for place, (left, right) in enumerate(pairs_of(systems), start=len(systems)):
        if (systems[left] in own) != (systems[right] in own) and question.asks is not Asks.PAIRS:
            better = question.asks is Asks.BETTER
            gap = values[..., place] if better else np.sign(values[..., left] - values[..., right])
            points.append((1 + (gap if systems[left] in own else -gap)) / 2)
    return _of_articles(np.stack(points, axis=-1))


def _equal(one: FloatArray, other: FloatArray, sets: bool = False) -> FloatArray:
    """1 where answers are equal, NaN where one is none; of sets, where all of one article are."""
    same = np.where(np.isnan(one) | np.isnan(other), np.nan, one == other)
    if not sets:
        return same
    none = np.isnan(same).all(axis=-1, keepdims=True)
    return np.where(none, np.nan, np.where(np.isnan(same), 1.0, same).min(axis=-1, keepdims=True))


def _share(points: FloatArray) -> Figure:
    return _mean(_flat(points))


def _flat(points: FloatArray) -> FloatArray:
    """Means of answers [times, articles, places] over times and places, [1, articles]."""
    return _of_articles(points.transpose(1, 2, 0).reshape(1, points.shape[1], -1))


def _mean(points: FloatArray, lowest: float = 0.0) -> Figure:
    """The mean of points [judges, articles], with an interval over both."""
    return crossed_mean(points, unit="articles", lowest=lowest, reason="there is no answer")


def _of_articles(points: FloatArray) -> FloatArray:
    known = ~np.isnan(points)
    count = known.sum(axis=-1)
    return np.where(count, np.nansum(points, axis=-1) / np.maximum(count, 1), np.nan)
