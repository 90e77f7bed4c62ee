"""Giving an answer and taking it back; both are kept at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np
import streamlit as st

from components.evaluate import state
from components.evaluate.sitting import Sitting
from components.page import show_error
from core.errors import CoreError
from core.people.answer_log import Answer
from core.people.evaluation.asking import FloatArray, Open, next_open
from core.people.ratings import judge_key

_UNDO: Final = "evaluate_undo"
"""What was answered, as [folder, judge, article, id of the answer], the last last."""
_FAILED: Final = "evaluate_failed"
_REMEMBERED: Final = 500


def answers_about(sitting: Sitting, row: int) -> FloatArray:
    """What the judge has answered about an article, float64 [q, k]; NaN where nothing."""
    if not sitting.judge:
        return np.full((len(sitting.form.questions), len(sitting.task.systems)), np.nan)
    store = sitting.store
    return np.asarray(store.ratings(sitting.judge).values[0, :, row])


def give(sitting: Sitting, row: int, question: int, system: int, value: int | None) -> None:
    """Answers a question about one headline, or takes the answer back."""
    article = sitting.task.articles[row]
    state.put(article=article)
    with _told():
        before = answers_about(sitting, row)[question, system]
        if before == value or (value is None and np.isnan(before)):
            return
        given = Answer(
            article=article,
            question=sitting.form.questions[question].key,
            system=sitting.task.systems[system],
            value=value,
        )
        steps = st.session_state.setdefault(_UNDO, [])
        steps.append([*_whose(sitting), article, sitting.store.record(sitting.judge, given)])
        del steps[:-_REMEMBERED]


def give_open(sitting: Sitting, row: int, found: Open, system: int, value: int) -> None:
    """Answers the question that was asked, unless it was answered since.

    A key that is pressed before the page shows the next question still belongs to the last one.
    """
    with _told():
        if next_open(sitting.form, answers_about(sitting, row), sitting.order(row)) == found:
            give(sitting, row, found.question, system, value)


def undo(sitting: Sitting) -> None:
    """Takes back the last answer that this session gave, and goes to its article."""
    at = _last(sitting)
    if at is not None:
        *_, article, given = st.session_state[_UNDO][at]
        state.put(article=article)
        with _told():
            sitting.store.undo(sitting.judge, given)
            del st.session_state[_UNDO][at]


def can_undo(sitting: Sitting) -> bool:
    """Whether this session has answered anything here."""
    return _last(sitting) is not None


def failures() -> None:
    """Says why the last answer was not kept, if it was not."""
    failed = st.session_state.pop(_FAILED, None)
    if failed is not None:
        show_error(CoreError(failed[0], hint=failed[1]))


@contextmanager
def _told() -> Iterator[None]:
    """Keeps an error for `failures`: callbacks run before the page and its one place for errors."""
    try:
        yield
    except CoreError as error:
        st.session_state[_FAILED] = (error.message, error.hint)


def _last(sitting: Sitting) -> int | None:
    """Place of the judge's last answer among those remembered; None where there is none."""
    steps = st.session_state.get(_UNDO, [])
    mine = [
        at
        for at, (*whose, article, _) in enumerate(steps)
        if whose == _whose(sitting) and article in sitting.task.articles
    ]
    return mine[-1] if mine else None


def _whose(sitting: Sitting) -> list[str]:
    return [str(sitting.store.folder), judge_key(sitting.judge)]
