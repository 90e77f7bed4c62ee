"""Tasks and ratings made by hand."""

import numpy as np

from core.people.forms import NumHGForm
from core.people.ratings import Ratings, make_task

FORM = NumHGForm()
QUESTIONS = [question.key for question in FORM.questions]


def task_of(articles, systems=("A", "B"), title="by hand"):
    ids = [f"a{number}" for number in range(articles)]
    lines = [[f"{system} on {article}" for system in systems] for article in ids]
    return make_task(title, ids, systems, lines)


def ratings_of(task, answers):
    """By judge: for each article, for each question, one answer a system."""
    values = np.array(list(answers.values()), dtype=np.float64).transpose(0, 2, 1, 3)
    return Ratings(form=FORM, task=task, judges=tuple(answers), values=values)
