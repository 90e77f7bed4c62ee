"""What judges say of pairs of systems: yes or no of each pair, and choices of the better headline."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.people.form import Asks, FormQuestion, pairs_of, subjects
from core.people.preferences.choices import Preferences, make_choices
from core.people.ratings import Ratings
from core.results.forms import footnotes, percent
from core.results.table import WARNED, Row, Table, TableColumn
from core.statistics.bootstrap import RESAMPLES, bootstrap_sums
from core.statistics.figure import Figure

Order = Callable[[str, str], Sequence[int]]
"""Places of the systems in the order in which a judge (first) saw an article's (second) headlines."""


def pair_table(ratings: Ratings, at: int, *, seed: int = 0) -> Table:
    """How often people gave a pair of systems the highest answer ("yes"), a pair a row, most often first.

    Args:
        ratings: The answers.
        at: Place of a question about pairs.
        seed: Of the intervals, from a bootstrap over articles.
    """
    question, systems = ratings.form.questions[at], ratings.task.systems
    top = question.levels[-1]
    rows: list[tuple[str, Figure]] = []
    for place in question.places(len(systems)):
        values = ratings.values[:, at, :, place]
        given = ~np.isnan(values)
        sums = np.stack([(values == top.value).sum(axis=0), given.sum(axis=0)], axis=1).astype(np.float64)
        sums = sums[sums[:, 1] > 0]
        drawn = bootstrap_sums(sums, resamples=RESAMPLES, seed=seed) if len(sums) > 1 else np.empty((0, 2))
        share = Figure.resampled(
            float(sums[:, 0].sum() / sums[:, 1].sum()) if len(sums) else None,
            drawn[:, 0] / np.maximum(drawn[:, 1], 1),
            units=len(sums),
            unit="articles",
            count=int(given.sum()),
            reason="nobody has answered it",
        )
        rows.append((subjects(ratings.form, systems)[place], share))
    rows.sort(key=lambda row: -(row[1].value or 0.0))
    whole: tuple[Row, ...] = tuple((name, share.count, share) for name, share in rows)
    return Table(
        columns=(
            TableColumn("Pair", key="pair"),
            TableColumn("Answers", key="answers"),
            TableColumn(f"{question.label}: {top.wording} %", key="share", form=percent(), parts=WARNED),
        ),
        rows=whole,
        title=question.label,
        notes=tuple(footnotes(share.warning for _, share in rows)),
    )


def choices_of(ratings: Ratings, question: FormQuestion, order: Order) -> Preferences:
    """The choices of a question that asks for the better headline of each pair.

    Args:
        ratings: The answers.
        question: One that asks `Asks.BETTER`.
        order: Who saw what first.
    """
    if question.asks is not Asks.BETTER:
        raise ValueError(f"{question.key} does not ask which headline is better.")
    at = ratings.form.questions.index(question)
    task, pairs = ratings.task, pairs_of(ratings.task.systems)
    rows = []
    for number, judge in enumerate(ratings.judges):
        for row, article in enumerate(task.articles):
            seen = list(order(judge, article))
            for (one, other), place in zip(pairs, question.places(len(task.systems)), strict=True):
                value = ratings.values[number, at, row, place]
                if np.isnan(value):
                    continue
                first = seen.index(one) < seen.index(other)
                left, right = (one, other) if first else (other, one)
                chosen = int(value) if first else -int(value)
                rows.append((task.systems[left], task.systems[right], chosen, article, judge))
    return make_choices(rows)
