"""The question that is open, with an answer on every digit key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from components.evaluate import state
from components.evaluate.answers import give_open
from components.evaluate.sitting import Sitting
from components.markdown import plain
from core.people.evaluation.asking import FloatArray, Open, next_open
from core.people.form import Question

_KEYS: Final = 10
"""Digits; an answer past them has no key."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """One button: what it gives to which headline, and its digit."""

    system: int
    value: int
    label: str
    digit: int


def asking(sitting: Sitting, row: int, values: FloatArray, *, next_article: str | None) -> None:
    """Asks the first open question about an article, or says that there is none.

    Args:
        sitting: What is judged.
        row: The article.
        values: Answers about it.
        next_article: Id of the next article with an open question; None where there is none.
    """
    order = sitting.order(row)
    found = next_open(sitting.form, values, order)
    with st.container(border=True, key="evaluate-asking"):
        if found is None:
            _done(next_article)
        elif found.system is None:
            _choose(sitting, row, values, found, order)
        else:
            _rate(sitting, row, found, found.system, order.index(found.system) + 1)


def _rate(sitting: Sitting, row: int, found: Open, system: int, at: int) -> None:
    """A level for one headline."""
    question = sitting.form.questions[found.question]
    _told(f"Headline {at} · {question.text}", question)
    with st.container(horizontal=True, gap="small"):
        for level in question.allowed(len(sitting.task.systems)):
            label = level.wording or str(level.value)
            _button(sitting, row, found, _Answer(system, level.value, label, level.value))


def _choose(sitting: Sitting, row: int, values: FloatArray, found: Open, order: list[int]) -> None:
    """A headline for the next place of an order."""
    question = sitting.form.questions[found.question]
    if found.value is None:
        return
    levels = question.allowed(len(order))
    asked = "is the best" if found.value == len(order) else f"comes {levels[found.value - 1].wording}"
    _told(f"Which headline {asked}?", question)
    with st.container(horizontal=True, gap="small"):
        for at, system in enumerate(order, 1):
            if np.isnan(values[found.question, system]):
                _button(sitting, row, found, _Answer(system, found.value, f"Headline {at}", at))


def _done(next_article: str | None) -> None:
    if next_article is None:
        st.markdown(":material/task_alt: **All done, thank you.** The results are one tab further.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(":material/check: **This article is judged.**", width="content")
        st.button(
            "Next open article",
            key="evaluate-next",
            type="primary",
            icon=":material/arrow_forward:",
            on_click=state.put,
            kwargs={"article": next_article},
            shortcut="N",
        )


def _told(asked: str, question: Question) -> None:
    st.markdown(f"**{plain(asked)}**", help=plain(question.help))


def _button(sitting: Sitting, row: int, found: Open, answer: _Answer) -> None:
    st.button(
        answer.label,
        key=f"ask-{row}-{found.question}-{answer.system}-{answer.value}",
        on_click=give_open,
        args=(sitting, row, found, answer.system, answer.value),
        disabled=not sitting.judge,
        shortcut=str(answer.digit) if answer.digit < _KEYS else None,
    )
