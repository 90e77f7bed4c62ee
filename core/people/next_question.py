"""What a judge is asked next, and what is shown with it."""

import re
from collections.abc import Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.errors import InputError
from core.headlines.blinding import shuffled
from core.people.evaluation_task import EvaluationTask
from core.people.forms import Asks, EvaluationForm, FormQuestion
from core.people.ratings import Ratings, revealed, unasked
from core.text.normalise import judge_key


class Open(NamedTuple):
    """An open question about a subject; where that is None, one of several headlines gets the value."""

    question: int
    subject: int | None
    value: int | None


def next_open(form: EvaluationForm, values: FloatArray, order: Sequence[int]) -> Open | None:
    """The first open question about an article, float64 [q, s]; headlines come in the order shown."""
    # What is left out counts as answered: no question waits for it.
    values = np.where(unasked(form, values[None, :, None])[0, :, 0], 0.0, values)
    if not form.by_question:
        each = [at for at, question in enumerate(form.questions) if question.asks is Asks.EACH]
        for system, at in product(order, each):
            if np.isnan(values[at, system]):
                return Open(at, system, None)
    every = (_open(form.questions[at], at, values[at], order) for at in range(len(values)))
    return next(filter(None, every), None)


def _open(question: FormQuestion, at: int, values: FloatArray, order: Sequence[int]) -> Open | None:
    systems = len(order)
    if not question.single(systems):
        places = list(order)
        if question.about_pairs:  # as a judge goes through them: 1 and 2, 1 and 3, …
            pairs = combinations(range(systems), 2)
            place_of = {frozenset(pair): systems + number for number, pair in enumerate(pairs)}
            places = [place_of[frozenset(pair)] for pair in combinations(order, 2)]
        return next((Open(at, place, None) for place in places if np.isnan(values[place])), None)
    if not np.isnan(values[:systems]).any():
        return None
    return next((Open(at, None, value) for value in question.single(systems) if value not in values), None)


def refuse_closed(form: EvaluationForm, values: FloatArray, question: int, systems: int) -> None:
    """Refuses an answer before the article once it was shown, and one after it before that."""
    shown, before = revealed(form, values, systems), question < form.hidden
    if shown and before:
        said = "The article has been shown, so the questions before it are closed."
        raise InputError(said, hint="Go on with the questions about the article.")
    if not shown and not before:
        said = "This question comes after the article, which is not shown yet."
        raise InputError(said, hint=f"Answer the first {form.hidden} questions first.")


def shown_text(form: EvaluationForm, text: str) -> str:
    begin = re.match(rf"\s*(?:\S+\s+){{{form.words}}}(?=\S)", text) if form.words else None
    return f"{begin[0].rstrip()} […]" if begin else text


def shown_order(task: EvaluationTask, article: str, judge: str, *, seed: int = 0) -> list[int]:
    """Places of the systems as a judge sees an article's headlines: drawn for both, the same each time."""
    return shuffled(task.systems, f"{judge_key(judge)}\x1f{task.identity[article]}", seed=seed)


def sheet_for(form: EvaluationForm, ratings: Ratings, judge: str, *, even: bool = False) -> int:
    """A judge's sheet: the one begun, else, first come or evenly, one that lacks judges or answers most."""
    sheets = sheet_rows(form, ratings.task)
    given = np.asarray((~np.isnan(ratings.values)).any(axis=(1, 3)))  # [judges, articles]
    begun = np.stack([given[:, rows].any(axis=1) for rows in sheets])
    own = [judge_key(name) == judge_key(judge) for name in ratings.judges]
    if begun[:, own].any():
        return int(begun[:, own].any(axis=1).argmax())
    if even:
        return int(np.argmin([given[:, rows].sum() / max(1, len(rows)) for rows in sheets]))
    return int(np.maximum(begun.sum(axis=1), form.judges - 1).argmin())


def sheet_rows(form: EvaluationForm, task: EvaluationTask) -> list[list[int]]:
    """The places of the articles of each sheet; one sheet where everybody judges all."""
    rows = list(range(len(task.articles)))
    size = form.cases if form.judges else max(1, len(rows))
    return [rows[start : start + size] for start in range(0, len(rows), size)] or [rows]
