"""Answers as tables: written for others, laid out blind for a spreadsheet, and read back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product
from operator import itemgetter
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from core.data.timelines import raw
from core.data.timelines.raw import listing
from core.errors import InputError
from core.people.exchange import ITEM, PERSON, TEXT, AnswerTable, make_answers, read_answers
from core.people.ratings import (
    BETWEEN,
    Asks,
    EvaluationForm,
    EvaluationTask,
    FormQuestion,
    Order,
    Ratings,
    asked_of,
    check_ratings,
    empty_ratings,
    judge_key,
    judge_name,
    make_task,
    pairs_of,
    subjects,
)
from core.results.render import delimited, restored
from core.text.normalise import clean_line

if TYPE_CHECKING:
    import pandas as pd

JUDGE, ARTICLE, SYSTEM, HEADLINE = "judge", "article", "system", "headline"
SHOWN_FIRST: Final = "shown_first"
TEXT_CHARACTERS: Final = 30_000  # of an article in a cell at most; a spreadsheet's cell ends at 32,767

_LISTED: Final = 3


def ratings_csv(ratings: Ratings, order: Order | None = None) -> str:
    """One line a judge, article and system, or pair of systems; without an answer the cell is empty."""
    questions, task = ratings.form.questions, ratings.task
    rows: list[list[str]] = [[JUDGE, ARTICLE, SYSTEM, HEADLINE, *(question.key for question in questions)]]
    rows[0] += [SHOWN_FIRST] if order is not None else []
    pairs = [(), *pairs_of(task.systems)]
    wanted = np.asarray(asked_of(ratings.form, task).any(axis=0))  # [n, subjects]
    for judge, name in enumerate(ratings.judges):
        for row, article in enumerate(task.articles):
            lines = _lines(ratings.form, task, row)
            for place in np.flatnonzero(wanted[row]).tolist():
                texts = (name, article, ratings.subjects[place], lines[place])
                rows.append([*texts, *map(_cell, ratings.values[judge, :, row, place].tolist())])
                if order is not None:
                    pair = pairs[max(0, place - len(task.systems) + 1)]
                    first = min(pair, key=list(order(name, article)).index, default=None)
                    rows[-1].append("" if first is None else task.systems[first])
    return delimited(rows)


def template_csv(
    ratings: Ratings, texts: Sequence[str], orders: Sequence[Sequence[int]], shown: Sequence[bool] = ()
) -> str:
    """A table to be filled in by one judge: no system is named, and the headlines of an article are mixed."""
    form, task, systems = ratings.form, ratings.task, len(ratings.task.systems)
    if any(question.asks is Asks.BETTER for question in form.questions):
        raise InputError(
            "This form asks which of two headlines is better, each time in an order of its own.",
            hint="Answer it on the page.",
        )
    heads = [_asked(question, systems) for question in form.questions]
    lines: list[list[str]] = [[JUDGE, ITEM, ARTICLE, TEXT, HEADLINE, *heads]]
    wanted = np.asarray(asked_of(form, task).any(axis=0))
    for row, order in enumerate(orders):
        open_ = not shown or shown[row]
        headlines = _lines(form, task, row)
        places = [place for place in (*order, *range(systems, len(ratings.subjects))) if wanted[row, place]]
        for first, place in enumerate(places):
            given = (
                ratings.judges[0],
                task.item(row, ratings.subjects[place]),
                task.articles[row],
                " ".join(texts[row].split())[:TEXT_CHARACTERS] if first == 0 and open_ else "",
                headlines[place],
            )
            lines.append([*given, *map(_cell, ratings.values[0, :, row, place].tolist())])
    return delimited(lines)


def rating_answers(ratings: Ratings) -> AnswerTable:
    """The answers as other tools have them, a row a judge and headline (or pair) with an answer."""
    form, task, rows = ratings.form, ratings.task, []
    for judge, article, place in np.argwhere(~np.isnan(ratings.values).all(axis=1)).tolist():
        facts = {ARTICLE: task.articles[article], SYSTEM: ratings.subjects[place]}
        cells = map(_cell, ratings.values[judge, :, article, place].tolist())
        answers = {question.key: cell for question, cell in zip(form.questions, cells, strict=True) if cell}
        rows.append(_answered(ratings, article, place) | facts | {PERSON: ratings.judges[judge]} | answers)
    return make_answers(rows, _choices(ratings))


def rating_tasks(ratings: Ratings, texts: Sequence[str]) -> AnswerTable:
    """What is judged, for other tools: no system is named, and the headlines of an article are mixed."""
    wanted = np.asarray(asked_of(ratings.form, ratings.task).any(axis=0))
    rows = []
    for article, text in enumerate(texts):
        own = [_answered(ratings, article, place) for place in np.flatnonzero(wanted[article]).tolist()]
        for row in sorted(own, key=itemgetter(ITEM)):
            rows.append({**row, TEXT: f"{row[HEADLINE]}\n\n{text}"})
    return make_answers(rows, _choices(ratings))


def _answered(ratings: Ratings, article: int, place: int) -> dict[str, str]:
    line = _lines(ratings.form, ratings.task, article)[place]
    item = ratings.task.item(article, ratings.subjects[place])
    return {ITEM: item, TEXT: line, HEADLINE: line}


def _choices(ratings: Ratings) -> dict[str, list[str]]:
    systems = len(ratings.task.systems)
    return {
        question.key: [str(level.value) for level in question.allowed(systems)]
        for question in ratings.form.questions
    }


def _lines(form: EvaluationForm, task: EvaluationTask, row: int) -> list[str]:
    own = task.headlines[row]
    pairs = pairs_of(task.systems) if len(subjects(form, task.systems)) > len(own) else []
    return [*own, *(f"{own[left]}{BETWEEN}{own[right]}" for left, right in pairs)]


def read_ratings(
    data: bytes, filename: str, form: EvaluationForm, task: EvaluationTask | None = None
) -> Ratings:
    """Answers from a table, all of them or none (docs/evaluation.md#in-a-spreadsheet)."""
    filename = filename[:80]
    rows = _read(data, filename, form)
    known = _task_of(rows, filename) if task is None else task
    judges = {judge_key(row.judge): row.judge for row in reversed(rows)}
    keys = list(dict.fromkeys(judge_key(row.judge) for row in rows))
    ratings = empty_ratings(form, known, [judges[key] for key in keys])
    taken: dict[tuple[int, int, int], int] = {}
    for row, (article, subject) in zip(rows, _headlines(rows, filename, form, known), strict=True):
        at = keys.index(judge_key(row.judge))
        before = taken.setdefault((at, article, subject), row.number)
        if before != row.number:
            raise InputError(
                f"Row {row.number:,} of {filename} is about the same headline by the same judge as row "
                f"{before:,}.",
                hint="Take one of them out; nothing was loaded.",
            )
        ratings.values[at, :, article, subject] = row.answers
    return check_ratings(ratings)


class _Row(NamedTuple):
    number: int
    judge: str
    item: str
    article: str
    system: str
    headline: str
    answers: list[float]


def _read(data: bytes, filename: str, form: EvaluationForm) -> list[_Row]:
    read = read_answers(data, filename)
    cells = read.cells.rename(columns={PERSON: JUDGE}) if read.questions else read.cells
    if len(read.questions) == len(form.questions) == 1:  # whatever it is called there
        cells = cells.rename(columns={read.question(filename): form.questions[0].key})
    keys = raw.by_key(cells.columns)
    named = {name: _texts(cells, keys.get(name)) for name in (ITEM, ARTICLE, SYSTEM, HEADLINE)}
    known = [question.key for question in form.questions]
    questions = [_column(keys, question, known) for question in form.questions]
    if not any(questions):
        raise InputError(
            f"{filename} has no column with answers; they should be called "
            f"{', '.join(question.key for question in form.questions)}.",
            hint=f"It has {listing(cells.columns)}; rename those with the answers.",
        )
    if ITEM not in keys and not {ARTICLE, SYSTEM} <= keys.keys():
        raise InputError(
            f"{filename} does not say which headlines are judged.",
            hint="It needs the column item of a template, or the columns article and system.",
        )
    stem = PurePath(filename).name.partition(".")[0]
    judges = _texts(cells, keys[JUDGE]) if JUDGE in keys else [stem] * len(cells)
    rows = [row for row in range(len(cells)) if any(values[row] for values in named.values())]
    if not rows:
        raise InputError(f"{filename} holds no answers.", hint="Give a table with one headline a row.")
    for row in rows:
        if not judges[row]:
            raise InputError(
                f"Row {row + 1:,} of {filename} has no judge.",
                hint="Write a name or initials into every row.",
            )
    answers = [
        [
            _answer(cells[name].iloc[row] if name else "", row, name, filename, question)
            for name, question in zip(questions, form.questions, strict=True)
        ]
        for row in range(len(cells))
    ]
    lines = list(zip(*named.values(), answers, strict=True))
    return [_Row(row + 1, judge_name(judges[row]), *lines[row]) for row in rows]


def _headlines(
    rows: Sequence[_Row], filename: str, form: EvaluationForm, task: EvaluationTask
) -> list[tuple[int, int]]:
    known = subjects(form, task.systems)
    items: dict[str, tuple[int, int]] = {}
    named: dict[tuple[str, str], tuple[int, int]] = {}
    for place in product(range(len(task.articles)), range(len(known))):
        items[task.item(place[0], known[place[1]])] = place
        named[clean_line(task.articles[place[0]]), clean_line(known[place[1]])] = place
    places = []
    for row in rows:
        by_name = row.article and row.system
        at = named.get((row.article, row.system)) if by_name else items.get(row.item.casefold())
        if at is None:
            raise InputError(
                f"Row {row.number:,} of {filename} is about a headline that is not judged here.",
                hint="Open the articles and systems that the file was made for.",
            )
        headline = clean_line(_lines(form, task, at[0])[at[1]])
        if headline and row.headline and headline != row.headline:
            raise InputError(
                f"Row {row.number:,} of {filename} holds another headline than is judged here.",
                hint="Open the headlines that the file was made for.",
            )
        places.append(at)
    return places


def _task_of(rows: Sequence[_Row], filename: str) -> EvaluationTask:
    if not all(row.article and row.system for row in rows):
        raise InputError(
            f"{filename} does not name the systems, as a blind template does not.",
            hint="Read it under Evaluate, with its articles open, and take the answers from there.",
        )
    articles = list(dict.fromkeys(row.article for row in rows))
    # The name of a pair holds those of its two systems.
    systems = list(dict.fromkeys(name for row in rows for name in row.system.split(BETWEEN)))
    lines = {(row.article, row.system): row.headline for row in rows}
    headlines = [[lines.get((article, system), "") for system in systems] for article in articles]
    return make_task(filename, articles, systems, headlines)


def _texts(cells: pd.DataFrame, column: str | None) -> list[str]:
    if column is None:
        return [""] * len(cells)
    return [clean_line(restored(cell or "")) for cell in cells[column]]


def _column(keys: dict[str, str], question: FormQuestion, others: Collection[str]) -> str:
    exact = keys.get(question.key)
    begun = (key for key in keys if key.startswith(f"{question.key}_") and key not in others)
    return exact or keys.get(next(begun, ""), "")


def _answer(cell: str | None, row: int, column: str, filename: str, question: FormQuestion) -> float:
    text = (cell or "").strip()
    if not text:
        return np.nan
    for level in question.allowed(0):
        if level.wording and level.wording.casefold() == text.casefold():
            return float(level.value)
    try:
        # A spreadsheet may write 2 as 2.0 or 2,0.
        value = float(text.replace(",", "."))
    except ValueError:
        value = np.nan
    if not np.isfinite(value) or value != int(value):
        raise InputError(
            f"Row {row + 1:,} of {filename} has {text[:40]!r} in the column {column[:40]}.",
            hint="Give a whole number, or leave the cell empty; nothing was loaded.",
        )
    return value


def _asked(question: FormQuestion, systems: int) -> str:
    levels = [
        f"{level.value} {level.wording}".strip() for level in question.allowed(systems) if level.wording
    ]
    if question.ranks and len(levels) > _LISTED:
        levels = [levels[0], "…", levels[-1]]
    return f"{question.key} ({', '.join(levels)})"


def _cell(value: float) -> str:
    return "" if np.isnan(value) else f"{value:g}"
