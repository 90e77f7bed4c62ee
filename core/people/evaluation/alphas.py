"""How far judges agree on each question of a form: Krippendorff's alpha, by system and over all."""

from __future__ import annotations

import numpy as np

from core.people.agreement.reliability import Scale, alpha
from core.people.agreement.votes import VoteTable
from core.people.form import Asks, FormQuestion
from core.people.ratings import FloatArray, Ratings
from core.results.forms import footnotes
from core.results.table import WARNED, Row, Table, TableColumn
from core.statistics.figure import Figure

ALL = "All"


def scale_of(question: FormQuestion) -> Scale:
    """Ordinal where answers have an order of more than two, else nominal."""
    ordered = question.ranks or (len(question.levels) > 2 and not question.about_pairs)
    return Scale.ORDINAL if ordered else Scale.NOMINAL


def alpha_table(ratings: Ratings, *, seed: int = 0) -> Table:
    """Alpha of each question: for each system over its headlines, and over all; a question a row.

    What is chosen of several headlines is one answer an article and has an alpha over all alone, as has what
    is answered about pairs. Answers count as in the table of scores: an order only when it is complete.
    """
    task, counted = ratings.task, ratings.counted()
    systems = len(task.systems)
    rows: list[Row] = []
    for at, question in enumerate(ratings.form.questions):
        values = counted[:, at][..., list(question.places(systems))]
        own: list[Figure | None] = [None] * systems
        if question.asks is Asks.ONE:
            whole = _alpha(_chosen(values), question, seed)
        else:
            whole = _alpha(values.reshape(len(values), -1), question, seed)
            if not question.about_pairs:
                own = [_alpha(values[..., place], question, seed) for place in range(systems)]
        rows.append((question.label, scale_of(question).value, *own, whole, question.published_alpha))
    published = any(question.published_alpha is not None for question in ratings.form.questions)
    figures = [value for row in rows for value in row if isinstance(value, Figure)]
    columns = (
        TableColumn("Question", key="question"),
        TableColumn("Scale", key="scale"),
        *(TableColumn(name) for name in task.systems),
        TableColumn(ALL, key="all", parts=WARNED),
        TableColumn("Published", key="published"),
    )
    kept = [at for at in range(len(columns)) if published or at < len(columns) - 1]
    return Table(
        columns=tuple(columns[at] for at in kept),
        rows=tuple(tuple(row[at] for at in kept) for row in rows),
        title="Agreement of judges",
        notes=(
            "Krippendorff's alpha: 1 in full agreement, 0 as by chance. Brackets: 95 % intervals, bootstrap "
            "of pairs of answers; fewer than ten items have none.",
            *footnotes(one.warning for one in figures),
        ),
    )


def _chosen(values: FloatArray) -> FloatArray:
    known = ~np.isnan(values).any(axis=-1)
    return np.where(known, np.nan_to_num(values).argmax(axis=-1), np.nan)


def _alpha(values: FloatArray, question: FormQuestion, seed: int) -> Figure:
    kept = values[:, (~np.isnan(values)).any(axis=0)]
    if not kept.size:
        return Figure(None, "no item has two answers")
    worth, codes = np.unique(kept[~np.isnan(kept)], return_inverse=True)
    table = np.full(kept.shape, -1, dtype=np.int64)
    table[~np.isnan(kept)] = codes
    votes = VoteTable(
        items=tuple(map(str, range(kept.shape[1]))),
        people=tuple(map(str, range(kept.shape[0]))),
        answers=tuple(f"{value:g}" for value in worth),
        codes=table.T,
    )
    return alpha(votes, scale_of(question), seed=seed)
