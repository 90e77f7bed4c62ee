"""Tasks and ratings made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.people.forms.shipped import NumHGForm
from core.people.ratings import EvaluationTask, Ratings, make_task

FORM = NumHGForm()
QUESTIONS = [question.key for question in FORM.questions]


def task_of(articles: int, systems: Sequence[str] = ("A", "B"), title: str = "by hand") -> EvaluationTask:
    ids = [f"a{number}" for number in range(articles)]
    lines = [[f"{system} on {article}" for system in systems] for article in ids]
    return make_task(title, ids, systems, lines)


def ratings_of(task: EvaluationTask, answers: dict[str, Sequence[Sequence[Sequence[float]]]]) -> Ratings:
    """By judge: for each article, for each question, one answer a system."""
    values = np.array(list(answers.values()), dtype=np.float64).transpose(0, 2, 1, 3)
    return Ratings(form=FORM, task=task, judges=tuple(answers), values=values)
