"""Which question about an article is open, which are closed, and when the article may be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.arrays import FloatArray
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.errors import InputError
from core.headlines.extractive import has_unknown_word
from core.headlines.side_by_side.votes import shuffled
from core.people.form import YES, Asks, EvaluationForm, FormQuestion, revealed
from core.people.ratings import EvaluationTask, Ratings, judge_key, make_task


@dataclass(frozen=True, slots=True)
class Open:
    """An open question about a subject; where that is None, one of several headlines gets the value."""

    question: int
    subject: int | None
    value: int | None


def next_open(form: EvaluationForm, values: FloatArray, order: Sequence[int]) -> Open | None:
    """The first open question about an article, whose answers are float64 [q, s]; None without any.

    Headlines are asked about in the order in which they are shown. A form that goes by question asks one
    about all headlines before the next; another asks all about a headline before the next headline, and then
    what is about several.
    """
    each = [at for at, question in enumerate(form.questions) if question.asks is Asks.EACH]
    if not form.by_question:
        for system in order:
            for at in each:
                if np.isnan(values[at, system]):
                    return Open(at, system, None)
    for at, question in enumerate(form.questions):
        found = _open(question, at, values[at], order)
        if found is not None:
            return found
    return None


def _open(question: FormQuestion, at: int, values: FloatArray, order: Sequence[int]) -> Open | None:
    systems = len(order)
    if question.asks in (Asks.EACH, Asks.PAIRS, Asks.BETTER):
        places = pair_places(order) if question.about_pairs else order
        return next((Open(at, place, None) for place in places if np.isnan(values[place])), None)
    if not np.isnan(values[:systems]).any():
        return None
    if question.asks is Asks.ONE:
        return Open(at, None, YES)
    free = {level.value for level in question.allowed(systems)} - set(values[:systems].tolist())
    return Open(at, None, max(free))


def pair_places(order: Sequence[int]) -> list[int]:
    """Places of the pairs among the subjects, as a judge goes through them: 1 and 2, 1 and 3, …"""
    pairs = combinations(range(len(order)), 2)
    places = {frozenset(pair): len(order) + at for at, pair in enumerate(pairs)}
    return [places[frozenset(pair)] for pair in combinations(order, 2)]


def refuse_closed(form: EvaluationForm, values: FloatArray, question: int, systems: int) -> None:
    """Refuses an answer before the article once it was shown, and one after it before that."""
    shown = revealed(form, values, systems)
    if form.hidden and shown and question < form.hidden:
        raise InputError(
            "The article has been shown, so the questions before it are closed.",
            hint="Go on with the questions about the article.",
        )
    if not shown and question >= form.hidden:
        raise InputError(
            "This question comes after the article, which is not shown yet.",
            hint=f"Answer the first {form.hidden} questions first.",
        )


def shown_text(form: EvaluationForm, text: str) -> str:
    """The article as the form shows it: whole, or cut after so many words."""
    words = text.split()
    if not form.words or len(words) <= form.words:
        return text
    kept: list[str] = []
    left = form.words
    for line in text.splitlines():
        own = line.split()
        kept.append(" ".join(own[:left]))
        left -= len(own)
        if left <= 0:
            break
    return "\n".join(kept) + " […]"


@dataclass(frozen=True, slots=True, eq=False)
class Judgeable:
    """The articles that can be judged, their rows, and how many were left out.

    `unknown` of them have a headline with a sign for an unknown word, such as <UNK>.
    """

    task: EvaluationTask
    rows: tuple[int, ...]
    left_out: int
    unknown: int


def judgeable(title: str, articles: Articles, outputs: Sequence[Outputs]) -> Judgeable:
    """The articles on which all systems can be compared.

    A sign for an unknown word would say which headline a program wrote, and be too odd to be judged: such
    articles are left out, as by Cafagna et al. 2019.
    """
    lines = (
        list(zip(*(output.headlines for output in outputs), strict=True)) if outputs else [()] * len(articles)
    )
    whole = [
        row
        for row, (text, headlines) in enumerate(zip(articles.texts, lines, strict=True))
        if text.strip() and headlines and all(line.strip() for line in headlines)
    ]
    rows = tuple(row for row in whole if not any(map(has_unknown_word, lines[row])))
    task = make_task(
        title,
        [articles.ids[row] for row in rows],
        [output.system for output in outputs],
        [lines[row] for row in rows],
        [articles.texts[row] for row in rows],
    )
    return Judgeable(task, rows, len(articles) - len(rows), len(whole) - len(rows))


def shown_order(task: EvaluationTask, article: str, judge: str, *, seed: int = 0) -> list[int]:
    """Places of the systems in the order in which a judge sees an article's headlines.

    It is drawn anew for every article and judge, and the same each time.
    """
    return shuffled(task.systems, f"{judge_key(judge)}\x1f{task.identity[article]}", seed=seed)


def sheet_rows(form: EvaluationForm, task: EvaluationTask) -> list[list[int]]:
    """The places of the articles of each sheet: so many cases each, the last with what is left.

    One sheet with all articles where everybody judges all.
    """
    rows = list(range(len(task.articles)))
    if not form.judges:
        return [rows]
    return [rows[start : start + form.cases] for start in range(0, len(rows), form.cases)] or [rows]


def judges_of(ratings: Ratings, sheets: Sequence[Sequence[int]]) -> list[int]:
    """How many judges have begun each sheet."""
    begun = np.asarray((~np.isnan(ratings.values)).any(axis=(1, 3)))
    return [int(begun[:, list(rows)].any(axis=1).sum()) for rows in sheets]


def sheet_for(form: EvaluationForm, ratings: Ratings, judge: str) -> int:
    """The sheet of a judge, from 0: the one that was begun, else the first that lacks judges.

    Where all have enough, the one with fewest. Two who sit down at the same moment may get one sheet, which
    then has a judge too many.
    """
    sheets = sheet_rows(form, ratings.task)
    keys = [judge_key(name) for name in ratings.judges]
    if judge_key(judge) in keys:
        given = ~np.isnan(ratings.values[keys.index(judge_key(judge))])
        begun = [at for at, rows in enumerate(sheets) if given[:, rows].any()]
        if begun:
            return begun[0]
    counts = judges_of(ratings, sheets)
    lacking = [at for at, count in enumerate(counts) if count < form.judges]
    return lacking[0] if lacking else int(np.argmin(counts))
