"""Which question about an article is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.people.form import EvaluationForm

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


def next_open(form: EvaluationForm, values: FloatArray, order: Sequence[int]) -> Open | None:
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
