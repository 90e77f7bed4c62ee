"""Which question about an article is open, which are closed, and when the article may be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.people.form import YES, Asks, EvaluationForm, FormQuestion

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Open:
    """A question that has no answer yet.

    Attributes:
        question: Its place in the form.
        subject: Place of the headline or pair that is asked about; None where one of several headlines is
            to be chosen.
        value: What the chosen headline gets; None where the answer is the value.
    """

    question: int
    subject: int | None
    value: int | None


def next_open(form: EvaluationForm, values: FloatArray, order: Sequence[int]) -> Open | None:
    """The first open question about an article; None where all are answered.

    Headlines are asked about in the order in which they are shown. A form that goes by question asks one
    about all headlines before the next; another asks all about a headline before the next headline, and then
    what is about several.

    Args:
        form: The questions.
        values: Answers about the article, float64 [q, s], NaN where there is none.
        order: Places of the systems as they are shown.
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


def revealed(form: EvaluationForm, values: FloatArray, systems: int) -> bool:
    """Whether the judge may see the article: all questions before it are answered.

    Args:
        form: The questions.
        values: Answers about the article, float64 [q, s].
        systems: How many headlines it has.
    """
    return not any(
        np.isnan(values[at, question.places(systems)]).any()
        for at, question in enumerate(form.questions[: form.hidden])
    )


def refuse_closed(form: EvaluationForm, values: FloatArray, question: int, systems: int) -> None:
    """Refuses an answer that comes too late or too early.

    Questions before the article are closed once it was shown; those after it open only then.

    Args:
        form: The questions.
        values: Answers about the article so far, float64 [q, s].
        question: Place of the one that is answered.
        systems: How many headlines the article has.

    Raises:
        InputError: The question is closed, or not open yet.
    """
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
