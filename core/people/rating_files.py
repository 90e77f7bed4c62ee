"""Answers as tables: written for others, laid out blind for a spreadsheet, and read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

import numpy as np

from core.data.articles.load import whole_table
from core.data.timelines import column_names
from core.data.timelines.raw import listing
from core.errors import InputError
from core.people.form import BETWEEN, Asks, EvaluationForm, FormQuestion, Order, asked, pairs_of, subjects
from core.people.ratings import (
    EvaluationTask,
    Ratings,
    check_ratings,
    empty_ratings,
    judge_key,
    judge_name,
    make_task,
)
from core.results.render import delimited, restored
from core.text.normalise import clean_line

if TYPE_CHECKING:
    import pandas as pd

ITEM, JUDGE, ARTICLE, SYSTEM, HEADLINE, TEXT = "item", "judge", "article", "system", "headline", "text"
SHOWN_FIRST: Final = "shown_first"
TEXT_CHARACTERS: Final = 30_000
"""Of an article in a cell at most; a spreadsheet's cell ends at 32,767."""

_LISTED: Final = 3


def ratings_csv(ratings: Ratings, order: Order | None = None) -> str:
    """One line a judge, article and system, with every answer; without an answer the cell is empty.

    Who has answered nothing about an article has empty lines about it, so that tables count it as missing.
    Answers about two headlines stand in a line of their own, whose system names both.
    """
    questions, task = ratings.form.questions, ratings.task
    rows: list[list[str]] = [[JUDGE, ARTICLE, SYSTEM, HEADLINE, *(question.key for question in questions)]]
    rows[0] += [SHOWN_FIRST] if order is not None else []
    pairs = [(), *pairs_of(task.systems)]
    about = np.flatnonzero(asked(ratings.form, task.systems).any(axis=0)).tolist()
    for judge, name in enumerate(ratings.judges):
        for row, article in enumerate(task.articles):
            lines = _lines(ratings.form, task, row)
            for place in about:
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
    for row, order in enumerate(orders):
        open_ = not shown or shown[row]
        headlines = _lines(form, task, row)
        for first, place in enumerate([*order, *range(systems, len(ratings.subjects))]):
            given = (
                ratings.judges[0],
                task.item(row, ratings.subjects[place]),
                task.articles[row],
                " ".join(texts[row].split())[:TEXT_CHARACTERS] if first == 0 and open_ else "",
                headlines[place],
            )
            lines.append([*given, *map(_cell, ratings.values[0, :, row, place].tolist())])
    return delimited(lines)


def _lines(form: EvaluationForm, task: EvaluationTask, row: int) -> list[str]:
    own = task.headlines[row]
    pairs = pairs_of(task.systems) if len(subjects(form, task.systems)) > len(own) else []
    return [*own, *(f"{own[one]}{BETWEEN}{own[other]}" for one, other in pairs)]


def read_ratings(
    data: bytes, filename: str, form: EvaluationForm, task: EvaluationTask | None = None
) -> Ratings:
    """Answers from a table (CSV, TSV, XLSX, JSON, JSONL, Parquet), all of them or none.

    It has a column `judge` (left out, the file's name stands for one judge), `item` as in a template or
    `article` and `system`, and a column for each question, whose name begins with the question's key. An
    empty cell is no answer; a question without a column has none.

    Args:
        data: The file's bytes.
        filename: Its name.
        form: The questions.
        task: What is judged; None takes it from the file, which must name the systems then.

    Raises:
        InputError: It is no such table, names what is not judged, answers twice, or holds an answer that a
            question does not allow.
    """
    rows = _read(data, filename[:80], form)
    known = _task_of(rows) if task is None else task
    judges = {judge_key(judge): judge for judge in reversed(rows.judges)}
    keys = list(dict.fromkeys(map(judge_key, rows.judges)))
    ratings = empty_ratings(form, known, [judges[key] for key in keys])
    taken: dict[tuple[int, int, int], int] = {}
    for number, (row, column) in enumerate(_headlines(rows, form, known)):
        at = keys.index(judge_key(rows.judges[number]))
        before = taken.setdefault((at, row, column), number)
        if before != number:
            raise InputError(
                f"{rows.where(number)} is about the same headline by the same judge as row "
                f"{rows.numbers[before]:,}.",
                hint="Take one of them out; nothing was loaded.",
            )
        ratings.values[at, :, row, column] = rows.answers[number]
    return check_ratings(ratings)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rows:
    """A table of answers: one entry a row that is not empty."""

    filename: str
    numbers: list[int]
    judges: list[str]
    items: list[str]
    articles: list[str]
    systems: list[str]
    headlines: list[str]
    answers: list[list[float]]

    def where(self, place: int) -> str:
        return f"Row {self.numbers[place]:,} of {self.filename}"


