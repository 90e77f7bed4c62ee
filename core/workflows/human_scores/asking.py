"""Which question about an article is open, and what an answer does to the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.annotation.form import Form

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Open:
    """A question that has no answer yet.

    Attributes:
        question: Its place in the form.
        system: Place of the system whose headline is asked about; None where one of several headlines is
            to be chosen for the next place of an order.
        value: What the chosen headline gets; None where the answer is the value.
    """

    question: int
    system: int | None
    value: int | None


def next_open(form: Form, values: FloatArray, order: Sequence[int]) -> Open | None:
    """The first open question about an article; None where all are answered.

    Headlines are asked about one by one, in the order in which they are shown; the order of them all comes
    last, from the best place down.

    Args:
        form: The questions.
        values: Answers about the article, float64 [q, k], NaN where there is none.
        order: Places of the systems as they are shown.
    """
    for system in order:
        for at, question in enumerate(form.questions):
            if not question.ranks and np.isnan(values[at, system]):
                return Open(at, system, None)
    for at, question in enumerate(form.questions):
        free = {level.value for level in question.allowed(len(order))} - set(values[at].tolist())
        if question.ranks and np.isnan(values[at]).any():
            return Open(at, None, max(free))
    return None


def answered(form: Form, values: FloatArray, question: int, system: int, value: float | None) -> FloatArray:
    """The answers about an article after one more, float64 [q, k].

    In an order no place is given twice: a headline that had the place takes the one that the other leaves,
    and the last headline without a place takes the last place.

    Args:
        form: The questions.
        values: The answers before; they stay as they are.
        question: Place of the question.
        system: Place of the system.
        value: The answer; None takes it back.
    """
    after = values.copy()
    line = after[question]
    if form.questions[question].ranks and value is not None:
        line[line == value] = values[question, system]
    line[system] = np.nan if value is None else value
    open_places = np.flatnonzero(np.isnan(line))
    if form.questions[question].ranks and value is not None and len(open_places) == 1:
        line[open_places[0]] = (set(range(1, len(line) + 1)) - set(line.tolist())).pop()
    return after
