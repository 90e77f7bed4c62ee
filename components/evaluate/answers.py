"""Giving an answer and taking it back; both are kept at once."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from components.evaluate import view
from components.evaluate.sitting import Sitting
from components.page import show_error
from core.annotation.ratings import judge_key
from core.errors import CoreError
from core.workflows.human_scores.asking import FloatArray, Open, answered, next_open

_UNDO: Final = "evaluate_undo"
"""What was answered before, as [folder, judge, article, answers], the last last."""
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
    before = answers_about(sitting, row)
    after = answered(sitting.form, before, question, system, value)
    if np.array_equal(before, after, equal_nan=True):
        return
    article = sitting.task.articles[row]
    if _keep(sitting, article, after):
        steps = st.session_state.setdefault(_UNDO, [])
        steps.append([*_whose(sitting), article, before.tolist()])
        del steps[:-_REMEMBERED]


def give_open(sitting: Sitting, row: int, found: Open, system: int, value: int) -> None:
    """Answers the question that was asked, unless it was answered since.

    A key that is pressed before the page shows the next question still belongs to the last one.
    """
    if next_open(sitting.form, answers_about(sitting, row), sitting.order(row)) == found:
        give(sitting, row, found.question, system, value)


def undo(sitting: Sitting) -> None:
    """Goes back to what was answered before the last answer, and to its article."""
    at = _last(sitting)
    if at is not None:
        *_, article, before = st.session_state[_UNDO][at]
        if _keep(sitting, article, np.array(before)):
            del st.session_state[_UNDO][at]


def can_undo(sitting: Sitting) -> bool:
    """Whether this session has answered anything here."""
    return _last(sitting) is not None


def failures() -> None:
    """Says why the last answer was not kept, if it was not."""
    failed = st.session_state.pop(_FAILED, None)
    if failed is not None:
        show_error(CoreError(failed[0], hint=failed[1]))


def _keep(sitting: Sitting, article: str, values: FloatArray) -> bool:
    view.put("article", article)
    try:
        sitting.store.record(sitting.judge, article, values)
    except CoreError as error:
        # Callbacks run before the page and its one place for errors.
        st.session_state[_FAILED] = (error.message, error.hint)
        return False
    return True


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