def _read(data: bytes, filename: str, form: EvaluationForm) -> _Rows:
    cells = whole_table(data, filename).cells
    keys = column_names.by_key(cells.columns)
    named = {name: _texts(cells, keys.get(name)) for name in (ITEM, ARTICLE, SYSTEM, HEADLINE)}
    questions = [_column(keys, question) for question in form.questions]
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
    kept = [row for row in range(len(cells)) if any(values[row] for values in named.values())]
    if not kept:
        raise InputError(f"{filename} holds no answers.", hint="Give a table with one headline a row.")
    for row in kept:
        if not judges[row]:
            raise InputError(
                f"Row {row + 1:,} of {filename} has no judge.",
                hint="Write a name or initials into every row.",
            )
    answers = [
        [_answer(cells[name].iloc[row] if name else "", row, name, filename) for name in questions]
        for row in range(len(cells))
    ]
    return _Rows(
        filename=filename,
        numbers=[row + 1 for row in kept],
        judges=[judge_name(judges[row]) for row in kept],
        items=[named[ITEM][row].casefold() for row in kept],
        articles=[named[ARTICLE][row] for row in kept],
        systems=[named[SYSTEM][row] for row in kept],
        headlines=[named[HEADLINE][row] for row in kept],
        answers=[answers[row] for row in kept],
    )


def _headlines(rows: _Rows, form: EvaluationForm, task: EvaluationTask) -> list[tuple[int, int]]:
    known = subjects(form, task.systems)
    items: dict[str, tuple[int, int]] = {}
    named: dict[tuple[str, str], tuple[int, int]] = {}
    for row, article in enumerate(task.articles):
        for place, subject in enumerate(known):
            items[task.item(row, subject)] = row, place
            named[clean_line(article), clean_line(subject)] = row, place
    found = []
    for number in range(len(rows.judges)):
        by_name = named.get((rows.articles[number], rows.systems[number]))
        at = items.get(rows.items[number]) if rows.items[number] else by_name
        if at is None:
            raise InputError(
                f"{rows.where(number)} is about a headline that is not judged here.",
                hint="Open the articles and systems that the file was made for.",
            )
        headline = clean_line(_lines(form, task, at[0])[at[1]])
        if headline and rows.headlines[number] and headline != rows.headlines[number]:
            raise InputError(
                f"{rows.where(number)} holds another headline than is judged here.",
                hint="Open the headlines that the file was made for.",
            )
        found.append(at)
    return found


def _task_of(rows: _Rows) -> EvaluationTask:
    if not all(rows.articles) or not all(rows.systems):
        raise InputError(
            f"{rows.filename} does not name the systems, as a blind template does not.",
            hint="Read it on the Evaluate page, with its articles open, and take the answers from there.",
        )
    articles = list(dict.fromkeys(rows.articles))
    # The name of a pair holds those of its two systems.
    systems = list(dict.fromkeys(one for name in rows.systems for one in name.split(BETWEEN)))
    lines = {
        (article, system): headline
        for article, system, headline in zip(rows.articles, rows.systems, rows.headlines, strict=True)
    }
    headlines = [[lines.get((article, system), "") for system in systems] for article in articles]
    return make_task(rows.filename, articles, systems, headlines)


def _texts(cells: pd.DataFrame, column: str | None) -> list[str]:
    if column is None:
        return [""] * len(cells)
    return [clean_line(restored(cell or "")) for cell in cells[column]]


def _column(keys: dict[str, str], question: FormQuestion) -> str:
    exact = keys.get(question.key)
    return exact or next((name for key, name in keys.items() if key.startswith(f"{question.key}_")), "")


def _answer(cell: str | None, row: int, column: str, filename: str) -> float:
    text = (cell or "").strip()
    if not text:
        return np.nan
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
